package query

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"parley/internal/words/fault"
)

// MissKind is the kind of a Miss.
type MissKind string

// The kinds.
const (
	NoSpeaker      MissKind = "noSpeaker" // nobody whom the name refers to speaks
	OtherSpeaker   MissKind = "otherSpeaker"
	OutsideWindow  MissKind = "outsideWindow"
	NeedsSlop      MissKind = "slop"
	Apart          MissKind = "apart"     // all words of a phrase are said, but not as a phrase
	SomeWords      MissKind = "someWords" // some words of a phrase are said
	NotSaid        MissKind = "notSaid"   // none of them is
	OtherWord      MissKind = "otherWord" // a word that is spelled alike is said
	DifferentTurns MissKind = "differentTurns"
	EveryTurn      MissKind = "everyTurn" // what one turn must not have, every turn has
	Later          MissKind = "later"
	NoneFollows    MissKind = "noneFollows"
	IsFollowed     MissKind = "isFollowed"
	Shorter        MissKind = "shorter"
	OtherValue     MissKind = "value"
	NoValue        MissKind = "noValue"
	OtherField     MissKind = "otherField"
)

// Miss is something near a condition that a call has instead.
type Miss struct {
	Kind      MissKind
	Message   string
	Condition Condition // that the call meets and that shows the miss; nil if it cannot be written
	Hits      []Hit     // where, at most MostPlaces; the nearest first for OutsideWindow
	Speakers  []string  // of OtherSpeaker: who says it; of NoSpeaker: who speaks
	Slop      int       // the least slop that a phrase needs, 0 if it needs no other
	// Duration is the time between a window and the nearest hit, the least time that passes (Later), or the length of
	// the longest interval (Shorter), in whole milliseconds.
	Duration      time.Duration
	Said, Missing []string // words of a phrase that are said in the call, and others
	Word, Nearest string   // of OtherWord: the word of the phrase, and the word that is said
	Field         *Field   // of a comparison: the field that has Value
	Value         Value
}

// shown is how many characters of a value are shown.
const shown = 200

// few returns the first hits.
func few(hits []Hit) []Hit { return slices.Clone(hits[:min(len(hits), MostPlaces)]) }

// seconds formats a position in a call, or a length of time.
func seconds(d time.Duration) string { return fmt.Sprintf("%.1f s", d.Seconds()) }

// starting formats the starts of hits.
func starting(hits []Hit) string {
	starts := mapped(few(hits), func(h Hit) string { return seconds(h.Start) })
	if len(hits) > len(starts) {
		starts = append(starts, "…")
	}
	return "at " + strings.Join(starts, ", ")
}

// field returns the misses of a comparison: the value that is there instead.
func (q *Inquiry) field(c Condition) []Miss {
	f, asked := compared(c)
	v := Value{}
	if q.Call.Value != nil {
		v = q.Call.Value(f)
	}
	if !v.Missing() {
		return []Miss{{Kind: OtherValue, Condition: equal(f, v), Field: &f, Value: v.shortened(),
			Message: fmt.Sprintf("%s is %s; the condition is %s", f, v.shortened(), asked)}}
	}
	none := Miss{Kind: NoValue, Condition: Null{Field: f}, Field: &f, Message: f.String() + " has no value"}
	other, ok := q.similar(f)
	if !ok {
		return []Miss{none}
	}
	v = q.Call.Value(other)
	return []Miss{{Kind: OtherField, Condition: equal(other, v), Field: &other, Value: v.shortened(),
		Message: fmt.Sprintf("%s has no value, but %s is %s", f, other, v.shortened())}, none}
}

// compared returns the field of a comparison, and the comparison without it.
func compared(c Condition) (f Field, asked string) {
	switch c := c.(type) {
	case Compare:
		f = c.Field
	case In:
		f = c.Field
	case Between:
		f = c.Field
	case Like:
		f = c.Field
	case Null:
		f = c.Field
	}
	return f, strings.TrimPrefix(Print(c), f.String()+" ")
}

// equal returns the condition that a field has a value; nil if no statement can have the value.
func equal(f Field, v Value) Condition {
	switch {
	case v.kind == isInstant:
		v = Text(v.written())
	case v.kind == isNumber && math.Abs(v.number) > largest, len([]rune(v.text)) > shown:
		return nil
	}
	return Compare{f, Equal, v}
}

// shortened returns the value with a limited length.
func (v Value) shortened() Value {
	v.text = fault.Clip(v.text, shown)
	return v
}

// similar returns a field that has a value and whose last name is the same or the nearest.
func (q *Inquiry) similar(f Field) (Field, bool) {
	if len(f.Path) == 0 {
		return f, false
	}
	last := func(f Field) string { return f.Path[len(f.Path)-1] }
	var fields []Field
	var names []string
	for _, k := range q.Fields {
		if k.Space == f.Space && len(k.Path) > 0 && k.String() != f.String() && !q.Call.Value(k).Missing() {
			fields, names = append(fields, k), append(names, last(k))
		}
	}
	if !q.Call.Budget.Spend(workOfName * len(fields)) {
		return f, false
	}
	i := slices.Index(names, nearest(last(f), names))
	if i < 0 {
		return f, false
	}
	return fields[i], true
}

// workOfName is the cost of comparing the spelling of two names.
const workOfName = 500

// interval returns the misses of silence or overtalk: one outside the window, and the longest one.
func (q *Inquiry) interval(c Interval) (all []Miss) {
	if c.Window != nil {
		wide := Interval{Of: c.Of, AtLeast: c.AtLeast}
		if holds, hits := q.find(wide); holds {
			away := q.nearestTo([]Window{*c.Window}, hits)
			all = append(all, Miss{Kind: OutsideWindow, Condition: wide, Hits: few(hits), Duration: away,
				Message: fmt.Sprintf("outside the window there is one, %s", starting(hits))})
		}
	}
	c.AtLeast = Time{}
	_, hits := q.find(c)
	if len(hits) == 0 {
		return all
	}
	longest := slices.MaxFunc(hits, func(a, b Hit) int { return int(a.End - a.Start - b.End + b.Start) })
	length := (longest.End - longest.Start).Truncate(time.Millisecond)
	c.AtLeast = Time{Amount: length.Milliseconds()}
	return append(all, Miss{Kind: Shorter, Condition: c, Hits: []Hit{longest}, Duration: length,
		Message: fmt.Sprintf("the longest %s is %s, %s", c.Of.Name, seconds(length), starting([]Hit{longest}))})
}

// nearestTo sorts hits by their distance from the intersection of windows, and returns the least distance.
func (q *Inquiry) nearestTo(windows []Window, hits []Hit) time.Duration {
	inside := stretch{To: math.MaxInt64}
	for _, w := range windows {
		from, to := w.of(q.Call.Length)
		inside.From, inside.To = max(inside.From, from), min(inside.To, to)
	}
	away := func(h Hit) time.Duration { return max(0, inside.From-h.Start, h.Start-inside.To) }
	slices.SortStableFunc(hits, func(a, b Hit) int { return int(away(a) - away(b)) })
	return away(hits[0])
}

// followed returns the misses of FOLLOWED BY at the first side that does not fit, whose own misses are not repeated.
func (q *Inquiry) followed(r *Reason) []Miss {
	f, n := r.Condition.(Followed), r.Decisive[0]
	if n == 0 || q.ended() {
		return nil
	}
	so := f.until(n).(Followed)
	last := &so.Steps[n-1]
	if last.Not {
		last.Not = false
		_, hits := q.find(so)
		return []Miss{{Kind: IsFollowed, Condition: so, Hits: few(hits), Message: "it is followed, " + starting(hits)}}
	}
	if !r.Parts[n].Holds {
		return nil
	}
	if last.Within != nil {
		least, holds := q.leastWithin(so)
		if holds {
			last.Within = &Time{Amount: least.Milliseconds()}
			_, hits := q.find(so)
			return []Miss{{Kind: Later, Condition: so, Hits: few(hits), Duration: least,
				Message: fmt.Sprintf("it follows after %s at the least, %s", seconds(least), starting(hits))}}
		}
	}
	last.Not, last.Within = true, nil
	return []Miss{{Kind: NoneFollows, Condition: so, Hits: r.Parts[n].Hits[:min(len(r.Parts[n].Hits), MostPlaces)],
		Message: "it is said, but not after the side before it; it is said " + starting(r.Parts[n].Hits)}}
}

// leastWithin returns the least time within which the last step of a sequence follows.
func (q *Inquiry) leastWithin(f Followed) (least time.Duration, holds bool) {
	try := func(within *Time) bool {
		steps := slices.Clone(f.Steps)
		steps[len(steps)-1].Within = within
		ok, _ := q.find(Followed{f.First, steps})
		return ok
	}
	if !try(nil) {
		return 0, false
	}
	low, high := int64(0), int64(longest)
	for low < high {
		middle := (low + high) / 2
		if try(&Time{Amount: middle}) {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return time.Duration(low) * time.Millisecond, try(&Time{Amount: low})
}

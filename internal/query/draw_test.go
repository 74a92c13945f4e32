package query

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"parley/internal/words/phrase"
	"parley/internal/words/transcript"
)

// drawer generates random statements and calls. pick returns a number below n.
type drawer struct {
	pick func(n int) int
	// wide generates every construct; otherwise only those that need few words, speakers and fields.
	wide bool
}

func of[T any](d *drawer, all ...T) T { return all[d.pick(len(all))] }

func (d *drawer) statement() *Statement {
	s := &Statement{Explain: d.pick(4) == 0}
	if d.pick(8) == 0 {
		s.Alter = &Alter{}
		for range 1 + d.pick(3) {
			c := Column{d.metadata(), of(d, "varchar", "integer", "timestamp"), of(d, 0, 0, 16)}
			if !slices.ContainsFunc(s.Alter.Columns, func(k Column) bool {
				return k.Field.String() == c.Field.String()
			}) {
				s.Alter.Columns = append(s.Alter.Columns, c)
			}
		}
		return s
	}
	s.Select = d.selection()
	if d.pick(8) > 0 {
		s.Select.Where = d.condition(4)
	}
	if d.pick(3) == 0 {
		n := d.pick(100)
		s.Select.Limit = &n
	}
	if d.pick(3) == 0 {
		n := d.pick(100)
		s.Select.Offset = &n
	}
	return s
}

func (d *drawer) selection() *Select {
	if d.pick(3) == 0 {
		f := d.field()
		day := Function{builtin("date_trunc", inExpression), []Expr{Text("day"), Field{Media, []string{"dateCreated"}}}}
		return &Select{
			Items: []Item{{day, "the day"}, {f, ""},
				{Function{builtin("count", inExpression), []Expr{Star{}}}, "order"},
				{Function{builtin("percentile", inExpression), []Expr{d.field(), Number(12.5)}}, ""}},
			Group: []Expr{Alias("the day"), f},
			Order: []Order{{Alias("order"), true}, {Function{builtin("avg", inExpression), []Expr{f}}, false}},
		}
	}
	s := &Select{Items: []Item{{Star{}, ""}}}
	for i := range d.pick(3) {
		s.Items = append(s.Items, Item{d.field(), of(d, "", fmt.Sprint("c", i), fmt.Sprintf("a \"%d\\", i))})
	}
	if d.pick(2) == 0 {
		s.Items = append(s.Items, Item{Function{builtin("hits", inExpression), nil}, ""})
	}
	if d.pick(2) == 0 {
		s.Order = []Order{{d.field(), d.pick(2) == 0}}
	}
	return s
}

func (d *drawer) condition(depth int) Condition {
	if depth > 0 && d.pick(3) > 0 {
		parts := make([]Condition, 2+d.pick(2))
		for i := range parts {
			parts[i] = d.condition(depth - 1)
		}
		return of[Condition](d, And(parts), Or(parts), Not{parts[0]}, Not{parts[0]})
	}
	switch d.pick(10) {
	case 0:
		return Everything{}
	case 1, 2:
		return d.comparison()
	case 3:
		return d.followed()
	case 4:
		i := Interval{Of: builtin(of(d, "silence", "overtalk"), inCondition),
			AtLeast: Time{Amount: int64(100 * d.pick(30))}}
		if i.AtLeast.Percent = d.pick(5) == 0; i.AtLeast.Percent {
			i.AtLeast.Amount = 10_000
		}
		if d.pick(2) == 0 {
			w := d.window()
			i.Window = &w
		}
		return i
	}
	return Says{d.speaker(), d.words(3, false)}
}

func (d *drawer) followed() Condition {
	f := Followed{First: d.hitting()}
	for range 1 + d.pick(2) {
		s := Step{Not: d.pick(3) == 0, Says: d.hitting()}
		if d.pick(2) == 0 {
			t := Time{Amount: int64(100 * d.pick(20)), Percent: d.pick(4) == 0}
			s.Within = &t
		}
		f.Steps = append(f.Steps, s)
	}
	return f
}

func (d *drawer) hitting() Says {
	for {
		if s := (Says{d.speaker(), d.words(1, false)}); hitting(s.What) {
			return s
		}
	}
}

func (d *drawer) speaker() Speaker {
	if d.wide {
		return of[Speaker](d, "", "Agent", "it's \"me\"", "SAYS", "a\\b", " x ")
	}
	return of[Speaker](d, "", "agent", "Caller", "customer", "Ann", "ann", "speaker", "Nobody")
}

// words generates words; inner reports that they are in parentheses, where AND, OR and NOT are allowed.
func (d *drawer) words(depth int, inner bool) Words {
	if depth == 0 || d.pick(3) == 0 {
		return d.term()
	}
	parts := make([]Words, 2+d.pick(2))
	for i := range parts {
		parts[i] = d.words(depth-1, true)
	}
	switch n := d.pick(10); {
	case n < 2:
		return TurnAnd(parts)
	case n < 4:
		return TurnOr(parts)
	case n < 5:
		return TurnNot{parts[0]}
	case n < 6:
		return CallAnd(parts)
	case n < 7:
		return CallOr(parts)
	case n < 8:
		return CallNot{parts[0]}
	}
	if g := (Group{parts[0], d.slop(), d.windows()}); g.Slop != nil || g.Windows != nil {
		return g
	}
	return parts[0]
}

func (d *drawer) slop() *int {
	n := d.pick(6)
	if n > 3 {
		return nil
	}
	return &n
}

func (d *drawer) windows() (all []Window) {
	for range of(d, 0, 0, 1, 2) {
		all = append(all, d.window())
	}
	return all
}

func (d *drawer) window() Window {
	end := func() *Time {
		t := of(d, Time{Amount: int64(1000 * d.pick(30))}, Time{Amount: int64(1000 * d.pick(30)), FromEnd: true},
			Time{Amount: int64(10_000 * d.pick(11)), Percent: true, FromEnd: d.pick(2) == 0})
		return of(d, nil, &t, &t)
	}
	return Window{end(), end()}
}

func (d *drawer) term() Words {
	t := Term{Slop: d.slop(), Windows: d.windows()}
	for range 1 + d.pick(3) {
		p := phrase.Pattern{Text: of(d, "a", "b", "c", "ab"),
			Kind: of(d, phrase.Exact, phrase.Exact, phrase.Exact, phrase.Prefix)}
		if d.wide && d.pick(3) == 0 {
			p.Text = of(d, "don't", "49.99", "東", "été")
		}
		if d.pick(8) == 0 {
			p = phrase.Pattern{Kind: phrase.Any}
		}
		t.Places = append(t.Places, p)
	}
	return t
}

func (d *drawer) metadata() Field {
	if !d.wide {
		return Field{Metadata, []string{of(d, "k", "l")}}
	}
	f := Field{Space: Metadata}
	for range 1 + d.pick(3) {
		f.Path = append(f.Path, of(d, "score", "callDetails", "two words", "order", `q"\`, "Straße", "a-b", "7"))
	}
	return f
}

func (d *drawer) field() Field {
	if d.wide && d.pick(2) == 0 {
		return of(d, Field{Metrics, []string{"call-sentiment"}}, Field{Categories, []string{"two words"}},
			Field{Spotting, []string{"g"}},
			Field{Prediction, []string{"c.d"}}, Field{Media, []string{"dateCreated"}}, Field{Media, []string{"title"}})
	}
	return of(d, Field{Media, []string{"wordCount"}}, d.metadata(), d.metadata())
}

func (d *drawer) comparison() Condition {
	f, not := d.field(), d.pick(2) == 0
	value := func() Value {
		switch {
		case f.Type() == IsInstant:
			return Text(of(d, "2026-07-30", "2026-07-30T12:00:00+0000"))
		case f.Type() == IsNumber || d.pick(2) == 0:
			return Number(of(d, 0, 1, 2, 3, -1, 2.5))
		}
		return Text(of(d, "a", "B", "ab", "2"))
	}
	text := f.Type() != IsInstant && f.Type() != IsNumber
	switch d.pick(5) {
	case 0:
		return In{f, not, []Value{value(), value()}[:1+d.pick(2)]}
	case 1:
		return Between{f, not, value(), value()}
	case 2:
		if text {
			return Like{f, not, of(d, "%", "a%", "_b", "%b%", "b")}
		}
		return Null{f, not}
	case 3:
		return Null{f, not}
	}
	return Compare{f, of(d, Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual), value()}
}

// values generates the values of fields.
func (d *drawer) values() (values map[string]any, value func(Field) Value) {
	values = map[string]any{"wordCount": float64(d.pick(4))}
	for _, k := range []string{"metadata:k", "metadata:l"} {
		if v := of(d, nil, any("a"), any("Ab"), any("2"), any(2.5)); v != nil {
			values[k] = v
		}
	}
	return values, func(f Field) Value {
		switch v := values[f.String()].(type) {
		case float64:
			return Number(v)
		case string:
			return Text(v)
		}
		return Value{}
	}
}

// call generates a conversation of one to three speakers. Times are multiples of 0.1 s, the length is a multiple of
// 10 s.
func (d *drawer) call() *transcript.Transcript {
	t := &transcript.Transcript{Length: time.Duration(1+d.pick(5)) * 10 * time.Second}
	names := []transcript.Speaker{{Name: "Agent", Role: transcript.Agent}, {Name: "Caller", Role: transcript.Caller},
		{Name: "Ann", Role: transcript.Agent}, {Name: "ANN"}, {Name: "Bob"}, {Name: "Speaker"}}
	tracks := make([][]transcript.Word, 1+d.pick(3))
	for k := range tracks {
		t.Speakers = append(t.Speakers, of(d, names...))
		for at := d.pick(60); len(tracks[k]) < 12 && at+8 < int(t.Length/(100*time.Millisecond)) && d.pick(12) > 0; {
			long := 1 + d.pick(8)
			tracks[k] = append(tracks[k], transcript.Word{
				Text:  of(d, "a", "b", "c", "ab", "A", "abc", "a-b", "b,"),
				Start: time.Duration(at) * 100 * time.Millisecond,
				End:   time.Duration(at+long) * 100 * time.Millisecond, Speaker: k,
			})
			at += long + of(d, 0, 0, 1, 2, 3, 5, 8, 20, 60)
		}
	}
	t.Words = transcript.Merge(tracks...)
	return t
}

// drawn formats a conversation for test messages.
func drawn(t *transcript.Transcript) string {
	var b strings.Builder
	fmt.Fprintf(&b, "call of %v\n", t.Length)
	for _, turn := range t.Turns() {
		fmt.Fprintf(&b, "%d %s:", turn.Speaker, t.Speakers[turn.Speaker].Name)
		for _, w := range turn.Words {
			fmt.Fprintf(&b, " %s@%v-%v", t.Words[w].Text, t.Words[w].Start, t.Words[w].End)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

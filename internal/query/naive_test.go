package query

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"parley/internal/index/tokenfile"
	"parley/internal/query/callset"
	"parley/internal/testkit/verify"
	"parley/internal/words/phrase"
	"parley/internal/words/transcript"
)

// naive is a second implementation of conditions, by exhaustive search and without regard to speed.
type naive struct {
	length   int // milliseconds, like all times here
	speakers []transcript.Speaker
	turns    []naiveTurn
	values   map[string]any
}

type naiveTurn struct {
	number, speaker int
	words           []naiveWord
}

type naiveWord struct {
	text       string
	start, end int
}

// naiveHit is a Hit in comparable form.
type naiveHit struct {
	speaker, turn, from, to, start, end int // from and to within the turn
	condition                           string
}

func newNaive(t *transcript.Transcript, values map[string]any) *naive {
	n := &naive{length: int(t.Length.Milliseconds()), speakers: t.Speakers, values: values}
	for _, turn := range t.Turns() {
		var words []naiveWord
		for _, i := range turn.Words {
			for _, text := range phrase.Words(t.Words[i].Text) {
				words = append(words, naiveWord{text, int(t.Words[i].Start.Milliseconds()),
					int(t.Words[i].End.Milliseconds())})
			}
		}
		for len(t.Speakers) == 1 && len(words) > 0 && words[len(words)-1].end-words[0].start > 20_000 {
			cut := naiveCut(words)
			if cut == 0 {
				break
			}
			n.turns = append(n.turns, naiveTurn{len(n.turns), turn.Speaker, words[:cut]})
			words = words[cut:]
		}
		if len(words) > 0 {
			n.turns = append(n.turns, naiveTurn{len(n.turns), turn.Speaker, words})
		}
	}
	return n
}

// naiveCut returns the index of the word at which the next turn of a single speaker begins, or 0.
func naiveCut(words []naiveWord) int {
	at, longest, begin := 0, 0, words[0].start
	for i := 1; i < len(words); i++ {
		pause := words[i].start - words[i-1].end
		if words[i-1].end <= begin+20_000 && words[i].start >= begin+10_000 && pause > longest {
			at, longest = i, pause
		}
	}
	for i := 1; at == 0 && i < len(words); i++ {
		if words[i].start >= begin+20_000 {
			at = i
		}
	}
	return at
}

func (n *naive) holds(c Condition) bool {
	switch c := c.(type) {
	case And:
		return !slices.ContainsFunc(c, func(x Condition) bool { return !n.holds(x) })
	case Or:
		return slices.ContainsFunc(c, n.holds)
	case Not:
		return !n.holds(c.X)
	case Says:
		return n.said(c.Who, c.What, 0, nil)
	case Followed:
		return slices.ContainsFunc(n.hitsOf(c.First), func(h naiveHit) bool { return n.goesOn(c.Steps, h) })
	case Interval:
		return len(n.intervals(c)) > 0
	case Compare:
		return naiveCompare(n.values[c.Field.String()], c.Op, c.Value)
	case In:
		v := n.values[c.Field.String()]
		return v != nil && c.Not != slices.ContainsFunc(c.Values, func(w Value) bool {
			return naiveCompare(v, Equal, w)
		})
	case Between:
		v := n.values[c.Field.String()]
		return v != nil && c.Not != (naiveCompare(v, GreaterEqual, c.Low) && naiveCompare(v, LessEqual, c.High))
	case Like:
		v := n.values[c.Field.String()]
		return v != nil && c.Not != naiveLike(strings.ToLower(fmt.Sprint(v)), c.Pattern)
	case Null:
		return (n.values[c.Field.String()] == nil) != c.Not
	}
	return true
}

func naiveLike(text, pattern string) bool {
	if pattern == "" || text == "" {
		return strings.Trim(pattern, "%") == "" && text == ""
	}
	if pattern[0] == '%' {
		return naiveLike(text, pattern[1:]) || naiveLike(text[1:], pattern)
	}
	return (pattern[0] == '_' || pattern[0] == text[0]) && naiveLike(text[1:], pattern[1:])
}

func naiveCompare(v any, op Op, with Value) bool {
	if v == nil {
		return false
	}
	order, differs := 0, false
	a, isA := v.(float64)
	b, isB := with.Any().(float64)
	if isA != isB {
		x, errA := strconv.ParseFloat(fmt.Sprint(v), 64)
		y, errB := strconv.ParseFloat(fmt.Sprint(with.Any()), 64)
		a, b, isA, isB, differs = x, y, true, true, errA != nil || errB != nil
	}
	switch {
	case differs:
		return op == NotEqual
	case isA && a < b, !isA && strings.ToLower(v.(string)) < strings.ToLower(with.Any().(string)):
		order = -1
	case isA && a > b, !isA && strings.ToLower(v.(string)) > strings.ToLower(with.Any().(string)):
		order = 1
	}
	return map[Op]bool{Equal: order == 0, NotEqual: order != 0, Less: order < 0, LessEqual: order <= 0,
		Greater: order > 0, GreaterEqual: order >= 0}[op]
}

// meant returns the speakers to whom a name refers.
func (n *naive) meant(who Speaker) (all []int) {
	role := transcript.RoleOf(string(who))
	for _, fits := range []func(s transcript.Speaker) bool{
		func(s transcript.Speaker) bool { return who == "" || strings.EqualFold(s.Name, string(who)) },
		func(s transcript.Speaker) bool { return role != transcript.NoRole && s.Role == role },
	} {
		for i, s := range n.speakers {
			if fits(s) {
				all = append(all, i)
			}
		}
		if len(all) > 0 {
			return all
		}
	}
	if len(n.speakers) == 1 && strings.EqualFold(string(who), "speaker") {
		return []int{0}
	}
	if role == transcript.NoRole || len(n.speakers) == 1 {
		return nil
	}
	var order []int // speakers in order of their first turns
	for _, t := range n.turns {
		if !slices.Contains(order, t.speaker) {
			order = append(order, t.speaker)
		}
	}
	for i, s := range n.speakers {
		if s.Role != transcript.NoRole { // has the other role
			order = slices.DeleteFunc(order, func(k int) bool { return k == i })
			return order[:min(len(order), 1)]
		}
	}
	if role == transcript.Caller {
		order = order[min(len(order), 1):]
	}
	return order[:min(len(order), 1)]
}

func (n *naive) turnsOf(who Speaker) (all []naiveTurn) {
	meant := n.meant(who)
	for _, t := range n.turns {
		if slices.Contains(meant, t.speaker) {
			all = append(all, t)
		}
	}
	return all
}

// said reports whether words are said in the call.
func (n *naive) said(who Speaker, w Words, slop int, windows []Window) bool {
	part := func(x Words) bool { return n.said(who, x, slop, windows) }
	switch w := w.(type) {
	case CallAnd:
		return !slices.ContainsFunc(w, func(x Words) bool { return !part(x) })
	case CallOr:
		return slices.ContainsFunc(w, part)
	case CallNot:
		return !part(w.X)
	case Group:
		if w.Slop != nil {
			slop = *w.Slop
		}
		return n.said(who, w.X, slop, append(slices.Clone(windows), w.Windows...))
	}
	return slices.ContainsFunc(n.turnsOf(who), func(t naiveTurn) bool { return n.inTurn(who, w, slop, windows, t) })
}

func (n *naive) inTurn(who Speaker, w Words, slop int, windows []Window, t naiveTurn) bool {
	part := func(x Words) bool { return n.inTurn(who, x, slop, windows, t) }
	switch w := w.(type) {
	case TurnAnd:
		return !slices.ContainsFunc(w, func(x Words) bool { return !part(x) })
	case TurnOr:
		return slices.ContainsFunc(w, part)
	case TurnNot:
		return !part(w.X)
	case Group:
		if w.Slop != nil {
			slop = *w.Slop
		}
		return n.inTurn(who, w.X, slop, append(slices.Clone(windows), w.Windows...), t)
	case Term:
		return len(n.termHits(who, w, slop, windows, t)) > 0
	}
	return n.said(who, w, slop, windows)
}

func (n *naive) termHits(who Speaker, w Term, slop int, windows []Window, t naiveTurn) (hits []naiveHit) {
	if w.Slop != nil {
		slop = *w.Slop
	}
	windows = append(slices.Clone(windows), w.Windows...)
	text := fmt.Sprintf("%v SAYS \"%v\"", who, phrase.Phrase{Places: w.Places})
	if slop > 0 {
		text += fmt.Sprint("/", slop)
	}
	for _, x := range windows {
		text += fmt.Sprint(x)
	}
	for start := 0; start < len(t.words); start++ {
		for end := start + 1; end <= min(len(t.words), start+len(w.Places)+slop); end++ {
			if !naiveFits(w.Places, t.words[start:end]) {
				continue
			}
			h := naiveHit{t.speaker, t.number, start, end, t.words[start].start, t.words[end-1].end, text}
			if !slices.ContainsFunc(windows, func(x Window) bool { return !n.inside(x, h.start) }) {
				hits = append(hits, h)
			}
			start = end - 1
			break
		}
	}
	return hits
}

func naiveFits(places []phrase.Pattern, words []naiveWord) bool {
	if len(places) == 0 || len(words) == 0 || !places[0].Matches(words[0].text) {
		return false
	}
	if len(places) == 1 {
		return len(words) == 1
	}
	for skip := 1; skip < len(words); skip++ {
		if naiveFits(places[1:], words[skip:]) {
			return true
		}
	}
	return false
}

// place converts a time of a query to milliseconds.
func (n *naive) place(t *Time, absent int) int {
	if t == nil {
		return absent
	}
	at := int(t.Amount)
	if t.Percent {
		at = n.length / 1000 * int(t.Amount) / 100
	}
	if t.FromEnd {
		at = n.length - at
	}
	return at
}

func (n *naive) inside(w Window, at int) bool {
	return at >= n.place(w.From, 0) && at < n.place(w.To, 1<<40)
}

// hits returns the hits of a condition that holds.
func (n *naive) hits(c Condition) (all []naiveHit) {
	switch c := c.(type) {
	case And:
		for _, x := range c {
			all = append(all, n.hits(x)...)
		}
	case Or:
		for _, x := range c {
			if n.holds(x) {
				all = append(all, n.hits(x)...)
			}
		}
	case Says:
		return n.callHits(c.Who, c.What, 0, nil)
	case Followed:
		for _, h := range n.hitsOf(c.First) {
			if n.goesOn(c.Steps, h) {
				all = append(append(all, h), n.laterHits(c.Steps, h)...)
			}
		}
	case Interval:
		return n.intervals(c)
	}
	return all
}

func (n *naive) callHits(who Speaker, w Words, slop int, windows []Window) (all []naiveHit) {
	switch w := w.(type) {
	case CallAnd:
		for _, x := range w {
			all = append(all, n.callHits(who, x, slop, windows)...)
		}
		return all
	case CallOr:
		for _, x := range w {
			if n.said(who, x, slop, windows) {
				all = append(all, n.callHits(who, x, slop, windows)...)
			}
		}
		return all
	case CallNot:
		return nil
	case Group:
		if w.Slop != nil {
			slop = *w.Slop
		}
		return n.callHits(who, w.X, slop, append(slices.Clone(windows), w.Windows...))
	}
	return n.turnsHits(who, w, slop, windows)
}

func (n *naive) turnsHits(who Speaker, w Words, slop int, windows []Window) (all []naiveHit) {
	found := false
	for _, t := range n.turnsOf(who) {
		if n.inTurn(who, w, slop, windows, t) {
			found = true
			all = append(all, n.turnHits(who, w, slop, windows, t)...)
		}
	}
	if found {
		all = append(all, n.factHits(who, w, slop, windows)...)
	}
	return all
}

func (n *naive) turnHits(who Speaker, w Words, slop int, windows []Window, t naiveTurn) (all []naiveHit) {
	switch w := w.(type) {
	case TurnAnd:
		for _, x := range w {
			all = append(all, n.turnHits(who, x, slop, windows, t)...)
		}
	case TurnOr:
		for _, x := range w {
			if n.inTurn(who, x, slop, windows, t) {
				all = append(all, n.turnHits(who, x, slop, windows, t)...)
			}
		}
	case Group:
		if w.Slop != nil {
			slop = *w.Slop
		}
		return n.turnHits(who, w.X, slop, append(slices.Clone(windows), w.Windows...), t)
	case Term:
		return n.termHits(who, w, slop, windows, t)
	}
	return all
}

// factHits returns the hits of operators on the whole call inside the words of a turn.
func (n *naive) factHits(who Speaker, w Words, slop int, windows []Window) (all []naiveHit) {
	switch w := w.(type) {
	case TurnAnd:
		for _, x := range w {
			all = append(all, n.factHits(who, x, slop, windows)...)
		}
	case TurnOr:
		for _, x := range w {
			all = append(all, n.factHits(who, x, slop, windows)...)
		}
	case Group:
		if w.Slop != nil {
			slop = *w.Slop
		}
		return n.factHits(who, w.X, slop, append(slices.Clone(windows), w.Windows...))
	case CallAnd, CallOr, CallNot:
		if n.said(who, w, slop, windows) {
			return n.callHits(who, w, slop, windows)
		}
	}
	return all
}

// hitsOf returns the hits of one side of FOLLOWED BY. There, operators on the whole call and on a turn have the same
// hits.
func (n *naive) hitsOf(s Says) []naiveHit {
	w, slop, windows := s.What, 0, []Window(nil)
	return n.turnsHits(s.Who, w, slop, windows)
}

func (n *naive) follows(s Step, h, later naiveHit) bool {
	return later.start >= h.end && later.start-h.end <= n.place(s.Within, 1<<40)
}

// goesOn reports whether a hit is followed as the steps require.
func (n *naive) goesOn(steps []Step, h naiveHit) bool {
	if len(steps) == 0 {
		return true
	}
	if steps[0].Not {
		return !slices.ContainsFunc(n.hitsOf(steps[0].Says), func(l naiveHit) bool {
			return n.follows(steps[0], h, l)
		}) && n.goesOn(steps[1:], h)
	}
	return slices.ContainsFunc(n.hitsOf(steps[0].Says), func(l naiveHit) bool {
		return n.follows(steps[0], h, l) && n.goesOn(steps[1:], l)
	})
}

func (n *naive) laterHits(steps []Step, h naiveHit) (all []naiveHit) {
	if len(steps) == 0 {
		return nil
	}
	if steps[0].Not {
		return n.laterHits(steps[1:], h)
	}
	for _, l := range n.hitsOf(steps[0].Says) {
		if n.follows(steps[0], h, l) && n.goesOn(steps[1:], l) {
			all = append(append(all, l), n.laterHits(steps[1:], l)...)
		}
	}
	return all
}

// intervals examines every tenth of a second.
func (n *naive) intervals(c Interval) (all []naiveHit) {
	talking := make([]int, n.length/100+1)
	for k := range n.speakers {
		var words []naiveWord
		for _, t := range n.turns {
			if t.speaker == k {
				words = append(words, t.words...)
			}
		}
		said := make([]bool, len(talking))
		for i, w := range words {
			if i > 0 && w.start-words[i-1].end < 300 {
				w.start = min(w.start, words[i-1].end)
			}
			for at := w.start / 100; at < w.end/100; at++ {
				said[at] = true
			}
		}
		for at, s := range said {
			if s {
				talking[at]++
			}
		}
	}
	is := func(at int) bool {
		if c.Window != nil && !n.inside(*c.Window, at*100) || at >= n.length/100 {
			return false
		}
		return c.Of.Name == "overtalk" && talking[at] > 1 || c.Of.Name == "silence" && talking[at] == 0
	}
	for at := 0; at < len(talking); at++ {
		from := at
		for is(at) {
			at++
		}
		if at > from && (at-from)*100 >= n.place(&c.AtLeast, 0) {
			all = append(all, naiveHit{-1, -1, 0, 0, from * 100, at * 100, Print(c)})
		}
	}
	return all
}

// asNaive converts hits to naiveHits, sorted and without duplicates.
func asNaive(p *Program, s *Subject, hits []Hit) []naiveHit {
	all := make([]naiveHit, len(hits))
	for i, h := range hits {
		from := 0
		if h.Turn >= 0 {
			from = s.Turns[h.Turn].From
		}
		all[i] = naiveHit{h.Speaker, h.Turn, h.From - from, h.To - from, int(h.Start.Milliseconds()),
			int(h.End.Milliseconds()), p.Conditions()[h.Condition]}
	}
	return sorted(all)
}

func sorted(all []naiveHit) []naiveHit {
	slices.SortFunc(all, func(a, b naiveHit) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	return slices.Compact(all)
}

// fileSubject fills a Subject with a call read from a token file.
func fileSubject(t testing.TB, f *tokenfile.File, s *Subject, value func(Field) Value) {
	*s = Subject{Length: f.Length, Speakers: f.Speakers, Words: f.Words, Value: value, Turns: s.Turns[:0],
		Time: func(i int) (start, end time.Duration) {
			times, err := f.Times()
			if err != nil {
				t.Fatal(err)
			}
			return time.Duration(times[i].Start) * time.Millisecond, time.Duration(times[i].End) * time.Millisecond
		}}
	for _, p := range f.Parts {
		if p.Field == phrase.Transcript {
			s.Turns = append(s.Turns, Turn{p.Speaker, p.From, p.To})
		}
	}
	s.CutTurns(LeastTurn, MostTurn)
}

// checkPair compares the program of a condition with the naive implementation on one call, from its transcript and
// from its token file.
func checkPair(t testing.TB, d *drawer) (matched bool) {
	call, c := d.call(), d.condition(2)
	values, value := d.values()
	n := newNaive(call, values)
	want, wantHits := n.holds(c), []naiveHit{}
	if want {
		wantHits = sorted(n.hits(c))
	}
	p := Compile(c)
	said := Of(call, value)
	check := func(from string, ok bool, s *Subject, hits []Hit) {
		if got := asNaive(p, s, hits); ok != want || !slices.Equal(got, wantHits) {
			t.Fatalf("%s\n%svalues %v, from the %s: %v %+v\nwant %v %+v", Print(c), drawn(call), values, from, ok, got,
				want, wantHits)
		}
	}
	ok, hits := p.Find(said)
	check("transcript", ok, &said.Subject, hits)

	words := phrase.Glossary{}
	var f tokenfile.File
	if err := f.Decode(tokenfile.Encode(tokenfile.Of(call, "a title", ""), words.Number)); err != nil {
		t.Fatal(err)
	}
	m, err := p.Over(words)
	if err != nil {
		t.Fatal(err)
	}
	var s Subject
	fileSubject(t, &f, &s, value)
	ok, hits = m.Find(&s)
	check("token file", ok, &s, hits)
	if m.Match(&s) != want {
		t.Fatalf("%s\n%sMatch is %v", Print(c), drawn(call), !want)
	}
	if want && !met(p.Need(), n.turns) {
		t.Fatalf("%s\n%smatches without what it needs: %+v", Print(c), drawn(call), p.Need())
	}
	if sure, may := p.Bounds(1, naiveIndex{n}); sure.Has(0) && !want || want && !may.Has(0) {
		t.Fatalf("%s\n%smatches: %v; certainly: %v; perhaps: %v", Print(c), drawn(call), want, sure.Has(0), may.Has(0))
	}
	return want
}

// naiveIndex is a segment of one call.
type naiveIndex struct{ *naive }

func (x naiveIndex) Having(run phrase.NeedRun) (callset.Set, bool) {
	return x.met(run, x.turns), len(run.Patterns) == 1
}

func (x naiveIndex) met(run phrase.NeedRun, turns []naiveTurn) callset.Set {
	calls := callset.New(1)
	if met(run, turns) {
		calls.Add(0)
	}
	return calls
}

// Saying knows who says a word, and does not know who says several, in calls with an odd number of turns.
func (x naiveIndex) Saying(run phrase.NeedRun, who Speaker) (sure, may callset.Set) {
	if len(x.turns)%2 == 0 {
		return callset.New(1), x.met(run, x.turns)
	}
	sure, may = callset.New(1), x.met(run, x.turnsOf(who))
	if len(run.Patterns) == 1 {
		sure = may
	}
	return sure, may
}

// met reports whether a call satisfies a need.
func met(need phrase.Need, turns []naiveTurn) bool {
	switch need := need.(type) {
	case phrase.NeedAll:
		return !slices.ContainsFunc(need, func(x phrase.Need) bool { return !met(x, turns) })
	case phrase.NeedSome:
		return slices.ContainsFunc(need, func(x phrase.Need) bool { return met(x, turns) })
	case phrase.NeedRun:
		return slices.ContainsFunc(turns, func(t naiveTurn) bool {
			for i := range t.words {
				if n := i + len(need.Patterns); n <= len(t.words) && naiveFits(need.Patterns, t.words[i:n]) {
					return true
				}
			}
			return false
		})
	}
	return false
}

// TestProgramsAgreeWithTheNaiveMeaning tests 20,000 random pairs of a condition and a call, or as many as
// PARLEY_QUERY_PAIRS says.
func TestProgramsAgreeWithTheNaiveMeaning(t *testing.T) {
	verify.Long(t)
	pairs := 20_000
	if text := os.Getenv("PARLEY_QUERY_PAIRS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal("PARLEY_QUERY_PAIRS is no number:", err)
		}
		pairs = n
	}
	matched := 0
	for i := range pairs {
		rng := rand.New(rand.NewPCG(uint64(i), 7))
		if checkPair(t, &drawer{pick: rng.IntN}) {
			matched++
		}
	}
	if matched < pairs/10 || matched > pairs*9/10 {
		t.Errorf("%d of %d pairs match: the pairs are one-sided", matched, pairs)
	}
}

package query

import (
	"fmt"
	"slices"
	"strings"

	"parley/internal/words/phrase"
)

// nobody returns a miss if nobody speaks whom a name refers to.
func (q *Inquiry) nobody(who Speaker) (all []Miss) {
	if who == "" {
		return nil
	}
	meant := q.Call.speaking(who)
	var speak []string
	for _, t := range q.Call.Turns {
		if meant[t.Speaker] {
			return nil
		}
		if name := q.Call.Speakers[t.Speaker].Name; !slices.Contains(speak, name) {
			speak = append(speak, name)
		}
	}
	message := "nobody speaks"
	if len(speak) > 0 {
		message = fmt.Sprintf("%s does not speak in this call; who speaks: %s", quoted(string(who)), strings.Join(speak, ", "))
	}
	anything := Says{who, Term{Places: []phrase.Pattern{{Kind: phrase.Any}}}}
	return []Miss{{Kind: NoSpeaker, Condition: Not{anything}, Speakers: speak, Message: message}}
}

// relaxation is what of a phrase is left out of account: its speaker, its windows, or the limit of words in between.
type relaxation struct{ speaker, window, slop bool }

// relaxations are all combinations, those with the fewest changes first.
var relaxations = [][]relaxation{
	{{speaker: true}, {window: true}, {slop: true}},
	{{speaker: true, window: true}, {speaker: true, slop: true}, {window: true, slop: true}},
	{{true, true, true}},
}

// phrase returns the misses of a phrase: what the call has if as little as possible of it is changed.
func (q *Inquiry) phrase(s Says) []Miss {
	t := s.What.(Term)
	all := q.nobody(s.Who)
	near := false
	for _, some := range relaxations {
		for _, x := range some {
			if x.speaker && s.Who == "" || x.window && t.Windows == nil || x.slop && len(t.Places) == 1 {
				continue
			}
			if m, ok := q.relaxed(s.Who, t, x); ok {
				all, near = append(all, m), true
			}
		}
		if near || q.ended() {
			return all
		}
	}
	return append(all, q.words(s)...)
}

// relaxed returns the miss that a phrase holds with a relaxation.
func (q *Inquiry) relaxed(who Speaker, t Term, x relaxation) (m Miss, holds bool) {
	windows := t.Windows
	if x.speaker {
		who = ""
	}
	if x.window {
		t.Windows = nil
	}
	var hits []Hit
	if x.slop {
		m.Slop, hits = q.leastSlop(who, t)
		if m.Slop == 0 {
			return m, false
		}
		t.Slop = &m.Slop
	} else if holds, hits = q.find(Says{who, t}); !holds {
		return m, false
	}
	m.Condition = Says{who, t}
	var parts []string
	if x.slop {
		m.Kind, parts = NeedsSlop, []string{fmt.Sprintf("with %d other words between its words", m.Slop)}
		if m.Slop == 1 {
			parts[0] = "with another word between its words"
		}
	}
	if x.window {
		m.Kind, m.Duration = OutsideWindow, q.nearestTo(windows, hits)
		parts = append([]string{fmt.Sprintf("outside the window (%s away)", seconds(m.Duration))}, parts...)
	}
	if x.speaker {
		m.Kind, m.Speakers = OtherSpeaker, q.speakersOf(hits)
		parts = append([]string{"by " + strings.Join(m.Speakers, ", ")}, parts...)
	}
	m.Hits, m.Message = few(hits), fmt.Sprintf("it is said %s, %s", strings.Join(parts, ", "), starting(hits))
	return m, true
}

// leastSlop returns the least slop with which a phrase holds, and its hits; 0 if it does with none.
func (q *Inquiry) leastSlop(who Speaker, t Term) (int, []Hit) {
	least := 1
	if t.Slop != nil {
		least = *t.Slop + 1
	}
	wide := t
	wide.Windows, wide.Slop = nil, new(MaxSlop)
	if holds, _ := q.find(Says{who, wide}); !holds {
		return 0, nil
	}
	for ; least <= MaxSlop && !q.ended(); least++ {
		t.Slop = &least
		if holds, hits := q.find(Says{who, t}); holds {
			return least, hits
		}
	}
	return 0, nil
}

// speakersOf returns the names of the speakers of hits.
func (q *Inquiry) speakersOf(hits []Hit) (names []string) {
	for _, h := range hits {
		if name := q.Call.Speakers[h.Speaker].Name; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// words returns which words of a phrase the call has, and words that are spelled alike.
func (q *Inquiry) words(s Says) (all []Miss) {
	var is, not CallAnd
	m := Miss{Kind: SomeWords}
	places := s.What.(Term).Places
	for i, p := range places {
		word := Term{Places: []phrase.Pattern{p}}
		if p.Kind == phrase.Any || slices.Contains(places[:i], p) {
			continue
		}
		if holds, hits := q.find(Says{What: word}); holds {
			is, m.Said = append(is, word), append(m.Said, p.String())
			m.Hits = append(m.Hits, hits[0])
			continue
		}
		not, m.Missing = append(not, CallNot{word}), append(m.Missing, p.String())
		if near, ok := q.otherWord(s, i); ok {
			all = append(all, near)
		}
	}
	m.Hits = few(m.Hits)
	switch {
	case len(is)+len(not) == 0: // only wildcards
		return nil
	case len(not) == 0:
		m.Kind, m.Message = Apart, "its words are said, but not one after the other in a turn"
	case len(is) == 0:
		m.Kind, m.Message = NotSaid, "it is not said, nor is any of its words"
		if len(not) == 1 {
			m.Message = "it is not said by anybody"
		}
	default:
		m.Message = fmt.Sprintf("of its words, %s is not said", strings.Join(m.Missing, ", "))
	}
	if m.Condition = Condition(Says{What: append(is, not...)}); len(is)+len(not) == 1 {
		m.Condition = Says{What: append(is, not...)[0]}
	}
	return append([]Miss{m}, all...)
}

// otherWord returns the word of the call that is spelled most like one of a phrase that nobody says.
func (q *Inquiry) otherWord(s Says, place int) (m Miss, ok bool) {
	t := s.What.(Term)
	p := t.Places[place]
	known := q.Call.sorted()
	if p.Kind != phrase.Exact || !q.Call.Budget.Spend(workOfName*len(known)) {
		return m, false
	}
	m = Miss{Kind: OtherWord, Word: p.Text, Nearest: nearest(p.Text, known)}
	if m.Nearest == "" {
		return m, false
	}
	other := phrase.Pattern{Text: m.Nearest}
	t.Places = slices.Clone(t.Places)
	t.Places[place] = other
	for _, c := range []Condition{Says{s.Who, t}, Says{What: Term{Places: []phrase.Pattern{other}}}} {
		if holds, hits := q.find(c); holds {
			m.Condition, m.Hits = c, few(hits)
			m.Message = fmt.Sprintf("%s is not said, but %s is, %s", quoted(m.Word), quoted(m.Nearest), starting(hits))
			return m, true
		}
	}
	return m, false
}

// turns returns the misses of words within one turn, unless its parts have them.
func (q *Inquiry) turns(r *Reason) []Miss {
	s := r.Condition.(Says)
	if nobody := q.nobody(s.Who); nobody != nil || r.Kind == TurnOrPart {
		return nobody
	}
	w := s.What
	g, grouped := w.(Group)
	if grouped {
		w = g.X
	}
	m := Miss{Kind: DifferentTurns, Message: "all of it is said, but not in one turn"}
	switch x := w.(type) {
	case TurnAnd:
		w = CallAnd(x)
	case TurnNot:
		w, m = x.X, Miss{Kind: EveryTurn, Message: "every turn has it"}
	}
	if grouped {
		g.X = w
		w = g
	}
	m.Condition = Says{s.Who, w}
	holds, hits := q.find(m.Condition)
	if !holds {
		return nil
	}
	m.Hits = few(hits)
	return []Miss{m}
}

// Around returns up to n words before and after a hit in its turn, as written in the transcript.
func (c *Conversation) Around(h Hit, n int) (before, after string) {
	if h.Turn < 0 {
		return "", ""
	}
	t := c.Turns[h.Turn]
	from, to := h.From, h.To
	for words := 0; from > t.From; from-- {
		if c.origin[from-1] != c.origin[from] {
			words++
		}
		if words > n {
			break
		}
	}
	for words := 0; to < t.To; to++ {
		if c.origin[to] != c.origin[to-1] {
			words++
		}
		if words > n {
			break
		}
	}
	return c.Exact(Hit{From: from, To: h.From}), c.Exact(Hit{From: h.To, To: to})
}

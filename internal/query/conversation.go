package query

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"parley/internal/words/phrase"
	"parley/internal/words/transcript"
)

// Conversation is a transcript as a subject, with its own lexicon. It may be judged by many goroutines at a time.
type Conversation struct {
	Subject
	transcript *transcript.Transcript
	words      phrase.Glossary
	sorted     func() []string // the words, once that is asked for
	origin     []int           // which word of the transcript each word is of
}

// Of makes a subject of a transcript. value returns what the fields of the call hold; nil for none. Times are taken
// in milliseconds, as they are stored.
func Of(t *transcript.Transcript, value func(Field) Value) *Conversation {
	c := &Conversation{transcript: t, words: phrase.Glossary{}}
	c.sorted = sync.OnceValue(func() []string { return slices.Sorted(maps.Keys(c.words)) })
	c.Subject = Subject{Length: t.Length.Truncate(time.Millisecond), Speakers: t.Speakers, Time: c.time, Value: value}
	for _, turn := range t.Turns() {
		from := len(c.Words)
		for _, i := range turn.Words {
			if t.Words[i].Kind.Lasts() {
				c.add(i)
			}
		}
		if len(c.Words) > from {
			c.Turns = append(c.Turns, Turn{turn.Speaker, from, len(c.Words)})
		}
	}
	c.CutTurns(LeastTurn, MostTurn)
	return c
}

// add appends a word of the transcript. Where it folds to several they share its time.
func (c *Conversation) add(i int) {
	for _, w := range phrase.Words(c.transcript.Words[i].Text) {
		c.Words = append(c.Words, c.words.Number(w))
		c.origin = append(c.origin, i)
	}
}

func (c *Conversation) time(word int) (start, end time.Duration) {
	w := &c.transcript.Words[c.origin[word]]
	return w.Start.Truncate(time.Millisecond), max(w.Start, w.End).Truncate(time.Millisecond)
}

// Find reports whether the condition of a program holds for a conversation, and returns its hits as Matcher.Find does.
func (p *Program) Find(c *Conversation) (bool, []Hit) {
	m, err := p.Over(said{c})
	if err != nil { // the budget is spent
		return false, nil
	}
	return m.Find(&c.Subject)
}

// Exact returns the words of a hit as they stand in the transcript, without punctuation marks between them; empty for
// silence and overtalk.
func (c *Conversation) Exact(h Hit) string {
	var said []string
	for w := h.From; w < h.To; w++ {
		if w == h.From || c.origin[w] != c.origin[w-1] {
			said = append(said, c.transcript.Words[c.origin[w]].Text)
		}
	}
	return strings.Join(said, " ")
}

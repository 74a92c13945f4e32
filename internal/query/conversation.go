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

// Conversation is a transcript as a Subject, with a lexicon of its own. It is safe for concurrent use.
type Conversation struct {
	Subject
	transcript *transcript.Transcript
	words      phrase.Glossary
	sorted     func() []string // the distinct words in order, computed on first use
	origin     []int           // index of the transcript word that each word of the transcript comes from
}

// Of returns the Conversation of a transcript. value returns the values of the call's fields; nil means that no field
// has a value. Times are truncated to milliseconds, the precision of stored calls.
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
			c.Parts = append(c.Parts, Part{phrase.Transcript, from, len(c.Words)})
		}
	}
	c.CutTurns(LeastTurn, MostTurn)
	return c
}

// Add appends a text, such as the title, for conditions on other texts than the transcript. It must not be called
// during an evaluation.
func (c *Conversation) Add(f phrase.Field, text string) {
	from := len(c.Words)
	for _, w := range phrase.Words(text) {
		c.Words = append(c.Words, c.words.Number(w))
	}
	if len(c.Words) > from {
		c.Parts = append(c.Parts, Part{f, from, len(c.Words)})
	}
}

// add appends a word of the transcript. If it folds to several words, they all get its time.
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

// Find reports whether the condition of the program holds for a conversation and returns its hits as Matcher.Find
// does.
func (p *Program) Find(c *Conversation) (bool, []Hit) {
	m, err := p.Over(c)
	if err != nil { // the budget is exhausted
		return false, nil
	}
	return m.Find(&c.Subject)
}

// Exact returns the words of a hit as written in the transcript, without punctuation between them. It is empty for
// silence and overtalk.
func (c *Conversation) Exact(h Hit) string {
	var words []string
	for w := h.From; w < h.To; w++ {
		if w == h.From || c.origin[w] != c.origin[w-1] {
			words = append(words, c.transcript.Words[c.origin[w]].Text)
		}
	}
	return strings.Join(words, " ")
}

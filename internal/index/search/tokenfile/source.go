// Package tokenfile keeps the words of one call so that they can be read quickly: numbers for words, in the
// order of turns, with their times apart. Whoever judges whether words occur in a call (package fulltext, the
// query language) reads token files and not transcripts, and so finds the same in the index as in a call
// that is not indexed yet.
//
// It does not say which number a word has (a Lexicon does), nor where files are kept.
package tokenfile

import (
	"time"

	"parley/internal/words/phrase"
	"parley/internal/words/transcript"
)

// Part is words that follow each other, From to To, To not included: one turn of a speaker, the title or
// the description. A phrase never goes across parts.
type Part struct {
	Field    phrase.Field
	Speaker  int // index into Speakers; only of the transcript
	From, To int
}

// Time is when a word of the transcript was said, in milliseconds from the start of the media.
type Time struct{ Start, End int64 }

// Source is the words of one call as texts, to be encoded.
type Source struct {
	Length   time.Duration
	Speakers []transcript.Speaker
	Parts    []Part // the turns in their order, then title and description where there are words in them
	Words    []string
	Times    []Time // of the words of the transcript, which come first
}

// Of returns the words of a transcript, turn by turn, and of its title and description.
func Of(t *transcript.Transcript, title, description string) *Source {
	s := &Source{Length: t.Length, Speakers: t.Speakers, Words: make([]string, 0, len(t.Words)+16),
		Times: make([]Time, 0, len(t.Words))}
	for _, turn := range t.Turns() {
		from := len(s.Words)
		for _, i := range turn.Words {
			if t.Words[i].Kind.Lasts() {
				s.add(&t.Words[i])
			}
		}
		s.close(Part{Field: phrase.Transcript, Speaker: turn.Speaker, From: from})
	}
	s.text(phrase.Title, title)
	s.text(phrase.Description, description)
	return s
}

// add appends a word of the transcript. Where it folds to several they share its time.
func (s *Source) add(w *transcript.Word) {
	before := len(s.Words)
	s.Words = phrase.Append(s.Words, w.Text)
	for range len(s.Words) - before {
		s.Times = append(s.Times, Time{w.Start.Milliseconds(), max(w.Start, w.End).Milliseconds()})
	}
}

func (s *Source) text(f phrase.Field, text string) {
	from := len(s.Words)
	s.Words = phrase.Append(s.Words, text)
	s.close(Part{Field: f, From: from})
}

// close ends a part, unless there is nothing in it.
func (s *Source) close(p Part) {
	if p.To = len(s.Words); p.To > p.From {
		s.Parts = append(s.Parts, p)
	}
}

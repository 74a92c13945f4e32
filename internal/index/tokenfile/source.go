// Package tokenfile stores the words of one call for fast reading: as word numbers, in the order of turns, with their
// times separate. Questions over many calls read token files rather than transcripts, so indexed and unindexed calls
// give the same results.
//
// It does not assign word numbers (a Lexicon does) and does not store files.
package tokenfile

import (
	"time"

	"parley/internal/words/phrase"
	"parley/internal/words/transcript"
)

// Part is a range of consecutive words, To exclusive: one turn of a speaker, the title or the description. A phrase
// does not extend across parts.
type Part struct {
	Field    phrase.Field
	Speaker  int // index into Speakers; transcript only
	From, To int
}

// Time is the time of a word of the transcript, in milliseconds from the start of the media.
type Time struct{ Start, End int64 }

// Source is the words of one call as texts, before encoding.
type Source struct {
	Length   time.Duration
	Speakers []transcript.Speaker
	Parts    []Part // the turns in order, then title and description unless they have no words
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

// add appends a word of the transcript. If it folds to several words, they share its time.
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

// close ends a part, unless it is empty.
func (s *Source) close(p Part) {
	if p.To = len(s.Words); p.To > p.From {
		s.Parts = append(s.Parts, p)
	}
}

package transcript

import (
	"strings"
	"time"
	"unicode"
)

// Sentence is what one speaker says up to the end of a sentence. A sentence does not reach over the end of
// a turn.
type Sentence struct {
	Speaker    int
	Start, End time.Duration
	Words      []int // indices into Transcript.Words, ascending
}

// Sentences cuts the turns at full stops, question and exclamation marks; in a turn without any such mark, at pauses of
// utterancePause. They are in the order of their turns.
func (t *Transcript) Sentences() []Sentence {
	var all []Sentence
	for _, turn := range t.Turns() {
		marked := t.marked(turn)
		open := false
		for _, i := range turn.Words {
			w := t.Words[i]
			if w.Kind == Punctuation && !open {
				continue
			}
			if open && !marked && w.Kind.Lasts() && w.Start-all[len(all)-1].End >= utterancePause {
				open = false
			}
			if !open {
				all = append(all, Sentence{Speaker: turn.Speaker, Start: w.Start, End: w.End})
				open = true
			}
			s := &all[len(all)-1]
			s.Words, s.End = append(s.Words, i), max(s.End, w.End)
			open = !w.endsSentence()
		}
	}
	return all
}

// marked reports whether the end of some sentence of a turn is marked.
func (t *Transcript) marked(turn Turn) bool {
	for _, i := range turn.Words {
		if t.Words[i].endsSentence() {
			return true
		}
	}
	return false
}

func (w Word) endsSentence() bool { return w.Kind == Punctuation && EndsSentence(w.Text) }

// EndsSentence reports whether a mark ends a sentence: a full stop, question or exclamation mark of any script, or an
// ellipsis.
func EndsSentence(mark string) bool {
	return strings.ContainsFunc(mark, func(r rune) bool {
		return unicode.Is(unicode.Sentence_Terminal, r) || r == '…' || r == '\u037e' // the last asks in Greek
	})
}

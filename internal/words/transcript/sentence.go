package transcript

import (
	"slices"
	"strings"
	"time"
	"unicode"
)

// Sentence holds the words of one sentence of one speaker. It does not extend beyond a turn.
type Sentence struct {
	Speaker    int
	Start, End time.Duration
	Words      []int // indices into Transcript.Words, ascending
}

// Sentences splits turns at full stops, question marks and exclamation marks; a turn without any of them is split at
// pauses of utterancePause. The result is in the order of the turns.
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

// marked reports whether a turn contains a mark that ends a sentence.
func (t *Transcript) marked(turn Turn) bool {
	return slices.ContainsFunc(turn.Words, func(i int) bool { return t.Words[i].endsSentence() })
}

func (w Word) endsSentence() bool { return w.Kind == Punctuation && EndsSentence(w.Text) }

// EndsSentence reports whether a mark ends a sentence: a full stop, question or exclamation mark of any script, or an
// ellipsis.
func EndsSentence(mark string) bool {
	return strings.ContainsFunc(mark, func(r rune) bool {
		return unicode.Is(unicode.Sentence_Terminal, r) || r == '…' || r == '\u037e' // U+037E: Greek question mark
	})
}

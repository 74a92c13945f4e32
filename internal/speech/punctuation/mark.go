package punctuation

import (
	"strings"
	"time"

	"parley/internal/words/transcript"
)

// Mark is the punctuation mark after a word.
type Mark byte

// The marks that are restored.
const (
	None Mark = iota
	Comma
	Period
	Question
	marks // number of marks
)

// String returns the mark as it is written.
func (m Mark) String() string { return [marks]string{"", ",", ".", "?"}[m] }

// ends reports whether the mark ends a sentence.
func (m Mark) ends() bool { return m == Period || m == Question }

// markOf maps any punctuation to the mark with the same effect. Punctuation that does not end a sentence counts as a
// comma.
func markOf(text string) Mark {
	switch {
	case strings.ContainsAny(text, questions):
		return Question
	case transcript.EndsSentence(text):
		return Period
	}
	return Comma
}

// questions are the question marks of all scripts: Latin, Greek, Arabic, full-width.
const questions = "?\u037e؟？"

// Token is one word of a speaker and the gap up to the speaker's next word.
type Token struct {
	Word  string
	Pause time.Duration // until the next word of the speaker
	Turn  bool          // somebody else speaks in that gap
}

// pauses are the upper bounds of the pause classes.
var pauses = [...]time.Duration{
	20 * time.Millisecond, 60 * time.Millisecond, 120 * time.Millisecond, 200 * time.Millisecond,
	350 * time.Millisecond, 600 * time.Millisecond, time.Second, 2 * time.Second,
}

// PauseClasses is the number of pause classes.
const PauseClasses = len(pauses) + 1

// PauseClass returns the class of a pause, 0 for the shortest.
func PauseClass(p time.Duration) int {
	for i, limit := range pauses {
		if p < limit {
			return i
		}
	}
	return len(pauses)
}

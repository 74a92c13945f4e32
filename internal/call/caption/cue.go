package caption

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode"

	"parley/internal/words/transcript"
)

// Limits of a cue, as in common subtitling guides.
const (
	maxLine  = 42 // characters; a longer single word gets a line of its own
	maxLines = 2
	shortest = time.Second // if the time is available
	longest  = 7 * time.Second
	silence  = 1500 * time.Millisecond // a pause that always ends a cue
)

// Cue is one caption: what one speaker says in a few seconds.
type Cue struct {
	Speaker    int    // index into Transcript.Speakers
	Name       string // the speaker's name, empty if the speakers have no names
	Start, End time.Duration
	Lines      []string // one or two; the first begins with "Name: " where the speaker changes
	words      []token
}

// token is a word with the punctuation after it, which a line break must not separate.
type token struct {
	text       string
	width      int // characters
	start, end time.Duration
}

// Cues splits a transcript into captions, ordered by start. A cue has at most two lines of 42 characters and lasts 1 to
// 7 seconds. It is shorter only if the same speaker's next cue or the end of the media comes sooner. Cues of one
// speaker never overlap; cues of different speakers who talk at the same time do.
func Cues(t *transcript.Transcript) []Cue {
	var cues []Cue
	for _, turn := range t.Turns() {
		name := nameOf(t, turn.Speaker)
		for _, words := range segment(tokens(t, turn.Words), prefix(name)) {
			cues = append(cues, Cue{Speaker: turn.Speaker, Name: name, Start: words[0].start, End: last(words),
				words: words})
		}
	}
	settle(cues, t.Length)
	slices.SortStableFunc(cues, func(a, b Cue) int { return cmp.Compare(a.Start, b.Start) })
	for i := range cues {
		lead := ""
		if i == 0 || cues[i-1].Speaker != cues[i].Speaker {
			lead = prefix(cues[i].Name)
		}
		cues[i].Lines = layout(cues[i].words, lead)
	}
	return cues
}

// nameOf returns the displayed name of a speaker, empty if the speakers have no names.
func nameOf(t *transcript.Transcript, speaker int) string {
	if !t.Named() {
		return ""
	}
	return clean(t.Speakers[speaker].Name)
}

func prefix(name string) string {
	if name == "" {
		return ""
	}
	return name + ":"
}

// tokens joins words with the punctuation after them. It skips words without visible text.
func tokens(t *transcript.Transcript, words []int) []token {
	var all []token
	for _, i := range words {
		w := t.Words[i]
		text := clean(w.Text)
		if text == "" {
			continue
		}
		if w.Kind == transcript.Punctuation && len(all) > 0 {
			k := &all[len(all)-1]
			k.text, k.width = k.text+text, k.width+width(text)
			continue
		}
		all = append(all, token{text, width(text), w.Start, max(w.Start, w.End)})
	}
	return all
}

// clean makes a text safe for line-based formats: no control characters, no line breaks, single spaces.
func clean(text string) string {
	visible := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	return strings.Join(strings.Fields(visible), " ")
}

func last(words []token) time.Duration {
	return slices.MaxFunc(words, func(a, b token) int { return cmp.Compare(a.end, b.end) }).end
}

package formatting

import (
	"slices"

	"parley/internal/words/transcript"
)

// draft collects the changes to the numbers of a transcript.
type draft struct {
	source *transcript.Transcript
	head   []int              // for each word, the first word of its number
	joined map[int]joinedWord // by index of the first word
}

type joinedWord struct {
	text  string
	words []int // indices in the source
	comma bool
}

// newDraft finds the numbers of each turn.
func newDraft(t *transcript.Transcript) *draft {
	d := &draft{source: t, head: make([]int, len(t.Words)), joined: map[int]joinedWord{}}
	for i := range d.head {
		d.head[i] = i
	}
	var s sentence
	for _, turn := range t.Turns() {
		s.read(t, turn.Words)
		s.parse(d.join)
	}
	return d
}

// join records that the tokens of a piece become one word.
func (d *draft) join(tokens []token, p piece) {
	first := tokens[0].word
	text := p.text
	if text == "" {
		text = d.source.Words[first].Text
	}
	words := make([]int, 0, len(tokens))
	for _, t := range tokens {
		words = append(words, t.word)
		d.head[t.word] = first
	}
	d.joined[first] = joinedWord{text, words, p.comma}
}

// finish returns the changed transcript.
func (d *draft) finish() *transcript.Transcript {
	t := *d.source
	t.Words = make([]transcript.Word, 0, len(d.source.Words))
	for i, w := range d.source.Words {
		j, ok := d.joined[i]
		switch {
		case ok:
			t.Words = append(t.Words, d.word(j))
		case d.head[i] == i:
			t.Words = append(t.Words, w)
		}
		if j.comma {
			t.Words = append(t.Words, commaAfter(t.Words[len(t.Words)-1]))
		}
	}
	return &t
}

// word merges several words: from the first start to the last end, with the mean confidence, all markers, the mean
// volume, and the peaks of the first word that has any.
func (d *draft) word(j joinedWord) transcript.Word {
	w := d.source.Words[j.words[0]]
	w.Text = j.text
	if len(j.words) == 1 {
		return w
	}
	w.Confidence, w.Markers, w.Voice = 0, nil, nil
	spoken, voiced := 0, 0
	var voice transcript.Voice
	for _, i := range j.words {
		part := &d.source.Words[i]
		if part.Kind != transcript.Spoken {
			continue
		}
		spoken++
		w.End = max(w.End, part.End)
		w.Confidence += part.Confidence
		w.Markers = union(w.Markers, part.Markers)
		if part.Voice != nil {
			voiced++
			voice.Volume += part.Voice.Volume
			if voice.Peaks == nil {
				voice.Peaks = part.Voice.Peaks
			}
		}
	}
	w.Confidence /= float64(spoken)
	if voiced > 0 {
		voice.Volume /= float64(voiced)
		w.Voice = &voice
	}
	return w
}

func union(a, b []string) []string {
	for _, m := range b {
		if !slices.Contains(a, m) {
			a = append(a, m)
		}
	}
	return a
}

func commaAfter(w transcript.Word) transcript.Word {
	return transcript.Word{Text: ",", Kind: transcript.Punctuation, Start: w.End, End: w.End, Speaker: w.Speaker}
}

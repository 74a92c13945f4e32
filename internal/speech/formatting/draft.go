package formatting

import (
	"slices"

	"parley/internal/words/transcript"
)

// Origin maps each word of the original transcript to the index of the word that replaces or contains it.
type Origin []int

func identity(n int) Origin {
	o := make(Origin, n)
	for i := range o {
		o[i] = i
	}
	return o
}

// draft collects the changes to a transcript.
type draft struct {
	source *transcript.Transcript
	head   Origin             // for each word, the first word of its number
	joined map[int]joinedWord // by index of the first word
}

type joinedWord struct {
	text  string
	words []int // indices in the source
	comma bool
}

func newDraft(t *transcript.Transcript) *draft {
	return &draft{source: t, head: identity(len(t.Words)), joined: map[int]joinedWord{}}
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

// finish returns the changed transcript. The draft's head becomes the origin.
func (d *draft) finish() (*transcript.Transcript, Origin) {
	t := *d.source
	t.Words = make([]transcript.Word, 0, len(d.source.Words))
	for i, w := range d.source.Words {
		if d.head[i] != i {
			d.head[i] = d.head[d.head[i]]
			continue
		}
		d.head[i] = len(t.Words)
		j, ok := d.joined[i]
		if !ok {
			t.Words = append(t.Words, w)
			continue
		}
		t.Words = append(t.Words, d.word(j))
		if j.comma {
			t.Words = append(t.Words, commaAfter(t.Words[len(t.Words)-1]))
		}
	}
	return &t, d.head
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

// commaAfter returns a comma after a word.
func commaAfter(w transcript.Word) transcript.Word {
	return transcript.Word{Text: ",", Kind: transcript.Punctuation, Start: w.End, End: w.End, Speaker: w.Speaker}
}

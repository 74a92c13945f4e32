package openai

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"parley/internal/speech/asr"
	"parley/internal/speech/asr/remote"
	"parley/internal/words/sound"
)

// stretch is text with a start and an end, and its words or pieces of words if the service returned them.
type stretch struct {
	text      string
	words     []word
	from, to  time.Duration
	confident func(at time.Duration) float64 // confidence of words without a probability of their own
}

// piece is one written word and its data.
type piece struct {
	text     string
	from, to *float64
	sum      float64 // of the probabilities of its tokens
	tokens   int     // number of tokens that have a probability
}

// heard returns the words of a stretch. If any word has no time, all words are distributed over the stretch.
func (s *stretch) heard() []asr.Word {
	var words []asr.Word
	timed := true
	for _, p := range spoken(s.pieces()) {
		w := asr.Word{Text: remote.Bare(p.text), Punctuated: p.text}
		if p.from == nil || p.to == nil {
			timed = false
		} else {
			w.Start, w.End = remote.Seconds(*p.from), remote.Seconds(*p.to)
		}
		w.Confidence = p.sum / float64(max(p.tokens, 1))
		if p.tokens == 0 {
			w.Confidence = s.confident((w.Start + w.End) / 2)
		}
		words = append(words, w)
	}
	if !timed || len(words) > 1 && words[len(words)-1].End == 0 {
		remote.Spread(words, sound.Segment{Start: s.from, End: s.to})
	}
	return words
}

// pieces returns the written words of the stretch; a separate mark is attached to the previous word.
func (s *stretch) pieces() []piece {
	if len(s.words) == 0 {
		var all []piece
		for _, f := range strings.Fields(s.text) {
			all = attach(all, piece{text: f})
		}
		return all
	}
	var all []piece
	glued := s.glued()
	for i, w := range s.words {
		p := w.piece()
		if glued && i > 0 && !spaced(w.Word) && len(all) > 0 {
			all[len(all)-1].extend(p)
			continue
		}
		p.text = strings.TrimSpace(p.text)
		all = attach(all, p)
	}
	punctuate(all, strings.Fields(s.text))
	return all
}

// glued reports whether the words are pieces that have to be joined, as whisper.cpp returns them.
func (s *stretch) glued() bool {
	var all strings.Builder
	for _, w := range s.words {
		if spaced(w.Word) {
			return true
		}
		all.WriteString(w.Word)
	}
	return all.String() == strings.TrimSpace(s.text)
}

func spaced(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.IsSpace(r)
}

func (w *word) piece() piece {
	p := piece{text: w.Word, from: w.Start, to: w.End}
	if w.Probability != nil {
		p.sum, p.tokens = *w.Probability, 1
	}
	return p
}

// extend appends a piece of the same word.
func (p *piece) extend(next piece) {
	p.text += next.text
	if next.to != nil {
		p.to = next.to
	}
	p.sum += next.sum
	p.tokens += next.tokens
}

// attach appends a word, or attaches a mark to the previous word.
func attach(all []piece, p piece) []piece {
	switch {
	case remote.Bare(p.text) != "":
		return append(all, p)
	case len(all) > 0 && !opens(p.text):
		all[len(all)-1].text += p.text
	}
	return all
}

// opens reports whether a mark belongs to the following word.
func opens(mark string) bool {
	r, _ := utf8.DecodeRuneInString(mark)
	return unicode.In(r, unicode.Ps, unicode.Pi, unicode.Pd) || strings.ContainsRune("¿¡♪*", r)
}

// ahead is the maximum number of words of the text that may be skipped to find the next one.
const ahead = 4

// punctuate replaces words by their written form in the text. OpenAI's words come without punctuation, and
// whisper.cpp may split a multi-byte letter between pieces.
func punctuate(pieces []piece, text []string) {
	next := 0
	for i := range pieces {
		for k := next; k < min(next+ahead, len(text)); k++ {
			if broken := strings.ContainsRune(pieces[i].text, utf8.RuneError); broken ||
				remote.Bare(text[k]) == remote.Bare(pieces[i].text) {
				pieces[i].text, next = text[k], k+1
				break
			}
		}
	}
}

// closing maps the opening signs of remarks to the closing ones, as in [BLANK_AUDIO], (upbeat music), *laughs*.
var closing = map[string]string{"[": "]", "(": ")", "*": "*"}

// longestRemark is the maximum length of a remark in words. Longer text in brackets is speech.
const longestRemark = 6

// spoken drops remarks in brackets, except those with digits: telephone numbers are written with brackets.
func spoken(all []piece) []piece {
	var said []piece
	for i := 0; i < len(all); {
		if n := remark(all[i:]); n > 0 {
			i += n
			continue
		}
		said = append(said, all[i])
		i++
	}
	return said
}

// remark returns the number of words of the remark that begins here, or 0.
func remark(words []piece) int {
	_, size := utf8.DecodeRuneInString(words[0].text)
	end, ok := closing[words[0].text[:size]]
	if !ok {
		return 0
	}
	for i := range min(len(words), longestRemark) {
		text := words[i].text
		if strings.ContainsAny(text, "0123456789") {
			return 0
		}
		if text = strings.TrimRight(text, ".,!?;:"); strings.HasSuffix(text, end) && (i > 0 || len(text) > size) {
			return i + 1
		}
	}
	return 0
}

// unpunctuated clears Punctuated if the whole answer has neither capitals nor marks, since the service does not
// punctuate then.
func unpunctuated(words []asr.Word) []asr.Word {
	for _, w := range words {
		if w.Punctuated != w.Text {
			return words
		}
	}
	for i := range words {
		words[i].Punctuated = ""
	}
	return words
}

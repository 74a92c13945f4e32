package main

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"parley/internal/speech/asr"
	"parley/internal/speech/asr/remote"
)

const (
	longestPiece = 0.3  // seconds that a piece of a word lasts at most, where the model does not say how long
	shortestWord = 0.04 // seconds: some models give the last piece of a word no length
)

// written is a word as the model writes it.
type written struct {
	text       string
	start, end float64 // seconds
	logProb    float64 // of all pieces together
	pieces     int
}

// wordsOf joins the pieces of an answer to words. Models that do not write sentences write all in capitals or all in
// small letters, which says nothing.
func wordsOf(a *answer, sentences bool) []asr.Word {
	var words []asr.Word
	for _, w := range join(a.pieces) {
		text := strings.ToValidUTF8(w.text, "\uFFFD")
		bare := remote.Bare(text)
		if bare == "" {
			attach(words, text)
			continue
		}
		words = append(words, asr.Word{
			Text: bare, Punctuated: text, Confidence: confidence(w, a.sure),
			Start: remote.Seconds(w.start), End: remote.Seconds(max(w.end, w.start+shortestWord)),
		})
	}
	if !sentences {
		for i := range words {
			words[i].Punctuated = ""
		}
	}
	return words
}

// attach puts punctuation that stands alone to the word before it.
func attach(words []asr.Word, text string) {
	if len(words) > 0 && strings.ContainsFunc(text, unicode.IsPunct) {
		words[len(words)-1].Punctuated += text
	}
}

// confidence is the mean probability of a word's pieces (their geometric mean), or remote.Unknown.
func confidence(w written, sure bool) float64 {
	if !sure {
		return remote.Unknown
	}
	return math.Exp(min(w.logProb/float64(w.pieces), 0))
}

// join puts pieces together: a piece that begins with a space, or with the sign that stands for one, begins a
// word; each character of Chinese and Japanese is a word.
func join(pieces []piece) []written {
	var words []written
	space := false
	for i, p := range pieces {
		text, begins := clean(p.text)
		space = space || begins
		if text == "" {
			continue
		}
		if n := len(words); n == 0 || space || ideograph(text, false) || ideograph(words[n-1].text, true) &&
			!punctuation(text) {
			words = append(words, written{start: p.start})
		}
		space = false
		w := &words[len(words)-1]
		w.text += text
		if !punctuation(text) {
			w.end = max(end(pieces, i), w.end)
		}
		w.logProb += p.logProb
		w.pieces++
	}
	return words
}

// end is when a piece ends: after its duration, else when the next one begins.
func end(pieces []piece, i int) float64 {
	p := pieces[i]
	if p.duration >= 0 {
		return p.start + p.duration
	}
	if i+1 < len(pieces) {
		return min(pieces[i+1].start, p.start+longestPiece)
	}
	return p.start + longestPiece
}

// clean returns the text of a piece without the space before it, and whether there was one; empty for signs
// that are no text, such as <unk> and <|en|>.
func clean(piece string) (text string, begins bool) {
	text = strings.TrimLeft(piece, " ▁")
	begins = text != piece
	if len(text) > 2 && text[0] == '<' && text[len(text)-1] == '>' {
		if b, err := strconv.ParseUint(strings.TrimPrefix(text[1:len(text)-1], "0x"), 16, 8); err == nil &&
			len(text) == 6 {
			return string([]byte{byte(b)}), begins // one byte of a character, as <0xE2>
		}
		return "", begins
	}
	return strings.TrimRight(text, " "), begins
}

// ideograph tells whether the first or last character of a text is a word of its own.
func ideograph(text string, last bool) bool {
	r, _ := utf8.DecodeRuneInString(text)
	if last {
		r, _ = utf8.DecodeLastRuneInString(strings.TrimRightFunc(text, unicode.IsPunct))
	}
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

func punctuation(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPunct(r) })
}

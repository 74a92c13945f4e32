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
	longestPiece = 0.3  // seconds; maximum duration of a piece if the model gives none
	shortestWord = 0.04 // seconds; some models give the last piece of a word no duration
)

// rawWord is a word as output by the model.
type rawWord struct {
	text       string
	start, end float64 // seconds
	logProb    float64 // sum over all pieces
	pieces     int
}

// wordsOf joins the pieces of an answer to words. If the model does not output sentences, all its text is in one case,
// which carries no information.
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

// attach appends separate punctuation to the word before it.
func attach(words []asr.Word, text string) {
	if len(words) > 0 && strings.ContainsFunc(text, unicode.IsPunct) {
		words[len(words)-1].Punctuated += text
	}
}

// confidence is the geometric mean of the probabilities of a word's pieces, or remote.Unknown.
func confidence(w rawWord, sure bool) float64 {
	if !sure {
		return remote.Unknown
	}
	return math.Exp(min(w.logProb/float64(w.pieces), 0))
}

// join joins pieces to words: a piece that starts with a space, or with the character that stands for one, starts a
// word; each Chinese or Japanese character is a word.
func join(pieces []piece) []rawWord {
	var words []rawWord
	space := false
	for i, p := range pieces {
		text, begins := clean(p.text)
		space = space || begins
		if text == "" {
			continue
		}
		if n := len(words); n == 0 || space || ideograph(text, false) || ideograph(words[n-1].text, true) &&
			!punctuation(text) {
			words = append(words, rawWord{start: p.start})
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

// end returns when a piece ends: after its duration or, if that is unknown, when the next one starts.
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

// clean returns the text of a piece without a leading space, and whether there was one; the text is empty for control
// tokens, such as <unk> and <|en|>.
func clean(piece string) (text string, begins bool) {
	text = strings.TrimLeft(piece, " ▁")
	begins = text != piece
	if len(text) > 2 && text[0] == '<' && text[len(text)-1] == '>' {
		if b, err := strconv.ParseUint(strings.TrimPrefix(text[1:len(text)-1], "0x"), 16, 8); err == nil &&
			len(text) == 6 {
			return string([]byte{byte(b)}), begins // one byte of a character, written as <0xE2>
		}
		return "", begins
	}
	return strings.TrimRight(text, " "), begins
}

// ideograph reports whether the first or last character of a text is a word by itself.
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

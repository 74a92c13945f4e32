// Package phrase is the single definition of word matching: how a text is split into words, when a word matches a
// pattern, where a phrase matches a sequence of words, and which words an index must look up for it. All word searches
// use it: the list of recordings, the query language, the index.
//
// It does not know query syntax, speakers or times, and does not look words up: a Lexicon does.
package phrase

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// maxWord is the number of characters to which words are truncated.
const maxWord = 64

// Words returns the words of a text, folded: Unicode normal form KC, case folded, everything but letters,
// marks and digits taken as a gap between words, except that
//   - an apostrophe inside a word stays ("don't", also when it was typographic);
//   - a point, comma or colon between digits stays ("49.99", "10:30");
//   - the points of an acronym go ("U.S.A." is "usa", "p.m." is "pm");
//   - each character of a script that is written without spaces (Han, Hiragana, Katakana) is a word.
//
// Words is idempotent: the words of its results are the same words.
func Words(text string) []string { return Append(nil, text) }

// Append appends the words of a text to dst.
func Append(dst []string, text string) []string {
	if plain(text) {
		return append(dst, text)
	}
	s := splitter{runes: []rune(Fold(text)), words: dst}
	for s.at < len(s.runes) {
		s.step()
	}
	s.end()
	return s.words
}

// plain reports whether a text is a single folded word already, as are most words of a transcript.
func plain(text string) bool {
	for i := range len(text) {
		c := text[i]
		inner := c == '\'' && i > 0 && i < len(text)-1 && text[i-1] != '\'' && text[i+1] != '\''
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && !inner {
			return false
		}
	}
	return len(text) > 0 && len(text) <= maxWord
}

// Fold returns the form in which letters are compared: Unicode normal form KC, case folded. It keeps signs. Packages
// that compare words whose signs depend on the source (align, punctuation, analysis/entity) strip signs from the folded
// form; their tests list them.
func Fold(text string) string {
	for i := range len(text) {
		if text[i] >= 0x80 {
			return norm.NFKC.String(strings.Map(cherokee, cases.Fold().String(norm.NFKC.String(text))))
		}
	}
	return strings.ToLower(text)
}

// cherokee folds lower-case Cherokee letters to capitals, as Unicode defines: the script had only capitals for a long
// time, so these are the folded form. Package cases swaps the two cases.
func cherokee(r rune) rune {
	switch {
	case r >= 0xAB70 && r <= 0xABBF:
		return r - 0xAB70 + 0x13A0
	case r >= 0x13F8 && r <= 0x13FD:
		return r - 8
	}
	return r
}

// splitter splits folded text into words.
type splitter struct {
	runes []rune
	at    int
	word  []rune // the current word
	part  int    // index in word of the first letter after the last point of an acronym
	words []string
}

func (s *splitter) step() {
	r := s.runes[s.at]
	switch {
	case spaceless(r):
		s.end()
		s.word = append(s.word, r)
		s.end()
	case wordly(r):
		s.word = append(s.word, r)
	case unicode.Is(unicode.Cf, r): // soft hyphens, joiners: ignored; the characters around them may compose
	case s.apostrophe(r):
		s.word = append(s.word, '\'')
	case s.separator(r):
		s.word = append(s.word, r)
	case s.acronym(r):
		s.part = len(s.word)
	default:
		s.end()
	}
	s.at++
}

// end closes the current word, if any.
func (s *splitter) end() {
	if len(s.word) > 0 {
		s.words = append(s.words, shortened(norm.NFC.String(string(s.word))))
	}
	s.word, s.part = s.word[:0], 0
}

// shortened truncates a word. The result does not end in a character that occurs only inside words, such as an
// apostrophe.
func shortened(word string) string {
	if len(word) <= maxWord {
		return word
	}
	runes := []rune(word)
	end := min(len(runes), maxWord)
	for end > 1 && !wordly(runes[end-1]) {
		end--
	}
	return string(runes[:end])
}

// peek returns the rune n after the current one, 0 past the end.
func (s *splitter) peek(n int) rune {
	if s.at+n >= len(s.runes) {
		return 0
	}
	return s.runes[s.at+n]
}

func (s *splitter) apostrophe(r rune) bool {
	return (r == '\'' || r == '’' || r == '‘') && len(s.word) > 0 && joined(s.peek(1))
}

func (s *splitter) separator(r rune) bool {
	n := len(s.word)
	return (r == '.' || r == ',' || r == ':') && n > 0 && unicode.IsDigit(s.word[n-1]) && unicode.IsDigit(s.peek(1))
}

// acronym reports whether a point is between two single letters.
func (s *splitter) acronym(r rune) bool {
	return r == '.' && len(s.word) == s.part+1 && unicode.IsLetter(s.word[s.part]) &&
		unicode.IsLetter(s.peek(1)) && !spaceless(s.peek(1)) && !joined(s.peek(2)) && s.peek(2) != '\'' &&
		s.peek(2) != '’'
}

func wordly(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r) }

// joined reports whether a rune continues the current word.
func joined(r rune) bool { return wordly(r) && !spaceless(r) }

func spaceless(r rune) bool {
	return r >= 0x2E80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

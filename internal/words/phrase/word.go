// Package phrase is the one meaning of "these words occur": what the words of a text are, when a word
// matches a pattern, where a phrase of patterns stands in a sequence of words, and which words an index has to look up
// for it. Everything that looks for words goes through it: the list of recordings, the query language, the index.
//
// It knows nothing of query syntax, speakers or times, and does not look words up: a Lexicon does.
package phrase

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// maxWord is how many characters of a word count; the rest is cut off.
const maxWord = 64

// Words returns the words of a text, folded: Unicode normal form KC, case folded, everything but letters,
// marks and digits taken as a gap between words, except that
//   - an apostrophe inside a word stays ("don't", also when it was typographic);
//   - a point, comma or colon between digits stays ("49.99", "10:30");
//   - the points of an acronym go ("U.S.A." is "usa", "p.m." is "pm");
//   - each character of a script that is written without spaces (Han, Hiragana, Katakana) is a word.
//
// Words of the words are the same words.
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

// plain reports whether a text is one word as it stands, which most words of a transcript are.
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

// Fold is a text in the form in which letters are compared: Unicode normal form KC, case folded. Signs stay. Packages
// that compare words whose signs differ by their source (align, punctuation, analysis/entity) take signs out of the
// folded form; their tests say which.
func Fold(text string) string {
	for i := range len(text) {
		if text[i] >= 0x80 {
			return norm.NFKC.String(strings.Map(cherokee, cases.Fold().String(norm.NFKC.String(text))))
		}
	}
	return strings.ToLower(text)
}

// cherokee folds small letters of Cherokee to the capitals, as Unicode has it: this script had capitals only for long,
// so that they are its folded form. Package cases makes small letters of capitals and capitals of small letters.
func cherokee(r rune) rune {
	switch {
	case r >= 0xAB70 && r <= 0xABBF:
		return r - 0xAB70 + 0x13A0
	case r >= 0x13F8 && r <= 0x13FD:
		return r - 8
	}
	return r
}

// splitter cuts folded text into words.
type splitter struct {
	runes []rune
	at    int
	word  []rune // the word that is open
	part  int    // where in word the letters since the last point of an acronym begin
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
	case unicode.Is(unicode.Cf, r): // soft hyphens, joiners: not there; what they kept apart may be one character
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

// end closes the open word, if any.
func (s *splitter) end() {
	if len(s.word) > 0 {
		s.words = append(s.words, shortened(norm.NFC.String(string(s.word))))
	}
	s.word, s.part = s.word[:0], 0
}

// shortened is the part of a word that counts. What may stand inside a word, as an apostrophe, does not become its end.
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

// peek is the rune n after the present one, 0 behind the end.
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

// acronym reports whether a point stands between two single letters.
func (s *splitter) acronym(r rune) bool {
	return r == '.' && len(s.word) == s.part+1 && unicode.IsLetter(s.word[s.part]) &&
		unicode.IsLetter(s.peek(1)) && !spaceless(s.peek(1)) && !joined(s.peek(2)) && s.peek(2) != '\'' &&
		s.peek(2) != '’'
}

func wordly(r rune) bool { return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r) }

// joined reports whether a rune goes on with a word that is open.
func joined(r rune) bool { return wordly(r) && !spaceless(r) }

func spaceless(r rune) bool {
	return r >= 0x2E80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

package eval

import (
	"strings"
	"unicode"
)

// Token is one unit of comparison: a normalised word, a letter of a spelled acronym or a digit of a number.
type Token struct {
	Text   string
	Word   int  // index of the source word
	Number bool // a digit; its time is not that of a word
}

// Normalize converts words to a canonical form, so that different spellings of the same speech are not errors. It
// removes case and punctuation, replaces okay by ok, splits acronyms into letters and numbers into digits, however they
// are written or spoken, and drops fillers.
func Normalize(words []string) []Token {
	var tokens []Token
	for i, w := range words {
		for _, p := range pieces(w) {
			tokens = append(tokens, Token{Text: p, Word: i})
		}
	}
	return digits(tokens)
}

// pieces splits one written word into plain lower-case pieces.
func pieces(word string) []string {
	word = strings.ToLower(strings.NewReplacer("’", "'", "‘", "'", "&", " and ", "%", " percent ").Replace(word))
	if amount, ok := strings.CutPrefix(word, "$"); ok {
		word = amount + " dollars"
	}
	if letters := acronym(word); letters != nil {
		return letters
	}
	var plain []string
	for _, p := range strings.FieldsFunc(joinThousands(word), separates) {
		plain = append(plain, rewrite(strings.Trim(p, "'"))...)
	}
	return plain
}

func separates(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' }

// joinThousands removes the punctuation from 1,000, 49.99 and 555-1234, whose digits are compared in sequence.
func joinThousands(word string) string {
	var b strings.Builder
	for i, r := range word {
		inside := i > 0 && i+1 < len(word) && isDigit(word[i-1]) && isDigit(word[i+1])
		if !(inside && strings.ContainsRune(",.-", r)) {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// acronym returns the letters of a.b.c., of a. and of the few acronyms that are written without dots.
func acronym(word string) []string {
	plain := strings.TrimRight(word, ",?!;:")
	if spelled[strings.Trim(plain, ".")] {
		return strings.Split(strings.Trim(plain, "."), "")
	}
	possessive := strings.HasSuffix(plain, "'s")
	parts := strings.Split(strings.TrimSuffix(strings.TrimSuffix(plain, "'s"), "."), ".")
	if !strings.Contains(plain, ".") || possessive && len(parts) == 1 {
		return nil
	}
	for _, p := range parts {
		if len(p) != 1 || p[0] < 'a' || p[0] > 'z' {
			return nil
		}
	}
	return parts
}

var spelled = map[string]bool{"tv": true, "hbo": true, "abc": true, "usa": true, "dvd": true, "cd": true, "atm": true,
	"pm": true}

var fillers = map[string]bool{"uh": true, "um": true, "er": true, "erm": true, "ah": true, "hm": true, "hmm": true,
	"mm": true, "mhm": true, "huh": true}

var rewrites = map[string][]string{
	"okay": {"ok"}, "mr": {"mister"}, "mrs": {"missus"}, "dr": {"doctor"}, "alright": {"all", "right"},
	"gonna": {"going", "to"}, "wanna": {"want", "to"}, "gotta": {"got", "to"}, "o'clock": {"oclock"},
}

func rewrite(piece string) []string {
	if piece == "" || fillers[piece] {
		return nil
	}
	if r, ok := rewrites[piece]; ok {
		return r
	}
	return []string{piece}
}

package punctuation

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// capitals returns the words of a text with capitals at sentence starts, in "I", in names and in spelled letters.
// Words that already contain a capital are not changed.
func (n *Names) capitals(t text, chosen []Mark) []string {
	out := make([]string, len(t.words))
	start := true
	for i, w := range t.words {
		out[i] = w
		if strings.ToLower(w) == w {
			out[i] = n.spell(t.words, i)
		}
		if start {
			out[i] = capital(out[i])
		}
		start = chosen[i].ends()
	}
	return out
}

// spell returns the spelling of word i inside a sentence.
func (n *Names) spell(words []string, i int) string {
	w := words[i]
	switch {
	case pronoun(w) || letter(words, i):
		return capital(w)
	case acronym(w):
		return strings.ToUpper(w)
	case n == nil:
		return w
	}
	return n.written(words, i)
}

// pronoun reports whether a word is "i" or a contraction such as "i'm" or "i'll".
func pronoun(w string) bool {
	head, _, _ := strings.Cut(strings.ReplaceAll(w, "’", "'"), "'")
	return head == "i"
}

// letter reports whether word i is a spelled letter. "a" is one only among other letters, and "o" only outside
// numbers.
func letter(words []string, i int) bool {
	switch w := fold(words[i]); {
	case !single(w):
		return false
	case w == "a":
		return consonant(words, i-1) || single(wordAt(words, i+1)) && single(wordAt(words, i+2))
	case w == "o":
		return class(wordAt(words, i-1)) != "#number" && class(wordAt(words, i+1)) != "#number"
	}
	return true
}

func single(w string) bool { return len(w) == 1 && w[0] >= 'a' && w[0] <= 'z' }

// consonant reports whether word i is a single letter that is not a word by itself.
func consonant(words []string, i int) bool {
	w := wordAt(words, i)
	return single(w) && w != "a" && w != "i"
}

// wordAt returns word i, folded, or an empty string outside of the text.
func wordAt(words []string, i int) string {
	if i < 0 || i >= len(words) {
		return ""
	}
	return fold(words[i])
}

// dotted are abbreviations with dots and without capitals.
var dotted = set("a.m. p.m. i.e. e.g.")

// acronym reports whether a word consists of letters with a dot each, such as t.v. or u.s.
func acronym(w string) bool {
	if len(w) < 4 || len(w)%2 != 0 || dotted[w] {
		return false
	}
	for i := 0; i < len(w); i += 2 {
		if !single(w[i:i+1]) || w[i+1] != '.' {
			return false
		}
	}
	return true
}

// capital converts the first rune of a word to upper case, unless lower case cannot restore it.
func capital(w string) string {
	first, size := utf8.DecodeRuneInString(w)
	upper := unicode.ToUpper(first)
	if first == utf8.RuneError || unicode.ToLower(upper) != first {
		return w
	}
	return string(upper) + w[size:]
}

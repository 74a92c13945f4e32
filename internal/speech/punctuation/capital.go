package punctuation

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// capitals returns a text's words with capitals: at sentence starts, in "I", in names and in spelled
// letters. Words that have a capital already stay as they are.
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

// spell returns how word i is written inside a sentence.
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

// pronoun tells whether a word is "i" or short for "i am", "i will" and so on.
func pronoun(w string) bool {
	head, _, _ := strings.Cut(strings.ReplaceAll(w, "’", "'"), "'")
	return head == "i"
}

// letter tells whether word i is a spelled letter. An "a" is one only among other letters, an "o" not in numbers.
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

// consonant tells whether word i is a letter that is no word of its own.
func consonant(words []string, i int) bool {
	w := wordAt(words, i)
	return single(w) && w != "a" && w != "i"
}

// wordAt returns word i, folded, empty outside of the text.
func wordAt(words []string, i int) string {
	if i < 0 || i >= len(words) {
		return ""
	}
	return fold(words[i])
}

// dotted are written with dots and without capitals.
var dotted = set("a.m. p.m. i.e. e.g.")

// acronym tells whether a word is letters with a dot each, such as t.v. or u.s.
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

// capital makes the first rune of a word upper case, where this can be undone.
func capital(w string) string {
	first, size := utf8.DecodeRuneInString(w)
	upper := unicode.ToUpper(first)
	if first == utf8.RuneError || unicode.ToLower(upper) != first {
		return w
	}
	return string(upper) + w[size:]
}

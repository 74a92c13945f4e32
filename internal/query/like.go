package query

import (
	"strings"
	"unicode/utf8"

	"parley/internal/words/phrase"
)

// likePattern is a folded LIKE pattern: the parts between its % (any text). In a part, _ matches any one character.
type likePattern []string

func newLikePattern(pattern string) likePattern { return strings.Split(phrase.Fold(pattern), "%") }

// work is the cost of matching a text of length bytes. A part with _ is compared at every position.
func (l likePattern) work(length int) int {
	sum := workOfCharacter * (1 + length)
	for _, part := range l {
		if strings.Contains(part, "_") {
			sum += len(part) * length
		} else {
			sum += len(part) + length
		}
	}
	return sum
}

// fits reports whether the pattern matches a folded text. Each part is matched at its first position after the
// previous one, without backtracking.
func (l likePattern) fits(text string) bool {
	n, ok := begins(text, l[0])
	if !ok || len(l) == 1 {
		return ok && n == len(text)
	}
	rest, end := text[n:], len(l)-1
	for _, part := range l[1:end] {
		at := first(rest, part)
		if at < 0 {
			return false
		}
		n, _ := begins(rest[at:], part)
		rest = rest[at+n:]
	}
	return ends(rest, l[end])
}

// begins reports whether a text begins with a part, and the number of bytes it matches.
func begins(text, part string) (n int, ok bool) {
	for _, want := range part {
		r, size := utf8.DecodeRuneInString(text[n:])
		if size == 0 || want != '_' && r != want {
			return 0, false
		}
		n += size
	}
	return n, true
}

// first returns the byte offset of the first match of a part in a text, or -1.
func first(text, part string) int {
	if !strings.Contains(part, "_") {
		return strings.Index(text, part)
	}
	for at := range text {
		if _, ok := begins(text[at:], part); ok {
			return at
		}
	}
	return -1
}

func ends(text, part string) bool {
	at := len(text)
	for range part {
		_, size := utf8.DecodeLastRuneInString(text[:at])
		if size == 0 {
			return false
		}
		at -= size
	}
	_, ok := begins(text[at:], part)
	return ok
}

package query

import (
	"strings"
	"unicode/utf8"

	"parley/internal/words/phrase"
)

// likeness is a pattern of LIKE, folded: what stands between its % (any text). In it _ is any one character.
type likeness []string

func newLikeness(pattern string) likeness { return strings.Split(phrase.Fold(pattern), "%") }

// work is what it costs to look whether a text of so many bytes fits: a part with _ is compared at each place.
func (l likeness) work(length int) int {
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

// fits reports whether a folded text fits. Each part is looked for once, where it stands first behind the one before.
func (l likeness) fits(text string) bool {
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

// begins reports whether a text begins with a part, and how many bytes that takes.
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

// first is where a part stands first in a text, -1 where it does not.
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

// ends reports whether a text ends with a part.
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

package detect

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"parley/internal/words/numeral"
)

// part is a piece of a word: digits, a number word, or other letters.
type part struct {
	text  string
	entry entry
	tight bool // only a hyphen or an apostrophe separates it from the previous part: both are one word
}

// sure reports whether a part is certainly a number word or part of a date.
func (p *part) sure() bool {
	switch p.entry.Class {
	case numeral.Other, numeral.Oh, numeral.Figures, misheard:
		return false
	}
	return true
}

// fewestAmidLetters is the minimum count of number words that are recognised among other letters of a word.
const fewestAmidLetters = 4

// joined adds the tokens of a word in which number words are joined to each other, to figures or to other words:
// four-nine, four/nine, FourNine, 4nine2, number:four.
func (c *call) joined(text string, at, turn int) bool {
	if !c.english || len(text) < shortestJoined {
		return false
	}
	parts := cut(text)
	numbers := 0
	for i := range parts {
		if parts[i].sure() {
			numbers++
		}
	}
	if numbers == 0 || numbers < fewestAmidLetters && !detached(text, parts, numbers) {
		return false
	}
	if c.spare -= len(parts) - 1; c.spare < 0 {
		return false
	}
	for _, p := range parts {
		if p.entry.Class == numeral.Figures {
			c.figure(p.text, readFigure(p.text), at, turn)
			continue
		}
		c.tokens = append(c.tokens, token{entry: p.entry, text: p.text, word: at, turn: turn})
	}
	return true
}

// mostParts bounds the tokens that joined words may add to a call: the maximum number of words of a call. Without this
// bound a transcript of a few megabytes could take gigabytes of memory.
const mostParts = 500_000

// shortestJoined is the length of the shortest number word with a separator.
const shortestJoined = 4

// detached reports whether a word is split: all its parts are numbers, or separators other than hyphens stand between
// numbers and other parts. A word that sounds like a number counts as one if there are at least three numbers. Host
// names are not split.
func detached(text string, parts []part, numbers int) bool {
	if slices.Contains(domains, text[strings.LastIndexByte(text, '.')+1:]) {
		return false
	}
	number := func(p *part) bool {
		return p.entry.Class != numeral.Other && (p.entry.Class != misheard || numbers >= 3)
	}
	for i := range parts {
		if p := &parts[i]; !number(p) && (p.tight || i+1 < len(parts) && parts[i+1].tight) {
			return false
		}
	}
	return true
}

// cut splits a folded word into parts.
func cut(text string) (parts []part) {
	tight := true
	for text != "" {
		r, size := utf8.DecodeRuneInString(text)
		is := unicode.IsLetter
		switch {
		case r >= '0' && r <= '9':
			is = func(r rune) bool { return r >= '0' && r <= '9' }
		case !unicode.IsLetter(r):
			tight = tight && strings.ContainsRune("-'’", r)
			text = text[size:]
			continue
		}
		end := strings.IndexFunc(text, func(r rune) bool { return !is(r) })
		if end < 0 {
			end = len(text)
		}
		before := len(parts)
		if r <= '9' {
			parts = append(parts, part{text: text[:end], entry: entry{Entry: numeral.Entry{Class: numeral.Figures}}})
		} else {
			parts = appendWords(parts, text[:end])
		}
		parts[before].tight = tight && before > 0
		tight, text = true, text[end:]
	}
	return parts
}

// appendWords appends the parts of a run of letters: number words, if they fill it or are many, and the letters around
// them.
func appendWords(parts []part, letters string) []part {
	from, to := 0, 0
	if e := lexicon[letters]; e.Class == numeral.Other {
		from, to = numberWords(letters)
	}
	if to == from {
		return append(parts, part{text: letters, entry: lexicon[letters], tight: true})
	}
	if from > 0 {
		parts = append(parts, part{text: letters[:from], entry: entry{Roles: lexicon[letters[:from]].Roles},
			tight: true})
	}
	for from < to {
		word := numberWordAt(letters[from:to])
		parts = append(parts, part{text: word, entry: lexicon[word], tight: true})
		from += len(word)
	}
	if rest := letters[to:]; rest != "" {
		parts = append(parts, part{text: rest, entry: entry{Roles: lexicon[rest].Roles}, tight: true})
	}
	return parts
}

// numberNames are the number words that are searched for inside other words, the longest first.
var numberNames = compileNumberNames()

func compileNumberNames() map[byte][]string {
	names := map[byte][]string{}
	for word, e := range lexicon {
		switch e.Class {
		case numeral.Digit, numeral.Oh, numeral.Teen, numeral.Ten, numeral.Hundred, numeral.Scale, numeral.Repeat:
			names[word[0]] = append(names[word[0]], word)
		}
	}
	for _, list := range names {
		slices.SortFunc(list, func(a, b string) int { return len(b) - len(a) })
	}
	return names
}

// numberWordAt returns the longest number word at the beginning of letters that is followed by another number word or
// by the end.
func numberWordAt(letters string) string {
	for _, name := range numberNames[letters[0]] {
		if strings.HasPrefix(letters, name) {
			return name
		}
	}
	return ""
}

// numberWords returns the bounds of consecutive number words in letters: two or more that fill them, or at least
// fewestAmidLetters.
func numberWords(letters string) (from, to int) {
	best := 1
	for at := 0; at < len(letters); {
		end, n := at, 0
		for end < len(letters) {
			name := numberWordAt(letters[end:])
			if name == "" {
				break
			}
			if end += len(name); len(name) > 2 { // "oh" is a zero only next to other digits
				n++
			}
		}
		if n > best && (n >= fewestAmidLetters || at == 0 && end == len(letters)) {
			from, to, best = at, end, n
		}
		at = max(end, at+1)
	}
	return from, to
}

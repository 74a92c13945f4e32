package detect

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"parley/internal/words/numeral"
)

// part is a stretch of a word: digits, a word for a number, or other letters.
type part struct {
	text  string
	entry entry
	tight bool // nothing but a hyphen or an apostrophe stands between it and the one before: both are one word
}

// sure reports whether a part is a word for a number or a part of a date without doubt.
func (p *part) sure() bool {
	switch p.entry.Class {
	case numeral.Other, numeral.Oh, numeral.Figures, misheard:
		return false
	}
	return true
}

// fewestAmidLetters is how many words for numbers there are at least among other letters of a word.
const fewestAmidLetters = 4

// joined adds the tokens of a word in which words for numbers are joined with each other, with figures or with other
// words: four-nine, four/nine, FourNine, 4nine2, number:four.
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

// mostParts bounds how many tokens joined words may add to a call: as many as a call has words at most. Without a bound
// a transcript of a few megabytes could take gigabytes.
const mostParts = 500_000

// shortestJoined is the length of the shortest word for a number with a mark.
const shortestJoined = 4

// detached reports whether all parts of a word are numbers, or marks other than hyphens stand between numbers and other
// parts. What sounds like a number counts as one among three that are; hosts are not taken apart.
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

// cut takes a folded word apart.
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

// appendWords adds the parts of a stretch of letters: words for numbers that fill it or are many, and what is beside
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

// numberNames are the words for numbers that are looked for in other words, the longest first.
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

// numberWordAt returns the longest word for a number with which letters begin, behind which others follow or nothing.
func numberWordAt(letters string) string {
	for _, name := range numberNames[letters[0]] {
		if strings.HasPrefix(letters, name) {
			return name
		}
	}
	return ""
}

// numberWords finds where words for numbers that follow each other begin and end in letters: at both ends of them, two
// or more, or fewestAmidLetters and more.
func numberWords(letters string) (from, to int) {
	best := 1
	for at := 0; at < len(letters); {
		end, n := at, 0
		for end < len(letters) {
			name := numberWordAt(letters[end:])
			if name == "" {
				break
			}
			if end += len(name); len(name) > 2 { // oh is a zero only beside others
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

package numeral

import (
	"slices"
	"strconv"
	"strings"
)

// Class is the role of a word in numbers.
type Class uint8

// The classes. Words of class Digit and above can be part of a number.
const (
	Other   Class = iota
	Article       // a
	Point
	Repeat // double, triple
	Month
	Ordinal
	Decade // eighties
	Plural // fours
	Digit  // 0–9
	Oh     // zero pronounced as the letter O
	Teen   // 10–19
	Ten    // 20, 30, … 90
	Whole  // 21–99 as one hyphenated word
	Figures
	Hundred
	Scale   // thousand and above
	Classes // number of classes: callers number their own from here on
)

// Entry is the class and value of a word; the value is 0 for figures, and the count for a repeat.
type Entry struct {
	Class Class
	Value int
}

// Numeric reports whether a word can be part of a number, or is a number.
func (e Entry) Numeric() bool { return e.Class >= Digit && e.Class < Classes }

// In reports whether a word is of one of the classes.
func (e Entry) In(classes ...Class) bool { return slices.Contains(classes, e.Class) }

// Zeros returns the zeros that a hundred or a scale appends to the preceding digits.
func (e Entry) Zeros() string { return strconv.Itoa(e.Value)[1:] }

// Small reads a number 0–99 from a word and its successor; n is the number of words used, 0 if there is no number.
func Small(first, second Entry) (value, n int) {
	switch first.Class {
	case Digit, Teen, Whole:
		return first.Value, 1
	case Ten:
		if second.Class == Digit && second.Value > 0 {
			return first.Value + second.Value, 2
		}
		return first.Value, 1
	}
	return 0, 0
}

// Lookup returns the entry of a lower-case word.
func Lookup(word string) Entry { return entries[word] }

// Word is a package's knowledge about a word: its entry, and its roles in that package.
type Word[R ~uint16 | ~uint32] struct {
	Entry
	Roles R
}

// Lexicon returns all words that have a numeral entry or one of the given roles; roles maps each role to its words.
func Lexicon[R ~uint16 | ~uint32](roles map[R]string) map[string]Word[R] {
	words := map[string]Word[R]{}
	for word, e := range entries {
		words[word] = Word[R]{Entry: e}
	}
	for r, names := range roles {
		for name := range strings.FieldsSeq(names) {
			w := words[name]
			w.Roles |= r
			words[name] = w
		}
	}
	return words
}

var entries = compile()

func compile() map[string]Entry {
	words := map[string]Entry{
		"a": {Article, 1}, "point": {Class: Point}, "o": {Class: Oh}, "oh": {Class: Oh}, "ohs": {Class: Plural},
		"nought": {Class: Digit}, "naught": {Class: Digit}, "niner": {Digit, 9},
		"zeroes": {Class: Plural}, "sixes": {Plural, 6},
		"double": {Repeat, 2}, "dbl": {Repeat, 2}, "triple": {Repeat, 3}, "treble": {Repeat, 3},
		"quadruple": {Repeat, 4},
		"hundred":   {Hundred, 100}, "hundredth": {Ordinal, 100},
	}
	list := func(c Class, first, step int, prefix string, names []string) {
		for i, name := range names {
			words[prefix+name] = Entry{c, first + i*step}
		}
	}
	list(Digit, 0, 1, "", Digits)
	list(Teen, 10, 1, "", teens)
	list(Ten, 20, 10, "", tens)
	list(Month, 1, 1, "", Months)
	list(Ordinal, 1, 1, "", digitOrdinals)
	list(Ordinal, 10, 1, "", teenOrdinals)
	list(Ordinal, 20, 10, "", tensOrdinals)
	list(Decade, 20, 10, "", decades)
	for i, ten := range tens { // twenty-one, twenty-first
		list(Whole, 21+10*i, 1, ten+"-", Digits[1:])
		list(Ordinal, 21+10*i, 1, ten+"-", digitOrdinals)
	}
	for value, name := range Digits {
		words[name+"s"] = Entry{Plural, value}
	}
	for k, value := 0, 1000; k < len(scales); k, value = k+1, value*1000 {
		words[scales[k]], words[scales[k]+"th"] = Entry{Scale, value}, Entry{Ordinal, value}
	}
	return words
}

package formatting

import (
	"strconv"

	"parley/internal/words/numeral"
)

// quantity parses a separate number from 10 on: 12, 2,500, 2.5 million. Smaller ones stay words.
func (s *sentence) quantity(i int) match {
	a, ok := s.amount(i)
	if !ok || a.article || a.plain && a.value < 10 && a.scale == 0 {
		return match{}
	}
	if a.plain && (s.bareYear(a) || s.ungrouped(a)) {
		a.digits = strconv.Itoa(a.value)
	}
	if a.scale == 0 {
		return one(a.digits, i, a.next)
	}
	return match{a.next, []piece{{text: a.digits, from: i, to: a.scale}, {from: a.scale, to: a.next}}}
}

// bareYear reports whether a number is a year: two thousand ten, in nineteen hundred.
func (s *sentence) bareYear(a amount) bool {
	if s.has(a.next, unit|counted) {
		return false
	}
	if a.value%100 == 0 {
		return s.has(a.from-1, calendar) && a.value >= 1000 && a.value <= 2000
	}
	return a.value > 2000 && a.value < 2040 && s.at(a.from+1).Class == numeral.Scale
}

// ungrouped reports whether a number is a house number or a military time, which have no commas.
func (s *sentence) ungrouped(a amount) bool {
	return s.address(a.next) || a.value%100 == 0 && a.value < 2400 && s.is(a.next, "hours")
}

// single parses a number below 10 that is written as a digit: before a unit, after a label, as the lower end of a
// range whose upper end is in digits, or in an address.
func (s *sentence) single(i int) match {
	if t := s.at(i); t.Class != numeral.Digit {
		return match{}
	}
	text := strconv.Itoa(s.at(i).Value)
	if s.has(i+1, unit) || s.has(i-1, label) || s.house(i+1) || s.opensRange(i) || suffix(text, s.at(i+1).text) != "" ||
		s.is(i-1, "foot", "feet") && s.numeric(i-2) {
		return one(text, i, i+1)
	}
	return match{}
}

// opensRange reports whether the number at i is followed by to, or, and (after between) and a number in digits.
func (s *sentence) opensRange(i int) bool {
	if !s.is(i+1, "to", "or") && !(s.is(i+1, "and") && s.is(i-1, "between")) || s.at(i+2).Class == numeral.Article {
		return false
	}
	a, ok := s.amount(i + 2)
	if !ok {
		return false
	}
	_, half := s.half(a.next)
	return a.value >= 10 || a.scale > 0 || s.has(a.next, unit) || s.percent(a.next) > a.next || half > a.next
}

// address reports whether the words from i on complete an address: elm street, north main street.
func (s *sentence) address(i int) bool {
	for n := i; n < i+4; n++ {
		t := s.at(n)
		switch {
		case t.Roles&street != 0:
			return n > i
		case t.Class == numeral.Ordinal, t.Class == numeral.Month, t.Class == numeral.Plural:
		case t.Class != numeral.Other || t.Roles&(closes|counted|unit|clockPost) != 0:
			return false
		}
	}
	return false
}

// house is address for a number below 10, after which a drive, a court or a trail can mean something else.
func (s *sentence) house(i int) bool {
	for n := i + 1; s.address(i) && n < i+4; n++ {
		if s.has(n, street) {
			return !s.is(n, "drive", "court", "circle", "terrace", "plaza", "trail")
		}
	}
	return false
}

// percentage parses 5%, 99.9%, and point five percent as 0.5%.
func (s *sentence) percentage(i int) match {
	if f, n := s.fraction(i); n > i && s.percent(n) > n {
		return one("0."+f+"%", i, s.percent(n))
	}
	a, ok := s.amount(i)
	if !ok || a.scale > 0 || s.percent(a.next) == a.next {
		return match{}
	}
	return one(a.digits+"%", i, s.percent(a.next))
}

// longestList is the maximum number of consecutive numbers or times examined together.
const longestList = 16

// list parses consecutive round numbers that are separate: thirty forty people, fifteen twenty minutes, ten twenty
// thirty.
func (s *sentence) list(i int) match {
	var m match
	step := 0
	for n := i; len(m.pieces) < longestList; {
		value, next := s.small(n)
		if value < 5 {
			break
		}
		if k := len(m.pieces); k == 1 {
			step = value - s.pieceValue(m.pieces[0])
		} else if k > 1 && value-s.pieceValue(m.pieces[k-1]) != step {
			break
		}
		m.pieces = append(m.pieces, piece{text: strconv.Itoa(value), from: n, to: next})
		n, m.next = next, next
	}
	if !s.steps(m, step) {
		return match{}
	}
	return m
}

func (s *sentence) pieceValue(p piece) int {
	value, _ := s.small(p.from)
	return value
}

// steps reports whether numbers that increase by step are a list rather than a code, a year or a time.
func (s *sentence) steps(m match, step int) bool {
	if len(m.pieces) < 2 || s.numeric(m.next) {
		return false
	}
	first := s.pieceValue(m.pieces[0])
	round := first%5 == 0 && (step == 5 || step == 10)
	if len(m.pieces) > 2 {
		return first >= 10 && (round || step == 1)
	}
	return round && (s.has(m.next, counted) || first > 12 && first != 20)
}

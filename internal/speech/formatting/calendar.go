package formatting

import (
	"strconv"

	"parley/internal/words/numeral"
)

// date parses a date that begins with a month: November 20, 2026; November 20; November 2026.
func (s *sentence) date(i int) match {
	if s.at(i).Class != numeral.Month {
		return match{}
	}
	m := s.monthYear(i)
	if s.numeric(i-1) || s.is(i-1, "of") && s.numeric(i-2) {
		return m // the day precedes the month
	}
	if d := s.monthDay(i); d.next > m.next {
		return d
	}
	return m
}

// monthYear parses november [of] twenty twenty six.
func (s *sentence) monthYear(i int) match {
	n := i + 1
	if s.is(n, "of") {
		n++
	}
	year, next := s.year(n)
	if year == 0 {
		return match{}
	}
	return match{next, append(s.named(i, n), piece{text: strconv.Itoa(year), from: n, to: next})}
}

// named returns the capitalised month at i and the unchanged words after it up to n.
func (s *sentence) named(i, n int) []piece {
	pieces := []piece{{text: capital(s.at(i).text), from: i, to: i + 1}}
	for j := i + 1; j < n; j++ {
		pieces = append(pieces, piece{from: j, to: j + 1})
	}
	return pieces
}

// monthDay parses november [the] twentieth [,] [twenty twenty six]. Years spoken with two digits are accepted from 32
// on and written with an apostrophe.
func (s *sentence) monthDay(i int) match {
	day, from, next := s.day(i)
	if day == 0 {
		return match{}
	}
	pieces := []piece{{text: capital(s.at(i).text), from: i, to: i + 1},
		{text: strconv.Itoa(day), from: from, to: next}}
	m := match{next, pieces}
	n := next
	if s.at(n).Class == comma {
		n++
	}
	year, end := s.year(n)
	text := strconv.Itoa(year)
	v, short := s.small(n)
	if year == 0 && v >= 32 && s.at(next-1).Class == numeral.Ordinal && s.ended(short) && !s.numeric(short) {
		text, end = "'"+strconv.Itoa(v), short
	} else if year == 0 {
		return m
	}
	switch {
	case n > next:
		m.pieces = append(m.pieces, piece{from: next, to: n})
	default:
		m.pieces[1].comma = true
	}
	m.next, m.pieces = end, append(m.pieces, piece{text: text, from: n, to: end})
	return m
}

// day parses the day after the month at i; from is the start of the month. May and March are also verbs, so they need
// an ordinal, or a preceding word that only a month can follow.
func (s *sentence) day(i int) (day, from, next int) {
	from = i + 1
	verb := s.is(i, "may", "march")
	article := s.is(from, "the")
	at := from
	if article {
		at++
	}
	if v, n := s.ordinalAt(at); n > at {
		if v > 31 || verb && (v < 4 && s.has(i-1, subject) || article && !s.ended(n)) {
			return 0, from, i
		}
		return v, from, n
	}
	v, n := s.small(at)
	if v == 0 || v > 31 || article || s.numeric(n) && !s.isYear(n) || s.has(n, unit|counted) || s.is(n, "of") {
		return 0, from, i
	}
	if verb && !s.isYear(n) && !(s.has(i-1, closes) &&
		s.is(i-1, "on", "by", "until", "till", "before", "after", "from", "to", "through", "for", "of")) {
		return 0, from, i
	}
	return v, from, n
}

// ended reports whether the token at i cannot be described by "first" or "second".
func (s *sentence) ended(i int) bool {
	c := s.at(i).Class
	return c == stop || c == comma || s.has(i, closes) || s.isYear(i)
}

func (s *sentence) isYear(i int) bool {
	year, _ := s.year(i)
	return year > 0
}

// year parses 1000–2099 in the spoken forms of years: nineteen eighty four, nineteen oh five, twenty ten, two
// thousand [and] four, nineteen hundred, one thousand nine hundred eighty five.
func (s *sentence) year(i int) (year, next int) {
	century := s.at(i)
	if century.Class == numeral.Teen && century.Value >= 15 || s.is(i, "twenty") {
		if v, n := s.small(i + 1); v >= 10 && !(century.Value == 20 && v > 99) {
			return century.Value*100 + v, n
		}
		if s.at(i+1).Class == numeral.Oh && s.at(i+2).Class == numeral.Digit {
			return century.Value*100 + s.at(i+2).Value, i + 3
		}
	}
	if c, ok := s.cardinal(i); ok && !c.article && c.value >= 1000 && c.value < 2100 && c.value != 1000 {
		return c.value, c.next
	}
	return 0, i
}

// dayOfMonth parses the twentieth of november [twenty twenty six], the fourth of this month, and the day after a
// weekday.
func (s *sentence) dayOfMonth(i int) match {
	v, n := s.ordinalAt(i)
	if n == i || v > 31 {
		return match{}
	}
	m := match{n, []piece{{text: ordinalText(v), from: i, to: n}}}
	if s.is(i-1, "the") && s.has(i-2, weekday) || s.is(n, "of") &&
		s.is(n+1, "this", "next", "last", "the", "each", "every") && s.is(n+2, "month") {
		return m
	}
	at := n
	if s.is(n, "of") {
		at++
		m.pieces = append(m.pieces, piece{from: n, to: at})
	}
	if s.at(at).Class != numeral.Month || at == n && s.is(at, "may", "march") {
		return match{}
	}
	m.next, m.pieces = at+1, append(m.pieces, s.named(at, at+1)...)
	if year, end := s.year(at + 1); year > 0 {
		m.next, m.pieces = end, append(m.pieces, piece{text: strconv.Itoa(year), from: at + 1, to: end})
	}
	return m
}

// decade parses the nineteen eighties.
func (s *sentence) decade(i int) match {
	d := s.at(i + 1)
	if d.Class != numeral.Decade || s.at(i).Class != numeral.Teen && !s.is(i, "twenty") {
		return match{}
	}
	return one(strconv.Itoa(s.at(i).Value*100+d.Value)+"s", i, i+2)
}

// ordinal parses an ordinal number from 10th on; smaller ones stay words.
func (s *sentence) ordinal(i int) match {
	v, n := s.ordinalAt(i)
	if n == i || v < 10 || s.numeric(i-1) && n == i+1 || n == i+1 && s.is(i-1, "a") {
		return match{}
	}
	return one(ordinalText(v), i, n)
}

// ordinalAt parses an ordinal number: tenth, twenty first, one hundred and first. "Twenty second" after "a" is a
// duration, not an ordinal.
func (s *sentence) ordinalAt(i int) (value, next int) {
	if t := s.at(i); t.Class == numeral.Ordinal {
		if t.Value >= 100 {
			return 0, i
		}
		return t.Value, i + 1
	}
	hundreds, n := 0, i
	if v, end := s.small(i); v > 0 && end == i+1 && s.at(end).Class == numeral.Hundred {
		hundreds, n = v*100, end+1
		if s.is(n, "and") {
			n++
		}
	} else if v > 0 && s.at(end).Class == numeral.Ordinal && s.at(end).Value >= 100 {
		return v * s.at(end).Value, end + 1
	}
	t, o := s.at(n), s.at(n+1)
	switch {
	case t.Class == numeral.Ordinal && hundreds > 0 && t.Value < 100:
		return hundreds + t.Value, n + 1
	case t.Class == numeral.Ten && o.Class == numeral.Ordinal && o.Value < 10 &&
		!(o.text == "second" && s.is(i-1, "a", "every", "another")):
		return hundreds + t.Value + o.Value, n + 2
	}
	return 0, i
}

// ordinalText formats an ordinal: 1st, 2nd, 3rd, 4th, 11th.
func ordinalText(v int) string {
	ending := "th"
	if v%100 < 11 || v%100 > 13 {
		switch v % 10 {
		case 1:
			ending = "st"
		case 2:
			ending = "nd"
		case 3:
			ending = "rd"
		}
	}
	return strconv.Itoa(v) + ending
}

// capital returns an ASCII word with its first letter in upper case.
func capital(word string) string {
	return string(word[0]-'a'+'A') + word[1:]
}

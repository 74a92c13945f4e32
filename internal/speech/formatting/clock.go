package formatting

import (
	"fmt"
	"strconv"

	"parley/internal/words/numeral"
)

// clock parses a time of day: 10 AM, 10:30 AM, 10:30, 5 o'clock.
func (s *sentence) clock(i int) match {
	hour := s.hour(i)
	if hour == 0 {
		return match{}
	}
	if n := s.oclock(i + 1); n > i+1 {
		pieces := []piece{{text: strconv.Itoa(hour), from: i, to: i + 1}, {text: "o'clock", from: i + 1, to: n}}
		if half, end := s.half(n); end > n {
			return match{end, append(pieces, piece{text: half, from: n, to: end})}
		}
		return match{n, pieces}
	}
	if half, n := s.half(i + 1); n > i+1 {
		return match{n, []piece{{text: strconv.Itoa(hour), from: i, to: i + 1}, {text: half, from: i + 1, to: n}}}
	}
	text, n := s.minutes(i)
	if n == i || hour > 12 && (s.numeric(n) || s.address(n)) {
		return match{}
	}
	if half, end := s.half(n); end > n {
		return match{end, []piece{{text: text, from: i, to: n}, {text: half, from: n, to: end}}}
	}
	if s.numeric(n) || s.address(n) || s.has(n, unit) || !s.clearly(i, n, text) {
		return match{}
	}
	return one(text, i, n)
}

// hour returns the hour at i: 1–12, 13–19 for a 24-hour clock, 0 if there is no hour.
func (s *sentence) hour(i int) int {
	if t := s.at(i); t.In(numeral.Digit, numeral.Teen) && (t.Value <= 12 || s.is(i-1, "at", "around")) {
		return t.Value
	}
	return 0
}

// minutes parses an hour with minutes from ten, or from oh one, to fifty nine.
func (s *sentence) minutes(i int) (text string, next int) {
	hour := s.hour(i)
	if hour == 0 {
		return "", i
	}
	m, n := s.small(i + 1)
	if s.at(i+1).Class == numeral.Oh && s.at(i+2).Class == numeral.Digit {
		m, n = s.at(i+2).Value, i+3
	} else if m < 10 || m > 59 {
		return "", i
	}
	return fmt.Sprintf("%d:%02d", hour, m), n
}

// clearly reports whether the hour and minutes from i to n are a time rather than a number such as two fifty. The
// surrounding words decide, or whether it is a common time.
func (s *sentence) clearly(i, n int, text string) bool {
	return s.has(i-1, clockPre) || s.has(n, clockPost|weekday) || s.usual(i, text)
}

// usual reports whether the hour and minutes at i, written as text, are more often a time than a number: quarters of
// an hour, and every five minutes from ten o'clock on.
func (s *sentence) usual(i int, text string) bool {
	switch minutes := text[len(text)-2:]; {
	case s.near(i, 2, label|account):
		return false
	case minutes == "15", minutes == "30", minutes == "45":
		return true
	case minutes[0] == '0':
		return s.hour(i) >= 10
	default:
		return s.hour(i) >= 10 && (minutes[1] == '0' || minutes[1] == '5')
	}
}

// schedule parses several times: eight thirty eight forty five, three forty six ten p m. Either at least one is usual
// and all are multiples of five minutes, or AM or PM follows.
func (s *sentence) schedule(i int) match {
	var m match
	usual, steps := false, true
	for n := i; s.hour(n) > 0 && len(m.pieces) < longestList; n = m.next {
		text, next := s.minutes(n)
		if next == n+3 && s.hour(n+2) > 0 && s.round(n+3) {
			text, next = text[:len(text)-1]+"0", n+2
		}
		if next == n {
			break
		}
		usual, steps = usual || s.usual(n, text), steps && (text[len(text)-1] == '0' || text[len(text)-1] == '5')
		m.pieces = append(m.pieces, piece{text: text, from: n, to: next})
		m.next = next
		if half, end := s.half(next); end > next {
			m.pieces = append(m.pieces, piece{text: half, from: next, to: end})
			m.next, usual, steps = end, true, true
			break
		}
	}
	if len(m.pieces) < 2 || s.numeric(m.next) || !usual || !steps {
		return match{}
	}
	return m
}

// round reports whether the token at i is a multiple of five minutes from ten on.
func (s *sentence) round(i int) bool {
	t := s.at(i)
	return (t.Class == numeral.Teen || t.Class == numeral.Ten) && t.Value < 60 && t.Value%5 == 0
}

// oclock returns the position after o'clock at i, else i.
func (s *sentence) oclock(i int) int {
	switch {
	case s.is(i, "o'clock", "oclock"):
		return i + 1
	case s.is(i, "o") && s.is(i+1, "clock"):
		return i + 2
	}
	return i
}

// half parses AM or PM: a m, pm, p.m.
func (s *sentence) half(i int) (text string, next int) {
	switch {
	case s.is(i, "a", "a.") && s.is(i+1, "m", "m."):
		return "AM", i + 2
	case s.is(i, "p", "p.") && s.is(i+1, "m", "m."):
		return "PM", i + 2
	case s.is(i, "a.m.", "a.m"), s.is(i, "am") && !s.is(i+1, "i"):
		return "AM", i + 1
	case s.is(i, "pm", "p.m.", "p.m"):
		return "PM", i + 1
	}
	return "", i
}

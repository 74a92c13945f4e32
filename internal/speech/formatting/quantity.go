package formatting

import (
	"strconv"

	"parley/internal/words/numeral"
)

// cardinal is a spoken whole number: nineteen, a hundred and five, two million.
type cardinal struct {
	value   int
	next    int  // position after it
	article bool // only "a hundred" or "a million": a figure of speech
	scale   int  // position of its final million, billion or trillion, else 0
}

// small parses 1–99.
func (s *sentence) small(i int) (value, next int) {
	value, n := numeral.Small(s.at(i).Entry, s.at(i+1).Entry)
	return value, i + n
}

// group parses 1–999, and hundreds up to ninety nine: twelve hundred and six.
func (s *sentence) group(i int) (value, next int) {
	value, next = s.small(i)
	if s.at(i).Class == numeral.Article && s.at(i+1).Class == numeral.Hundred {
		value, next = 1, i+1
	}
	if value == 0 || s.at(next).Class != numeral.Hundred || value > 9 && value%10 == 0 {
		return value, next
	}
	value, next = value*100, next+1
	if v, n := s.remainder(next); n > next {
		return value + v, n
	}
	return value, next
}

// remainder parses what may follow a hundred or thousand: [and] 1–99, unless it is a separate number.
func (s *sentence) remainder(i int) (value, next int) {
	from := i
	if s.is(i, "and") {
		from = i + 1
	}
	v, n := s.small(from)
	if v == 0 || s.at(n).Class == numeral.Hundred || from > i && (s.at(n).Class == numeral.Scale || s.is(n, "of")) {
		return 0, i
	}
	return v, n
}

// cardinal parses a whole number greater than zero.
func (s *sentence) cardinal(i int) (cardinal, bool) {
	part := s.is(i-1, "half") || s.is(i-1, "of") && s.is(i-2, "quarter")
	if s.estimate(i) || s.at(i).Class == numeral.Article && part {
		return cardinal{}, false
	}
	if s.at(i).Class == numeral.Article && s.at(i+1).Class == numeral.Scale {
		return s.scaled(cardinal{next: i}, 1, i+1)
	}
	value, next := s.group(i)
	if value == 0 {
		return cardinal{}, false
	}
	if s.at(next).Class == numeral.Scale {
		return s.scaled(cardinal{next: i}, value, next)
	}
	return cardinal{value: value, next: next, article: s.at(i).Class == numeral.Article && next == i+2}, true
}

// scaled continues after value if a thousand or a larger scale is at i.
func (s *sentence) scaled(c cardinal, value, i int) (cardinal, bool) {
	pure := s.at(c.next).Class == numeral.Article
	limit := s.at(i).Value
	c = cardinal{value: value * limit, next: i + 1, article: pure}
	if limit > 1000 {
		c.scale = i
	}
	for {
		v, n := s.group(c.next)
		if s.is(c.next, "and") {
			v, n = s.remainder(c.next)
		}
		if s.at(c.next).Class == numeral.Article || v == 0 {
			return c, true
		}
		if t := s.at(n); t.Class == numeral.Scale {
			if t.Value >= limit {
				return c, true
			}
			limit = t.Value
			v, n = v*limit, n+1
		} else if v >= limit {
			return c, true
		}
		c.value, c.next, c.article, c.scale = c.value+v, n, false, 0
		if s.at(n-1).Class != numeral.Scale {
			return c, true
		}
	}
}

// estimate reports whether the number at i is the second one of an estimate such as two or three hundred.
func (s *sentence) estimate(i int) bool {
	c := s.at(i + 1).Class
	if s.at(i).Class != numeral.Digit || c != numeral.Hundred && c != numeral.Scale {
		return false
	}
	return s.oneDigit(i-1) && !s.is(i-1, "one", "zero", "1", "0") || s.is(i-1, "or", "to") && s.oneDigit(i-2)
}

// oneDigit reports whether a digit 0–9, spoken or written, is at i.
func (s *sentence) oneDigit(i int) bool {
	t := s.at(i)
	return t.Class == numeral.Digit || t.Class == numeral.Figures && len(t.text) == 1
}

// amount is a number that can be a quantity: a whole number, a decimal, one and a half.
type amount struct {
	digits  string // as written, without the scale
	value   int    // whole part
	from    int
	scale   int // position of its million, billion or trillion, or 0
	next    int
	article bool
	plain   bool // a whole number
}

// amount parses a number of any kind, including zero.
func (s *sentence) amount(i int) (amount, bool) {
	c, ok := s.cardinal(i)
	if !ok && s.at(i).Class == numeral.Digit && !s.estimate(i) {
		c, ok = cardinal{value: s.at(i).Value, next: i + 1}, true
	}
	if !ok {
		return amount{}, false
	}
	unit := 1
	if c.scale > 0 {
		unit = s.at(c.scale).Value
	}
	digits := numeral.Group(strconv.Itoa(c.value/unit), ",")
	a := amount{digits: digits, value: c.value, from: i, scale: c.scale, next: c.next, article: c.article, plain: true}
	if c.scale > 0 {
		return a, true
	}
	if f, n := s.fraction(c.next); n > c.next && !(s.is(i-1, "at") && c.value == 1) {
		a.digits, a.next, a.plain, a.article = a.digits+"."+f, n, false, false
		return s.magnified(a), true
	}
	n := c.next
	half := s.is(n, "and") && s.is(n+1, "a") && s.is(n+2, "half")
	if half && (s.at(n+3).Class == numeral.Scale || s.percent(n+3) > n+3) {
		a.digits, a.next, a.plain, a.article = a.digits+".5", n+3, false, false
		return s.magnified(a), true
	}
	return a, true
}

// magnified appends a million after a decimal.
func (s *sentence) magnified(a amount) amount {
	if s.at(a.next).Class == numeral.Scale {
		a.scale, a.next = a.next, a.next+1
	}
	return a
}

// fraction parses point five, point one four, point seventy five.
func (s *sentence) fraction(i int) (digits string, next int) {
	if s.at(i).Class != numeral.Point {
		return "", i
	}
	next = i + 1
	for c := s.at(next).Class; c == numeral.Digit || c == numeral.Oh; c = s.at(next).Class {
		digits += strconv.Itoa(s.at(next).Value)
		next++
	}
	if digits != "" {
		return digits, next
	}
	if v, n := s.small(next); v > 0 {
		return strconv.Itoa(v), n
	}
	return "", i
}

// percent returns the position after a percent at i, else i.
func (s *sentence) percent(i int) int {
	switch {
	case s.is(i, "percent"):
		return i + 1
	case s.is(i, "per") && s.is(i+1, "cent"):
		return i + 2
	}
	return i
}

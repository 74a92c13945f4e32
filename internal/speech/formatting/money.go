package formatting

import (
	"fmt"
	"strconv"

	"parley/internal/words/numeral"
)

// currencies are written before the amount. Pounds are usually a weight, and bucks stay as they are.
var currencies = map[string]string{"dollar": "$", "dollars": "$", "euro": "€", "euros": "€"}

// money parses an amount with its currency: $5, $2.5 million, $138.65, $49.99.
func (s *sentence) money(i int) match {
	if m := s.pricedPair(i); m.next > 0 {
		return m
	}
	a, ok := s.amount(i)
	if !ok {
		return match{}
	}
	symbol, ok := currencies[s.at(a.next).text]
	if !ok {
		return match{}
	}
	end := a.next + 1
	if a.scale > 0 {
		name := s.at(a.scale).text
		return match{end, []piece{{text: symbol + a.digits, from: i, to: a.scale},
			{text: name, from: a.scale, to: end}}}
	}
	if !a.plain {
		return one(symbol+cents(a.digits), i, end)
	}
	if c, n := s.cents(end); n > end {
		return one(fmt.Sprintf("%s%s.%02d", symbol, a.digits, c), i, n)
	}
	return one(symbol+a.digits, i, end)
}

// cents pads a decimal amount to two places: 3.5 → 3.50.
func cents(digits string) string {
	if len(digits) > 1 && digits[len(digits)-2] == '.' {
		return digits + "0"
	}
	return digits
}

// cents parses the cents after dollars: [and] fifty cents, or fifty if no noun follows that it counts.
func (s *sentence) cents(i int) (value, next int) {
	from := i
	if s.is(i, "and") {
		from++
	}
	v, n := s.small(from)
	switch {
	case v > 0 && s.is(n, "cents", "cent"):
		return v, n + 1
	case v >= 10 && from == i && !s.numeric(n) && s.ended(n):
		return v, n
	}
	return 0, i
}

// pricedPair parses forty nine ninety nine dollars, and two fifty dollars as $250.
func (s *sentence) pricedPair(i int) match {
	text, n := s.pair(i)
	if v, end := s.small(i + 1); n == i && s.at(i).Class == numeral.Digit && v >= 10 {
		text, n = strconv.Itoa(s.at(i).Value*100+v), end
	}
	symbol, ok := currencies[s.at(n).text]
	if n == i || !ok || s.is(n+1, "bill", "bills") {
		return match{}
	}
	return one(symbol+text, i, n+1)
}

// price parses an amount without a currency if money is clearly meant: forty nine ninety nine a month, the total is
// one hundred thirty eight sixty five.
func (s *sentence) price(i int) match {
	text, n := s.pair(i)
	if n == i || s.numeric(n) || s.address(n) || s.has(i-1, clockPre) {
		return match{}
	}
	if _, half := s.half(n); half > n {
		return match{}
	}
	if !s.near(i, 4, price) && !s.per(n) {
		return match{}
	}
	return one("$"+text, i, n)
}

// per reports whether the words at i mark the end of a price: a month, per year, each, plus tax.
func (s *sentence) per(i int) bool {
	return s.has(i, period) || s.is(i, "a", "per") &&
		s.is(i+1, "month", "year", "week", "day", "piece", "person", "line", "box", "night") ||
		s.is(i, "plus") && s.is(i+1, "tax", "shipping")
}

// pair parses dollars and cents spoken as two numbers: forty nine ninety nine. A single digit of dollars needs cents
// of 95 or 99, because two fifty is more often 250.
func (s *sentence) pair(i int) (text string, next int) {
	whole, n := s.group(i)
	if whole == 0 {
		return "", i
	}
	c, end := s.small(n)
	if s.at(n).Class == numeral.Oh && s.at(n+1).Class == numeral.Digit {
		c, end = s.at(n+1).Value, n+2
	} else if c < 10 || whole < 10 && c != 99 && c != 95 {
		return "", i
	}
	return strconv.Itoa(whole) + "." + fmt.Sprintf("%02d", c), end
}

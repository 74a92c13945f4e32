package detect

import (
	"strconv"
	"strings"

	"parley/internal/words/numeral"
)

// item is one part of a number: a digit, forty one, double four, 4111, november.
type item struct {
	span
	digits string // empty for a month
	split  string // 401 for "forty one"; empty without a second reading
	weak   bool   // perhaps misheard, or not a number
}

// chunk is a run of parts of a number that a speaker says without other words between them.
type chunk struct {
	span           // tokens that are certainly numbers
	wide    span   // including words at its ends that may be misheard digits
	items   []item // of wide
	digits  string
	strong  int    // number of items in span
	loose   string // digits including the words at its ends that may be digits
	dated   bool   // with a month, or written as a date
	amount  bool   // counts or measures something
	counted bool   // a small number before the noun that it counts
	opaque  bool   // contains letters: never part of a longer number
	round   bool   // contains hundred or thousand
	ranged  bool   // from one number to another: nine to five
}

// chunks returns the numbers of the call in order.
func (c *call) chunks() []chunk {
	var all []chunk
	for _, turn := range c.turns {
		for i := turn.from; i < turn.to; {
			k, next := c.chunk(i, turn.to)
			if len(k.items) > 0 {
				all = append(all, k)
			}
			i = max(next, i+1)
		}
	}
	return all
}

// mostItems bounds the parts of a chunk; the rest starts another chunk. Nobody says a number of so many digits, and the
// work per number grows with the square of its digits.
const mostItems = 128

// chunk parses the number that starts at a token, if any. next is the token after it.
func (c *call) chunk(i, end int) (k chunk, next int) {
	if cl := c.tokens[i].Class; cl == numeral.Other || cl == numeral.Ordinal && !c.dateAt(i, end) {
		return k, i + 1
	}
	var items []item
	for next = i; next < end && len(items) < mostItems; {
		it, ok := c.item(next, end, len(items) > 0)
		if ok {
			items = append(items, it)
			if next = it.to; c.tokens[it.from].Class == numeral.Figures && c.tokens[it.from].figure.form != code {
				break
			}
			continue
		}
		if len(items) == 0 || !c.bridged(next, end) {
			break
		}
		next++
	}
	next = max(next, i+1)
	strong := trimmed(items)
	if len(strong) == 0 {
		return k, next
	}
	k = chunk{strong: len(strong), span: span{strong[0].from, strong[len(strong)-1].to},
		wide: span{items[0].from, items[len(items)-1].to}, items: items}
	for _, it := range items {
		k.loose += it.digits
	}
	c.describe(&k, strong, end)
	return k, next
}

// trimmed removes items from both ends that are numbers only between others.
func trimmed(items []item) []item {
	for len(items) > 0 && items[0].weak {
		items = items[1:]
	}
	for len(items) > 0 && items[len(items)-1].weak {
		items = items[:len(items)-1]
	}
	for _, it := range items {
		if !it.weak && it.digits != "" {
			return items
		}
	}
	return nil
}

// bridged reports whether the words at i may stand inside a number and the number continues after them.
func (c *call) bridged(i, end int) bool {
	for n := i; n < end && n <= i+longestFiller; n++ {
		t := c.tokens[n]
		if !t.is(hesitation | joint) {
			return n > i && t.Class != numeral.Other && t.Class != misheard && t.Class != numeral.Ordinal
		}
	}
	return false
}

// item parses one part of a number. If inside is set, it accepts words that are numbers only after others.
func (c *call) item(i, end int, inside bool) (item, bool) {
	t := &c.tokens[i]
	it := item{span: span{i, i + 1}}
	next := &token{}
	if i+1 < end {
		next = &c.tokens[i+1]
	}
	switch t.Class {
	case numeral.Figures:
		it.digits = t.figure.digits
		return it, t.figure.form == code || t.figure.form != email && !inside
	case numeral.Oh:
		it.digits = "0"
		it.weak = !inside && !next.numeric() && !(next.Class == numeral.Oh && i+2 < end && c.tokens[i+2].numeric())
		return it, true
	case misheard:
		it.digits, it.weak = strconv.Itoa(t.Value), true
		return it, inside || next.numeric() || next.Class == numeral.Oh
	case numeral.Repeat:
		for next.is(hesitation) && it.to+1 < end {
			it.to++
			next = &c.tokens[it.to]
		}
		if next.In(numeral.Digit, numeral.Oh, misheard) || next.Class == numeral.Figures &&
			len(next.figure.digits) == 1 {
			digit := strconv.Itoa(next.Value)
			if next.Class == numeral.Figures {
				digit = next.figure.digits
			}
			it.digits, it.to = strings.Repeat(digit, t.Value), it.to+1
			return it, true
		}
		return it, false
	case numeral.Plural:
		it.digits = strconv.Itoa(t.Value)
		return it, inside
	case numeral.Month:
		it.to = c.pastOf(i+1, end)
		verb := (t.text == "may" || t.text == "march") && c.at(i-1).Class != numeral.Ordinal && c.at(i-1).text != "of"
		return it, c.dateAt(i, end) || inside && !verb
	case numeral.Ordinal:
		it.digits, it.to = strconv.Itoa(t.Value), c.pastOf(i+1, end)
		after := c.at(i-1).Class == numeral.Month || c.at(i-2).Class == numeral.Month
		return it, inside && (next.numeric() || next.Class == numeral.Month || after) || !inside && c.dateAt(i, end)
	case numeral.Digit, numeral.Teen, numeral.Ten, numeral.Whole:
		it = c.small(i, end)
		it.weak = t.text == "one" && !inside && c.pointed(i)
		return it, !(t.text == "one" && next.is(thing))
	}
	return it, false
}

// pointed reports whether the word before a token makes "one" a pronoun: this one.
func (c *call) pointed(i int) bool {
	turn := c.tokens[i].turn
	for i--; c.inTurn(i, turn).is(hesitation); i-- {
	}
	return c.inTurn(i, turn).is(pointer)
}

// numeric reports whether a token is certainly a number.
func (t *token) numeric() bool {
	return t.In(numeral.Digit, numeral.Teen, numeral.Ten, numeral.Whole, numeral.Repeat) ||
		t.Class == numeral.Figures && t.figure.form == code
}

// small parses a number below a hundred, with a following hundred or thousand.
func (c *call) small(i, end int) item {
	t, second := &c.tokens[i], numeral.Entry{}
	if i+1 < end {
		second = c.tokens[i+1].Entry
	}
	value, n := numeral.Small(t.Entry, second)
	it := item{span: span{i, i + n}, digits: strconv.Itoa(value)}
	if value > 20 && value%10 > 0 {
		it.split = it.digits[:1] + "0" + it.digits[1:]
	}
	if t.Class == numeral.Digit && it.to < end && c.tokens[it.to].Class == numeral.Plural {
		it.digits, it.to = strings.Repeat(strconv.Itoa(c.tokens[it.to].Value), max(t.Value, 1)), it.to+1
		return it
	}
	return c.round(it, end)
}

// round parses hundred and thousand after a number, and the number added to them.
func (c *call) round(it item, end int) item {
	if it.to >= end || !c.tokens[it.to].In(numeral.Hundred, numeral.Scale) {
		return it
	}
	zeros := c.tokens[it.to].Zeros()
	it.split, it.digits, it.to = "", it.digits+zeros, it.to+1
	n := it.to
	if n+1 < end && c.tokens[n].text == "and" {
		n++
	}
	if n >= end || !c.tokens[n].In(numeral.Teen, numeral.Ten, numeral.Whole) &&
		!(n > it.to && c.tokens[n].Class == numeral.Digit) {
		return it
	}
	rest := c.small(n, end)
	if len(rest.digits) <= len(zeros) && rest.split != "" || len(rest.digits) == 2 || n > it.to &&
		len(rest.digits) <= len(zeros) {
		it.split = it.digits + rest.digits
		it.digits, it.to = it.digits[:len(it.digits)-len(rest.digits)]+rest.digits, rest.to
	}
	return it
}

// pastOf returns the token after "of" and "the" if a date continues there, else i.
func (c *call) pastOf(i, end int) int {
	n := i
	for n < end && n < i+2 && (c.tokens[n].text == "of" || c.tokens[n].text == "the") {
		n++
	}
	if n < end && (c.tokens[n].numeric() || c.tokens[n].In(numeral.Oh, numeral.Month, numeral.Ordinal)) {
		return n
	}
	return i
}

// dateAt reports whether a date begins at a token: a month or an ordinal next to a number or to each other.
func (c *call) dateAt(i, end int) bool {
	switch c.tokens[i].Class {
	case numeral.Month:
		n := c.pastOf(i+1, end)
		return n > i+1 || n < end && (c.tokens[n].numeric() || c.tokens[n].In(numeral.Oh, numeral.Ordinal))
	case numeral.Ordinal:
		return c.at(i+1).Class == numeral.Month && i+1 < end ||
			i+2 < end && c.tokens[i+1].text == "of" && c.tokens[i+2].Class == numeral.Month
	}
	return false
}

// describe sets the flags of a chunk.
func (c *call) describe(k *chunk, strong []item, end int) {
	var b strings.Builder
	for _, it := range strong {
		b.WriteString(it.digits)
		for n := it.from; n < it.to; n++ {
			switch t := &c.tokens[n]; {
			case t.Class == numeral.Hundred, t.Class == numeral.Scale:
				k.round = true
			case t.Class == numeral.Month, t.Class == numeral.Figures && t.figure.form == date:
				k.dated = true
			case t.Class != numeral.Figures:
			case t.figure.form == amount, t.figure.form == clock:
				k.amount = true
			case t.figure.form == mixed, t.figure.form == mailbox:
				k.opaque = true
			}
		}
	}
	k.digits = b.String()
	next := &token{}
	if k.to < end {
		next = &c.tokens[k.to]
	}
	after := c.inTurn(k.to+1, next.turn)
	if len(k.digits) < 7 && ((next.text == "a" || next.text == "per") && after.is(unit) || next.is(unit) ||
		(next.text == "a" || next.text == "p") && after.text == "m") {
		k.amount = true
	}
	k.dated = k.dated || c.year(k, strong)
	k.ranged = c.ranges(strong)
	about := next.is(meta) && !next.is(filler) && !next.each(after)
	k.counted = c.counts(k, next) || len(strong) == 1 && len(k.digits) < 3 && about
}

// each reports whether a word about digits announces the next one: digit four, number nine.
func (t *token) each(next *token) bool {
	return (t.text == "digit" || t.text == "number") && (next.numeric() || next.Class == numeral.Oh)
}

// longestRange is the maximum number of digits of two numbers joined by "to", which itself counts as one.
const longestRange = 7

// ranges reports whether parts of a number are two numbers joined by "to": nine to five, six thirty to ten.
func (c *call) ranges(parts []item) bool {
	to, digits, tall := 0, 0, len(parts) == 3
	for _, p := range parts {
		if c.tokens[p.from].text == "to" {
			to++
		}
		digits += len(p.digits)
		tall = tall || len(p.digits) > 1
	}
	return to == 1 && tall && digits <= longestRange
}

// year reports whether a number is a year: in twenty nineteen, since 1998.
func (c *call) year(k *chunk, strong []item) bool {
	before := c.inTurn(k.from-1, c.tokens[k.from].turn).text
	if len(k.digits) != 4 || len(strong) > 2 || before != "in" && before != "since" && before != "until" &&
		before != "year" && before != "of" && before != "from" {
		return false
	}
	n := number(k.digits)
	return n >= 1900 && n < 2040
}

// counts reports whether a small number counts the noun after it: two accounts, one moment.
func (c *call) counts(k *chunk, next *token) bool {
	if len(k.digits) > 2 || len(k.items) > 1 && len(k.digits) > 1 {
		return false
	}
	if next.text == "of" || next.text == "or" {
		return true
	}
	if before := c.inTurn(k.from-1, c.tokens[k.from].turn).text; (before == "next" || before == "first") &&
		next.text == "" {
		return true
	}
	return next.text != "" && !next.is(glue|hesitation|joint|meta)
}

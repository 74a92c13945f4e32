package dialogue

import (
	"fmt"
	"strconv"
	"strings"

	"parley/internal/words/numeral"
)

// style is a way of saying digits.
type style struct {
	zero    string
	doubles bool
	pairs   bool
}

func (b *builder) style() style {
	return style{zero: b.pick([]string{"zero", "oh", "oh", "o"}), doubles: b.chance(.35), pairs: b.chance(.25)}
}

// spell returns the words of digits in a style.
func (b *builder) spell(digits string, s style) []string {
	var words []string
	for i := 0; i < len(digits); {
		run := 1
		for i+run < len(digits) && digits[i+run] == digits[i] && run < 3 {
			run++
		}
		switch {
		case s.doubles && run > 1:
			words = append(words, numeral.Double(digits[i:i+run], s.zero)...)
			i += run
		case s.pairs && i+1 < len(digits) && digits[i] != '0':
			words = append(words, numeral.SayPair(digits[i:i+2])...)
			i += 2
		default:
			words = append(words, numeral.Spell(digits[i:i+1], s.zero)...)
			i++
		}
	}
	return words
}

// alike lists the words that recognisers output for a digit.
var alike = map[string][]string{
	"one": {"won"}, "two": {"to", "too"}, "three": {"tree"}, "four": {"for"}, "five": {"fife"}, "six": {"sicks", "six"},
	"eight": {"ate"}, "nine": {"nine"},
}

// mistakes are words that recognisers have output for digits on bad lines.
var mistakes = strings.Fields(
	`the a i that heaven fine hey you sex to for free on it night in sir kind off are shoe all right life when then tea phone more door i'm
	thirty ten seven six two one eight nine he see and say seventy then sick son an our`)

// heard simulates a recogniser: it occasionally replaces words.
func (b *builder) heard(words []string) []string {
	var out []string
	for _, w := range words {
		switch a := alike[w]; {
		case b.mistaken > 0 && b.chance(b.mistaken):
			w = b.pick(mistakes)
		case a != nil && b.chance(.03):
			w = b.pick(a)
		case b.chance(.004):
			w = b.pick(numeral.Digits)
		case b.chance(.003):
			continue
		}
		out = append(out, w)
		if b.chance(.02) {
			out = append(out, b.pick(hesitations))
		}
	}
	return out
}

// plain says digits without a break.
func (b *builder) plain(who int, k Kind, digits string) {
	if b.written {
		b.say(who, labelled{digits, k})
		return
	}
	b.label(who, k, b.heard(b.spell(digits, b.style())))
}

// label says words labelled with a kind; hesitations have no label.
func (b *builder) label(who int, k Kind, words []string) {
	for _, w := range words {
		of := k
		if w == "uh" || w == "um" || w == "er" || w == "and" || w == "slash" {
			of = ""
		}
		b.say(who, labelled{w, of})
	}
}

// cut splits digits into groups.
func cut(digits string, sizes []int) []string {
	var groups []string
	for i := 0; digits != ""; i++ {
		n := len(digits)
		if i < len(sizes) {
			n = min(n, sizes[i])
		}
		groups, digits = append(groups, digits[:n]), digits[n:]
	}
	return groups
}

// number says digits, in one piece or in chunks to which the other party responds.
func (b *builder) number(who int, k Kind, digits string, sizes []int) {
	groups := cut(digits, sizes)
	if b.written {
		b.figures(who, k, digits, groups)
		return
	}
	s := b.style()
	if len(groups) == 1 || b.chance(.35) {
		b.label(who, k, b.heard(b.spell(digits, s)))
	} else {
		for i, g := range groups {
			b.chunk(who, k, g, s)
			if i+1 < len(groups) {
				b.follow(1-who, k, g, s)
			}
		}
	}
	if b.chance(.3) {
		b.readBack(1-who, k, digits, groups)
	}
}

// chunk says a part of a number, sometimes after a wrong attempt.
func (b *builder) chunk(who int, k Kind, g string, s style) {
	if b.chance(.06) {
		b.label(who, k, b.heard(b.spell(b.wrong(g), s)))
		b.fill(who, b.pick(b.script.corrections), nil)
	}
	b.label(who, k, b.heard(b.spell(g, s)))
}

// wrong changes a digit.
func (b *builder) wrong(g string) string {
	i := b.IntN(len(g))
	return g[:i] + string('0'+(g[i]-'0'+byte(1+b.IntN(9)))%10) + g[i+1:]
}

// follow generates the response of the other party between two chunks.
func (b *builder) follow(who int, k Kind, g string, s style) {
	switch {
	case b.chance(.25):
		return
	case b.chance(.35):
		b.label(who, k, b.heard(b.spell(g, s)))
	case b.chance(.08):
		b.label(who, k, b.heard(b.spell(b.wrong(g), s)))
		b.fill(1-who, b.pick(b.script.refusals), nil)
		b.label(1-who, k, b.heard(b.spell(g, s)))
		b.fill(who, b.pick(b.script.acks), nil)
	default:
		b.fill(who, b.pick(b.script.acks), nil)
	}
}

// readBack repeats a number.
func (b *builder) readBack(who int, k Kind, digits string, groups []string) {
	b.fill(who, b.pick(b.script.readBacks), nil)
	s := b.style()
	for i, g := range groups {
		b.label(who, k, b.heard(b.spell(g, s)))
		if i+1 < len(groups) && b.chance(.2) {
			b.fill(1-who, b.pick(b.script.acks), nil)
		}
	}
	b.fill(1-who, b.pick(b.script.yes), nil)
}

// figures writes a number: in one word, in groups with hyphens, or in groups that are words.
func (b *builder) figures(who int, k Kind, digits string, groups []string) {
	switch b.IntN(3) {
	case 0:
		b.say(who, labelled{digits, k})
	case 1:
		b.say(who, labelled{strings.Join(groups, "-"), k})
	default:
		for _, g := range groups {
			b.say(who, labelled{g, k})
		}
	}
}

// expiry says the month in which a card expires.
func (b *builder) expiry(who int) {
	m, y := 1+b.IntN(12), 25+b.IntN(8)
	if b.written {
		b.say(who, labelled{fmt.Sprintf("%02d/%02d", m, y), Expiry})
		return
	}
	month := pairOrDigits(m, b.pick([]string{"oh", "zero", ""}))
	year := numeral.Say(y, false)
	if b.chance(.3) {
		year = append([]string{"twenty"}, year...)
	}
	if b.chance(.3) {
		month = []string{numeral.Months[m-1]}
	}
	if b.chance(.2) {
		year = []string{"two", numeral.Digits[y%10]}
	}
	if b.chance(.1) {
		month = append(month, "slash")
	}
	b.label(who, Expiry, b.heard(append(month, year...)))
}

func pairOrDigits(n int, zero string) []string {
	said := numeral.Say(n, false)
	if n >= 10 || zero == "" {
		return said
	}
	return append([]string{zero}, said...)
}

// date says a day.
func (b *builder) date(who int, k Kind, year int) {
	m, d := 1+b.IntN(12), 1+b.IntN(28)
	if b.written {
		b.say(who, labelled{fmt.Sprintf("%d/%d/%d", m, d, year), k})
		return
	}
	var words []string
	switch b.IntN(3) {
	case 0:
		words = append(append([]string{numeral.Months[m-1]}, numeral.SayOrdinal(d, false)...), spokenYear(year)...)
	case 1:
		words = append(append(pairOrDigits(m, b.pick([]string{"oh", ""})),
			pairOrDigits(d, b.pick([]string{"oh", ""}))...), spokenYear(year)...)
	default:
		words = append(append([]string{numeral.Months[m-1]}, pairOrDigits(d, "")...), spokenYear(year)...)
	}
	b.label(who, k, words)
}

func spokenYear(y int) []string {
	if y >= 2000 && y < 2010 {
		return numeral.Say(y, false)
	}
	return append(numeral.Say(y/100, false), numeral.SayPair(strconv.Itoa(y)[2:])...)
}

// price says an amount.
func (b *builder) price(who int) {
	dollars, cents := 1+b.IntN(400), b.IntN(100)
	if b.written {
		b.say(who, labelled{fmt.Sprintf("$%d.%02d", dollars, cents), Price})
		return
	}
	words := numeral.Say(dollars, false)
	if cents >= 10 {
		if b.chance(.5) {
			words = append(append(append(words, "dollars", "and"), numeral.Say(cents, false)...), "cents")
		} else if b.chance(.5) {
			words = append(words, numeral.Say(cents, false)...)
		} else {
			words = append(words, "dollars")
		}
	} else {
		words = append(words, "dollars")
	}
	b.label(who, Price, words)
}

// clock says a time of day.
func (b *builder) clock(who int) {
	h, m := 1+b.IntN(12), 5*b.IntN(12)
	if b.written {
		b.say(who, labelled{fmt.Sprintf("%d:%02d", h, m), Clock})
		return
	}
	words := pairOrDigits(h, "")
	if m >= 10 {
		words = append(words, numeral.Say(m, false)...)
	}
	b.label(who, Clock, append(words, b.pick([]string{"a", "p"}), "m"))
}

// email says an email address.
func (b *builder) email(who int) {
	first, last, host := b.pick(b.script.first), b.pick(b.script.last),
		b.pick([]string{"gmail", "yahoo", "hotmail", "outlook"})
	n := strconv.Itoa(1 + b.IntN(99))
	if b.written {
		b.say(who, labelled{first + "." + last + n + "@" + host + ".com", Email})
		return
	}
	words := []string{first}
	if b.chance(.6) {
		words = append(words, b.pick([]string{"dot", "underscore"}))
	}
	words = append(words, last)
	if b.chance(.4) {
		words = append(words, b.spell(n, style{zero: "zero"})...)
	}
	b.label(who, Email, append(words, "at", host, "dot", "com"))
}

package dialogue

import (
	"fmt"
	"strings"
)

// lines says a text of the form "A: … / C: …" with numbers in braces.
func (b *builder) lines(text string) {
	for part := range strings.SplitSeq(text, " / ") {
		who, words, _ := strings.Cut(part, ": ")
		b.fill(strings.Index("AC", who), words, nil)
	}
}

// fill says words, replacing names in braces by values.
func (b *builder) fill(speaker int, words string, values map[string]func(speaker int)) {
	for w := range strings.FieldsSeq(words) {
		if f := values[w]; f != nil {
			f(speaker)
			continue
		}
		b.say(speaker, labelled{text: w})
		if b.chance(.01) {
			b.say(speaker, labelled{text: b.pick(hesitations)})
		}
	}
}

var hesitations = []string{"uh", "um", "er"}

// topic asks for a value of a kind and says it.
func (b *builder) topic(k Kind) {
	values := map[string]func(int){}
	number := func(k Kind, digits string, groups ...int) {
		values["{"+string(k)+"}"] = func(who int) { b.number(who, k, digits, groups) }
	}
	switch k {
	case Card:
		digits, groups := b.card()
		number(Card, digits, groups...)
		values["{expiry}"] = b.expiry
		number(Security, b.digits(securityLength(digits)), 4)
		values["{last}"] = func(who int) { b.plain(who, LastFour, digits[len(digits)-4:]) }
	case Social:
		digits := fmt.Sprintf("%03d%02d%04d", 1+b.IntN(665), 1+b.IntN(99), 1+b.IntN(9999))
		number(Social, digits, 3, 2, 4)
		values["{last}"] = func(who int) { b.plain(who, Social, digits[5:]) }
	case Phone:
		digits := fmt.Sprintf("%d%02d%d%02d%04d", 2+b.IntN(8), b.IntN(100), 2+b.IntN(8), b.IntN(100), b.IntN(10000))
		number(Phone, digits, 3, 3, 4)
	case Birthdate:
		values["{birthdate}"] = func(who int) { b.date(who, Birthdate, 1930+b.IntN(75)) }
	case Date:
		values["{date}"] = func(who int) { b.date(who, Date, 2020+b.IntN(7)*b.IntN(2)) }
	case Account:
		digits := b.digits([]int{6, 8, 10, 11, 12}[b.IntN(5)])
		number(Account, digits, 3, 3, 3, 3)
	case Order:
		digits := b.digits([]int{5, 6, 7, 8, 12, 18}[b.IntN(6)])
		number(Order, digits, 4, 4, 4, 4, 4)
	case Zip:
		number(Zip, b.digits(5), 5)
	case LastFour:
		values["{lastfour}"] = func(who int) { b.plain(who, LastFour, b.digits(4)) }
	case Price:
		values["{price}"] = b.price
	case Clock:
		values["{clock}"] = b.clock
	case Count:
		values["{count}"] = func(who int) { b.say(who, labelled{b.pick(counts), Count}) }
	case Email:
		values["{email}"] = b.email
	case Name:
		values["{name}"] = func(who int) {
			b.say(who, labelled{b.pick(b.script.first), Name}, labelled{b.pick(b.script.last), Name})
		}
		values["{first}"] = func(who int) { b.say(who, labelled{b.pick(b.script.first), Name}) }
	}
	for part := range strings.SplitSeq(b.pick(b.script.topics[k]), " / ") {
		who, words, _ := strings.Cut(part, ": ")
		b.fill(strings.Index("AC", who), words, values)
	}
}

// securityLength returns the number of digits of a card's security code: four for American Express, otherwise three.
func securityLength(card string) int {
	if strings.HasPrefix(card, "34") || strings.HasPrefix(card, "37") {
		return 4
	}
	return 3
}

var counts = strings.Fields("one two three four five six ten twelve")

// digits returns random digits.
func (b *builder) digits(n int) string {
	var s strings.Builder
	for range n {
		s.WriteByte(byte('0' + b.IntN(10)))
	}
	return s.String()
}

// brands lists the issuers' prefixes, with the lengths of their numbers and the groups in which they are said.
var brands = []struct {
	prefix string
	length int
	groups []int
}{
	{"4", 16, []int{4, 4, 4, 4}}, {"4", 16, []int{4, 4, 4, 4}}, {"4", 13, []int{4, 3, 3, 3}},
	{"51", 16, []int{4, 4, 4, 4}}, {"54", 16, []int{4, 4, 4, 4}}, {"55", 16, []int{4, 4, 4, 4}},
	{"2221", 16, []int{4, 4, 4, 4}}, {"2720", 16, []int{4, 4, 4, 4}}, {"34", 15, []int{4, 6, 5}},
	{"37", 15, []int{4, 6, 5}}, {"6011", 16, []int{4, 4, 4, 4}},
	{"65", 16, []int{4, 4, 4, 4}}, {"3528", 16, []int{4, 4, 4, 4}}, {"36", 14, []int{4, 6, 4}},
	{"62", 16, []int{4, 4, 4, 4}}, {"62", 19, []int{6, 4, 4, 5}},
}

// card returns a card number with a correct check digit.
func (b *builder) card() (digits string, groups []int) {
	brand := brands[b.IntN(len(brands))]
	body := brand.prefix + b.digits(brand.length-len(brand.prefix)-1)
	sum := 0
	for i := range len(body) {
		d := int(body[len(body)-1-i] - '0')
		if i%2 == 0 {
			d = 2*d/10 + 2*d%10
		}
		sum += d
	}
	return body + string(byte('0'+(10-sum%10)%10)), brand.groups
}

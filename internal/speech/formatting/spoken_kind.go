package formatting

import (
	"regexp"
	"strconv"
	"strings"

	"parley/internal/words/numeral"
)

var (
	percentShape = regexp.MustCompile(`^([\d,]*\.?\d+)%$`)
	decadeShape  = regexp.MustCompile(`^'?(\d\d)?(\d0)'?s$`)
	currencyName = map[string][2]string{"$": {"dollars", "dollar"}, "€": {"euros", "euro"}, "£": {"pounds", "pound"}}
)

// currency parses an amount of money that is spoken as one number.
func currency(word string) (numeral.Money, bool) {
	m, ok := numeral.ReadMoney(word)
	return m, ok && len(m.Whole) <= longestSaid
}

// amountForms returns the spoken forms of $138.65, $5, $50k.
func amountForms(word string) [][]string {
	m, ok := currency(word)
	if !ok {
		return nil
	}
	if m.Scale != "" {
		return magnitude(m, m.Scale)
	}
	names := currencyName[m.Currency]
	unit := names[0]
	if m.Whole == "1" && m.Fraction == "" {
		unit = names[1]
	}
	whole := wholeForms(m.Whole)
	switch {
	case m.Fraction == "" || m.Fraction == "00":
		forms := join(whole, [][]string{{unit}, {names[1]}, {}})
		if m.Whole == "1" {
			forms = append(forms, []string{"a", names[1]})
		}
		if len(m.Whole) == 3 {
			forms = append(forms, join(pairForms(m.Whole), words(unit))...)
		}
		return forms
	case len(m.Fraction) != 2:
		return join(join(whole, join(words("point"), [][]string{numeral.Spell(m.Fraction, "zero")})), words(names[0]))
	}
	c, _ := strconv.Atoi(m.Fraction)
	cents := [][]string{numeral.Say(c, false)}
	if m.Whole == "0" {
		return join(cents, [][]string{{"cents"}, {"cent"}})
	}
	pair := numeral.SayPair(m.Fraction)
	forms := join(whole, join([][]string{{unit, "and"}, {unit}}, join(cents, words("cents"))))
	forms = append(forms, join(whole, [][]string{pair, append(pair, names[0])})...)
	return append(forms, join(whole, join([][]string{{unit, "and"}, {unit}}, cents))...)
}

// magnitude returns the spoken forms of $2.5 million.
func magnitude(m numeral.Money, scale string) [][]string {
	number := wholeForms(m.Whole)
	if m.Fraction != "" {
		number = decimalForms(m.Whole + "." + m.Fraction)
	} else if m.Whole == "1" {
		number = append(number, []string{"a"})
	}
	return join(join(number, words(scale)), [][]string{{currencyName[m.Currency][0]}, {}})
}

// percentForms returns the spoken forms of 3.5%.
func percentForms(word string) [][]string {
	m := percentShape.FindStringSubmatch(word)
	if m == nil {
		return nil
	}
	number := decimalForms(m[1])
	if !strings.Contains(m[1], ".") {
		number = wholeForms(strings.ReplaceAll(m[1], ",", ""))
	}
	return join(number, [][]string{{"percent"}, {"per", "cent"}})
}

// ordinalForms returns the spoken forms of 21st.
func ordinalForms(word string) [][]string {
	digits, ok := numeral.ReadOrdinal(word)
	if !ok || len(digits) > longestOrdinal {
		return nil
	}
	v, _ := strconv.Atoi(digits)
	return ordinalNames(v)
}

// longestOrdinal is the maximum number of digits of a spoken ordinal number.
const longestOrdinal = 6

// ordinalNames returns the spoken forms of a number as an ordinal.
func ordinalNames(v int) [][]string {
	return [][]string{numeral.SayOrdinal(v, false), numeral.SayOrdinal(v, true)}
}

// decadeForms returns the spoken forms of 1980s, 80s, 80's.
func decadeForms(word string) [][]string {
	m := decadeShape.FindStringSubmatch(word)
	if m == nil || m[2] < "20" {
		return nil
	}
	ten := numeral.SayDecade(m[2][0])
	if m[1] == "" {
		return [][]string{{ten}}
	}
	return [][]string{append(numeral.SayPair(m[1]), ten), {ten}}
}

// timeForms returns the spoken forms of 10:30, 10:30am, 9pm, 14:05.
func timeForms(word string) [][]string {
	hour, minute, half, ok := numeral.ReadTime(word)
	h, _ := strconv.Atoi(hour)
	if !ok || h > 24 || minute > "59" {
		return nil
	}
	forms := clockForms(h, minute, half != "")
	if h > 12 || h == 0 {
		forms = append(forms, join(clockForms((h+11)%12+1, minute, true), [][]string{{"p", "m"}, {"pm"}})...)
	}
	if half != "" {
		forms = join(forms, [][]string{{half[:1], "m"}, {half}})
	}
	return forms
}

// clockFormsOf returns the spoken forms of a time that AM or PM follows; nil if the word is not a time.
func clockFormsOf(word string) [][]string {
	hour, minute, half, ok := numeral.ReadTime(word)
	if !ok || half != "" {
		return nil
	}
	h, _ := strconv.Atoi(hour)
	return clockForms(h, minute, true)
}

// clockForms returns the spoken forms of an hour and minutes without AM or PM.
func clockForms(h int, minute string, half bool) [][]string {
	hour := [][]string{numeral.Say(h, false)}
	if minute != "" && minute != "00" {
		forms := join(hour, [][]string{numeral.SayPair(minute)})
		switch minute {
		case "15":
			forms = append(forms, join(words("quarter past"), hour)...)
		case "30":
			forms = append(forms, join(words("half past"), hour)...)
		case "45":
			forms = append(forms, join(words("quarter to"), [][]string{numeral.Say(h%12+1, false)})...)
		}
		return forms
	}
	forms := join(hour, [][]string{{"o'clock"}, {}, {"hundred"}})
	if half || h > 12 {
		forms[0], forms[1] = forms[1], forms[0]
	}
	return forms
}

// dateForms returns the spoken forms of 11/20/2026 and 2026-11-20.
func dateForms(word string) [][]string {
	month, day, year, ok := numeral.ReadDate(word)
	if !ok || year == "" {
		return nil
	}
	mm, _ := strconv.Atoi(month)
	dd, _ := strconv.Atoi(day)
	if mm > 12 {
		mm, dd = dd, mm
	}
	if mm < 1 || mm > 12 || dd < 1 || dd > 31 {
		return nil
	}
	years := distinct(integerForms(year))
	named := join([][]string{{numeral.Months[mm-1]}}, join(dayForms(strconv.Itoa(dd))[:2], years[:min(2, len(years))]))
	slashed := join(join([][]string{numeral.Say(mm, false)}, [][]string{{}, {"slash"}}),
		[][]string{numeral.Say(dd, false)})
	spelled := join([][]string{numeral.Spell(month, "oh")}, [][]string{numeral.Spell(day, "oh")})
	return append(named, join(append(slashed, spelled...), years[:1])...)
}

// dayForms returns the spoken forms of a day after the name of its month; nil if the word is not a day.
func dayForms(word string) [][]string {
	digits, ordinal := numeral.ReadOrdinal(word)
	if !ordinal {
		digits = word
	}
	v, err := strconv.Atoi(digits)
	if err != nil || v < 1 || v > 31 || !numeral.IsDigits(digits) {
		return nil
	}
	forms := append(ordinalNames(v), numeral.Say(v, false))
	return append(forms, join(words("the"), ordinalNames(v))...)
}

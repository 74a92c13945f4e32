package formatting

import (
	"regexp"
	"strconv"
	"strings"

	"parley/internal/numeral"
)

var (
	amountShape  = regexp.MustCompile(`^([$€£])(\d[\d,]*)(?:\.(\d+))?(k|m|bn|b)?$`)
	percentShape = regexp.MustCompile(`^([\d,]*\.?\d+)%$`)
	ordinalShape = regexp.MustCompile(`^(\d{1,6})(st|nd|rd|th)$`)
	decadeShape  = regexp.MustCompile(`^'?(\d\d)?(\d0)'?s$`)
	timeShape    = regexp.MustCompile(`^(\d{1,2})(?:[:.](\d\d))?([ap])\.?m\.?$|^(\d{1,2}):(\d\d)$`)
	dateShape    = regexp.MustCompile(`^(?:(\d{1,2})[/-](\d{1,2})[/-](\d{4}|\d\d)|(\d{4})[/-](\d{1,2})[/-](\d{1,2}))$`)
	currencyName = map[string][2]string{"$": {"dollars", "dollar"}, "€": {"euros", "euro"}, "£": {"pounds", "pound"}}
	suffixName   = map[string]string{"k": "thousand", "m": "million", "b": "billion", "bn": "billion"}
)

// currency returns the parts of an amount of money: sign, whole, fraction, suffix; nil if it is none.
func currency(word string) []string {
	m := amountShape.FindStringSubmatch(word)
	if m == nil || len(strings.ReplaceAll(m[2], ",", "")) > longestSaid {
		return nil
	}
	m[2] = strings.ReplaceAll(m[2], ",", "")
	return m[1:]
}

// amountForms says $138.65, $5, $50k.
func amountForms(word string) [][]string {
	m := currency(word)
	if m == nil {
		return nil
	}
	names := currencyName[m[0]]
	unit := names[0]
	if m[1] == "1" && m[2] == "" && m[3] == "" {
		unit = names[1]
	}
	whole := wholeForms(m[1])
	switch {
	case m[3] != "":
		return magnitude(m[0]+m[1]+dotted(m[2]), suffixName[m[3]])
	case m[2] == "" || m[2] == "00":
		forms := join(whole, [][]string{{unit}, {names[1]}, {}})
		if m[1] == "1" {
			forms = append(forms, []string{"a", names[1]})
		}
		if len(m[1]) == 3 {
			forms = append(forms, join(pairForms(m[1]), words(unit))...)
		}
		return forms
	case len(m[2]) != 2:
		return join(join(whole, join(words("point"), [][]string{spelled(m[2], "zero")})), words(names[0]))
	}
	c, _ := strconv.Atoi(m[2])
	cents := [][]string{below100(c)}
	if m[1] == "0" {
		return join(cents, [][]string{{"cents"}, {"cent"}})
	}
	forms := join(whole, join([][]string{{unit, "and"}, {unit}}, join(cents, words("cents"))))
	forms = append(forms, join(whole, [][]string{pairOf(m[2]), append(pairOf(m[2]), names[0])})...)
	return append(forms, join(whole, join([][]string{{unit, "and"}, {unit}}, cents))...)
}

func dotted(fraction string) string {
	if fraction == "" {
		return ""
	}
	return "." + fraction
}

// magnitude says $2.5 million.
func magnitude(amount, scale string) [][]string {
	m := currency(amount)
	if m == nil {
		return nil
	}
	number := wholeForms(m[1])
	if m[2] != "" {
		number = decimalForms(m[1] + "." + m[2])
	}
	if m[1] == "1" && m[2] == "" {
		number = append(number, []string{"a"})
	}
	return join(join(number, words(scale)), [][]string{{currencyName[m[0]][0]}, {}})
}

// percentForms says 3.5%.
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

// ordinalForms says 21st.
func ordinalForms(word string) [][]string {
	m := ordinalShape.FindStringSubmatch(word)
	if m == nil {
		return nil
	}
	v, _ := strconv.Atoi(m[1])
	return ordinalNames(v)
}

// ordinalNames says a number as an ordinal.
func ordinalNames(v int) [][]string {
	if v == 0 {
		return [][]string{{"zeroth"}}
	}
	forms := [][]string{name(v, false), name(v, true)}
	for _, f := range forms {
		f[len(f)-1] = ordinalOf(f[len(f)-1])
	}
	return forms
}

// ordinalOf returns the ordinal of a number word.
func ordinalOf(word string) string {
	e := lexicon[word]
	switch e.class {
	case digit:
		return numeral.DigitOrdinals[e.value]
	case teen:
		return numeral.TeenOrdinals[e.value-10]
	case tens:
		return numeral.TensOrdinals[e.value/10]
	}
	return word + "th"
}

// decadeForms says 1980s, 80s, 80's.
func decadeForms(word string) [][]string {
	m := decadeShape.FindStringSubmatch(word)
	if m == nil || m[2] < "20" {
		return nil
	}
	ten := numeral.Decades[m[2][0]-'0']
	if m[1] == "" {
		return [][]string{{ten}}
	}
	return [][]string{append(pairOf(m[1]), ten), {ten}}
}

// timeForms says 10:30, 10:30am, 9pm, 14:05.
func timeForms(word string) [][]string {
	m := timeShape.FindStringSubmatch(word)
	if m == nil {
		return nil
	}
	hour, minute, half := m[1], m[2], m[3]
	if hour == "" {
		hour, minute = m[4], m[5]
	}
	h, _ := strconv.Atoi(hour)
	if h > 24 || minute > "59" {
		return nil
	}
	forms := clockForms(h, minute, half != "")
	if h > 12 || h == 0 {
		forms = append(forms, join(clockForms((h+11)%12+1, minute, true), [][]string{{"p", "m"}, {"pm"}})...)
	}
	if half != "" {
		forms = join(forms, [][]string{{half, "m"}, {half + "m"}})
	}
	return forms
}

// clockFormsOf says a time behind which AM or PM follows; nil if the word is none.
func clockFormsOf(word string) [][]string {
	m := timeShape.FindStringSubmatch(word)
	if m == nil || m[4] == "" {
		return nil
	}
	h, _ := strconv.Atoi(m[4])
	return clockForms(h, m[5], true)
}

// clockForms says an hour and minutes without the half of the day.
func clockForms(h int, minute string, half bool) [][]string {
	hour := name(h, false)
	if minute != "" && minute != "00" {
		forms := [][]string{append(append([]string{}, hour...), pairOf(minute)...)}
		past := name(h, false)
		switch minute {
		case "15":
			forms = append(forms, append([]string{"quarter", "past"}, past...))
		case "30":
			forms = append(forms, append([]string{"half", "past"}, past...))
		case "45":
			forms = append(forms, append([]string{"quarter", "to"}, name(h%12+1, false)...))
		}
		return forms
	}
	forms := [][]string{append(append([]string{}, hour...), "o'clock"), hour, append(append([]string{}, hour...), "hundred")}
	if half || h > 12 {
		forms[0], forms[1] = forms[1], forms[0]
	}
	return forms
}

// dateForms says 11/20/2026 and 2026-11-20.
func dateForms(word string) [][]string {
	m := dateShape.FindStringSubmatch(word)
	if m == nil {
		return nil
	}
	month, day, year := m[1], m[2], m[3]
	if month == "" {
		year, month, day = m[4], m[5], m[6]
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
	slashed := join(join(words(strings.Join(name(mm, false), " ")), [][]string{{}, {"slash"}}), join([][]string{name(dd, false)}, years[:1]))
	return append(append(named, slashed...), join([][]string{spelled(month, "oh")}, join([][]string{spelled(day, "oh")}, years[:1]))...)
}

// dayForms says a day behind the name of its month; nil if the word is none.
func dayForms(word string) [][]string {
	digits := strings.TrimRight(word, "stndrh")
	v, err := strconv.Atoi(digits)
	if err != nil || v < 1 || v > 31 || !isDigits(digits) {
		return nil
	}
	forms := append(ordinalNames(v), name(v, false))
	return append(forms, join(words("the"), ordinalNames(v))...)
}

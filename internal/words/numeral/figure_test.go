package numeral

import "testing"

func TestFiguresAreReadByTheirShape(t *testing.T) {
	for word, want := range map[string]Money{
		"$138.65": {"$", "138", "65", ""}, "€1,250": {"€", "1250", "", ""}, "£2.5bn": {"£", "2", "5", "billion"},
		"$": {}, "5$": {}, "$5x": {},
	} {
		if got, ok := ReadMoney(word); got != want || ok != (want != Money{}) {
			t.Errorf("money %s: %v", word, got)
		}
	}
	type three struct{ a, b, c string }
	for word, want := range map[string]three{
		"10:30": {"10", "30", ""}, "10.30pm": {"10", "30", "pm"}, "9a.m.": {"9", "", "am"}, "10.30": {}, "9": {},
	} {
		if hour, minute, half, ok := ReadTime(word); (three{hour, minute, half} != want) || ok != (want != three{}) {
			t.Errorf("time %s: %s %s %s", word, hour, minute, half)
		}
	}
	for word, want := range map[string]three{
		"11/20/2026": {"11", "20", "2026"}, "2026-11-20": {"11", "20", "2026"}, "1/2": {"1", "2", ""},
		"1/2/3": {}, "1.2.26": {},
	} {
		if month, day, year, ok := ReadDate(word); (three{month, day, year} != want) || ok != (want != three{}) {
			t.Errorf("date %s: %s %s %s", word, month, day, year)
		}
	}
	for word, want := range map[string]string{
		"21st": "21", "3rd": "3", "st": "", "first": "", "1,000th": "", "3d": "", "": "",
	} {
		if got, ok := ReadOrdinal(word); ok != (want != "") || ok && got != want {
			t.Errorf("ordinal %q: %q, %v", word, got, ok)
		}
	}
}

func TestTelephoneNumbersBeginNeitherAreaNorExchangeWithZeroOrOne(t *testing.T) {
	for digits, want := range map[string]string{
		"6508975170": "650-897-5170", "16508975170": "1-650-897-5170", "26508975170": "", "1508975170": "",
		"6501975170": "",
	} {
		if got := Telephone(digits); got != want {
			t.Errorf("%s: %q, want %q", digits, got, want)
		}
	}
}

func TestMagnitudesAreReadInFullAndAsSuffixes(t *testing.T) {
	for word, want := range map[string]int{
		"hundred": 100, "k": 1000, "bn": 1_000_000_000, "thousandth": 0, "ten": 0, "": 0,
	} {
		if got := Magnitude(word); got != want {
			t.Errorf("%q: %d, want %d", word, got, want)
		}
	}
}

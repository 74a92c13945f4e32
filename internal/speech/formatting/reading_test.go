package formatting_test

import (
	"bufio"
	"compress/gzip"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"parley/internal/speech/formatting"
	"parley/internal/testkit/verify"
)

// written normalises the ways in which people type a number for comparison.
var written = strings.NewReplacer("a.m.", "am", "p.m.", "pm", "a.m", "am", "p.m", "pm", ":00", "", ".00", "", ",", " ",
	"?", " ", "!", " ", "(", " ", ")", " ")

var (
	yearFirst  = regexp.MustCompile(`\b(\d{4})/0?(\d+)/0?(\d+)\b`)
	yearLast   = regexp.MustCompile(`\b\d+/0?(\d+)/(\d{4})\b`)
	dottedTime = regexp.MustCompile(`\b(\d+)\.(\d\d) ?([ap])`)
	zeroDay    = regexp.MustCompile(`(^| )0(\d) `)
	prefixed   = regexp.MustCompile(`[a-z_]+[-:#]?(\d)`)
	inDollars  = regexp.MustCompile(`\$?(\d+) dollars?\b`)
	digitsThen = regexp.MustCompile(`(\d)(am|pm|a|p)\b`)
	spaced     = regexp.MustCompile(`\b([ap]) m\b`)
	leading    = regexp.MustCompile(`\b0(\d)(:| [ap]m)`)
	hasDigit   = regexp.MustCompile(`\d`)
	below      = strings.Fields("zero one two three four five six seven eight nine")
	ending     = regexp.MustCompile(`^(\d+)(st|nd|rd|th)$`)
	nth        = map[string]string{"first": "one", "second": "two", "third": "three", "fourth": "four", "fifth": "five",
		"sixth": "six", "seventh": "seven", "eighth": "eight", "ninth": "nine"}
)

// numbersOf lists the numbers of a text in normalised form, with those below ten as words.
func numbersOf(text string) string {
	text = dottedTime.ReplaceAllString(strings.ToLower(text), "$1:$2 $3")
	text = yearLast.ReplaceAllString(yearFirst.ReplaceAllString(text, "$3 $1"), "$1 $2")
	text = prefixed.ReplaceAllString(strings.ReplaceAll(text, "ish", " ish"), " $1")
	text = zeroDay.ReplaceAllString(inDollars.ReplaceAllString(text, "$$$1"), "$1$2 ")
	text = leading.ReplaceAllString(
		spaced.ReplaceAllString(digitsThen.ReplaceAllString(written.Replace(strings.ToLower(text)), "$1 $2"), "$1 m"),
		"$1$2")
	var list []string
	for _, w := range strings.Fields(text) {
		w = strings.Trim(w, `.:;"'*-`)
		w = ending.ReplaceAllString(w, "$1")
		if len(w) == 1 && hasDigit.MatchString(w) {
			w = below[w[0]-'0']
		}
		if n, ok := nth[w]; ok {
			w = n
		}
		for _, b := range below {
			if w == b {
				list = append(list, w)
			}
		}
		if hasDigit.MatchString(w) {
			list = append(list, w)
		}
	}
	return strings.Join(list, " ")
}

// dialogue calls with for each line with digits of a file in PARLEY_DATA/dialogue.
func dialogue(t *testing.T, name string, with func(line string)) {
	t.Helper()
	f, err := os.Open(filepath.Join(os.Getenv("PARLEY_DATA"), "dialogue", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(z); lines.Scan(); {
		line := lines.Text()
		if _, text, ok := strings.Cut(line, "\t"); ok {
			line = text
		}
		if hasDigit.MatchString(line) {
			with(line)
		}
	}
}

// asSaid returns a text in its most common spoken form.
func asSaid(text string) string {
	var words []string
	for _, r := range formatting.Spoken(strings.Fields(text)) {
		words = append(words, r.Forms[0]...)
	}
	return strings.Join(words, " ")
}

func TestNumbersOfDialoguesComeBack(t *testing.T) {
	verify.Long(t)
	if os.Getenv("PARLEY_DATA") == "" {
		t.Skip("set PARLEY_DATA to a folder with dialogue/*.gz")
	}
	for _, name := range []string{"polyai_spans.txt.gz", "taskmaster34.tsv.gz"} {
		right, all := 0, 0
		dialogue(t, name, func(line string) {
			all++
			spoken := asSaid(line)
			got := read(formatting.Apply(said(spoken), &formatting.Request{Numbers: true}))
			if numbersOf(line) == numbersOf(got) {
				right++
			} else if os.Getenv("SHOW") != "" {
				t.Logf("%s\n\t%s\n\t%s\n\t%s | %s", line, spoken, got, numbersOf(line), numbersOf(got))
			}
		})
		t.Logf("%s: %d of %d lines with digits (%.1f%%)", name, right, all, 100*float64(right)/float64(all))
		if float64(right) < 0.94*float64(all) {
			t.Errorf("%s: %d of %d", name, right, all)
		}
	}
}

func TestWrittenWordsAreSaidInTheirUsualWays(t *testing.T) {
	for text, want := range map[string][]string{
		"650": {"six hundred fifty", "six hundred and fifty", "six five zero", "six five oh",
			"six fifty"},
		"$138.65": {"one hundred thirty eight dollars and sixty five cents",
			"one hundred thirty eight sixty five"},
		"$5":                {"five dollars", "five"},
		"$1":                {"one dollar", "a dollar"},
		"$2.5 million":      {"two point five million dollars"},
		"10:30":             {"ten thirty", "half past ten"},
		"9pm":               {"nine p m", "nine pm"},
		"10:00 AM":          {"ten a m", "ten am"},
		"2026":              {"twenty twenty six", "two thousand twenty six", "two thousand and twenty six"},
		"1905":              {"nineteen oh five"},
		"1980s":             {"nineteen eighties", "eighties"},
		"St.":               {"street", "saint"},
		"Dr. Smith":         {"doctor smith"},
		"21st":              {"twenty first"},
		"November 20, 2026": {"november twentieth twenty twenty six", "november twenty twenty twenty six"},
		"11/20/2026":        {"november twentieth twenty twenty six"},
		"650-897-5170": {"six five zero eight nine seven five one seven zero",
			"six fifty eight nine seven fifty one seventy"},
		"99.9%":       {"ninety nine point nine percent", "ninety nine point nine per cent"},
		"3.5":         {"three point five"},
		"192.168.1.1": {"one hundred ninety two dot one hundred sixty eight dot one dot one"},
		"2,500":       {"two thousand five hundred", "twenty five hundred"},
		"401k":        {"four oh one k"},
		"24/7":        {"twenty four seven"},
		"5-10":        {"five to ten", "five ten"},
		"ABC":         {"abc", "a b c"},
		"non-fat":     {"non fat", "nonfat"},
		"&":           {"and"},
		"hello,":      {"hello"},
		"#3":          {"number three", "three"},
		"0042":        {"zero zero four two", "oh oh four two"},
	} {
		forms := ways(formatting.Spoken(strings.Fields(text)))
		for _, w := range want {
			if !forms[w] {
				t.Errorf("%q is not said %q, but %v", text, w, forms)
			}
		}
	}
}

// ways returns all combinations of the forms of readings.
func ways(readings []formatting.Reading) map[string]bool {
	said := map[string]bool{"": true}
	for _, r := range readings {
		longer := map[string]bool{}
		for s := range said {
			for _, f := range r.Forms {
				longer[strings.TrimSpace(s+" "+strings.Join(f, " "))] = true
			}
		}
		said = longer
	}
	return said
}

func TestEveryWrittenNumberOfTheTableCanBeSaidAsItWas(t *testing.T) {
	right, all := 0, 0
	for _, e := range examples(t) {
		if strings.ContainsAny(e.spoken, ",.?0123456789") || strings.Contains(e.spoken, "-") {
			continue
		}
		all++
		if sayable(formatting.Spoken(strings.Fields(e.written)), strings.Fields(strings.ToLower(e.spoken))) {
			right++
		} else if os.Getenv("SHOW") != "" {
			t.Logf("line %d: %q cannot be said %q", e.line, e.written, e.spoken)
		}
	}
	t.Logf("%d of %d", right, all)
	if float64(right) < 0.94*float64(all) {
		t.Errorf("%d of %d", right, all)
	}
}

// sayable reports whether the words are one of the combinations of the readings' forms.
func sayable(readings []formatting.Reading, words []string) bool {
	at := map[int]bool{0: true}
	for _, r := range readings {
		next := map[int]bool{}
		for from := range at {
			for _, f := range r.Forms {
				if to := from + len(f); to <= len(words) && strings.Join(words[from:to], " ") == strings.Join(f, " ") {
					next[to] = true
				}
			}
		}
		at = next
	}
	return at[len(words)]
}

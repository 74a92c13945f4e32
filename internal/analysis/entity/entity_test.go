package entity_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/internal/analysis/entity"
	"parley/internal/speech/formatting"
	"parley/internal/words/transcript"
)

const wordTime = 300 * time.Millisecond

// spoken returns a transcript of one speaker; punctuation at the ends of words becomes separate words.
func spoken(text string) *transcript.Transcript {
	t := &transcript.Transcript{Speakers: []transcript.Speaker{{Name: "A"}}}
	for i, w := range strings.Fields(text) {
		at := time.Duration(i) * wordTime
		bare := strings.TrimRight(w, ",?!")
		if stem, ok := strings.CutSuffix(bare, "."); ok && stem != "Mr" && stem != "Dr" {
			bare = stem
		}
		t.Words = append(t.Words, transcript.Word{Text: bare, Start: at, End: at + wordTime})
		if bare != w {
			t.Words = append(t.Words, transcript.Word{Text: w[len(bare):], Kind: transcript.Punctuation,
				Start: at + wordTime, End: at + wordTime})
		}
		t.Length = at + wordTime
	}
	return t
}

func find(t testing.TB, said *transcript.Transcript) []entity.Entity {
	t.Helper()
	gazetteer, err := entity.Load()
	if err != nil {
		t.Fatal(err)
	}
	written := formatting.Apply(said, &formatting.Request{Numbers: true})
	return entity.Find(written, &entity.Request{Gazetteer: gazetteer, Spoken: said})
}

// annotated parses "[type text]" in a sentence, and returns the bare sentence and "type text" of each.
func annotated(line string) (text string, want []string) {
	for {
		before, rest, ok := strings.Cut(line, "[")
		text += before
		if !ok {
			return text, want
		}
		inside, after, _ := strings.Cut(rest, "]")
		_, words, _ := strings.Cut(inside, " ")
		want = append(want, inside)
		text += words
		line = after
	}
}

// tally counts correct, extra and missing entities of one type.
type tally struct{ right, extra, missing int }

func (c tally) precision() float64 { return float64(c.right) / max(1, float64(c.right+c.extra)) }
func (c tally) recall() float64    { return float64(c.right) / max(1, float64(c.right+c.missing)) }

// calls reads the annotated sentences: those used to develop the rules, or the held-out ones.
func calls(t testing.TB, held bool) []string {
	t.Helper()
	data, err := os.ReadFile("testdata/calls.txt")
	if err != nil {
		t.Fatal(err)
	}
	var kept []string
	n := 0
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if n++; (n%3 == 0) == held {
			kept = append(kept, line)
		}
	}
	return kept
}

// score compares the entities found in sentences with the annotations.
func score(t *testing.T, lines []string, show bool) map[string]*tally {
	counts := map[string]*tally{"all": {}}
	for _, line := range lines {
		text, want := annotated(line)
		var got []string
		for _, e := range find(t, spoken(text)) {
			got = append(got, string(e.Type)+" "+e.Text)
		}
		count := func(list, other []string, add func(*tally)) {
			for _, one := range list {
				kind, _, _ := strings.Cut(one, " ")
				if counts[kind] == nil {
					counts[kind] = &tally{}
				}
				if !slices.Contains(other, one) {
					add(counts[kind])
					add(counts["all"])
				}
			}
		}
		count(want, nil, func(c *tally) { c.right++ })
		count(want, got, func(c *tally) { c.right--; c.missing++ })
		count(got, want, func(c *tally) { c.extra++ })
		if show && !slices.Equal(want, got) {
			t.Logf("%s\n got %q", line, got)
		}
	}
	return counts
}

func TestSentencesOfCallsHaveTheirEntities(t *testing.T) {
	for _, c := range []struct {
		name      string
		held      bool
		precision float64
		recall    float64
	}{{"made with", false, .98, .98}, {"held back", true, .96, .96}} {
		counts := score(t, calls(t, c.held), !c.held)
		for _, kind := range []string{"location", "person", "organization", "money", "number", "phone", "time", "date",
			"all"} {
			n := counts[kind]
			t.Logf("%s %-12s precision %.2f recall %.2f (%d)", c.name, kind, n.precision(), n.recall(),
				n.right+n.missing)
		}
		if all := counts["all"]; all.precision() < c.precision || all.recall() < c.recall {
			t.Errorf("%s: precision %.3f, recall %.3f", c.name, all.precision(), all.recall())
		}
	}
}

// list formats entities as "type text = formatted".
func list(found []entity.Entity) string {
	var all []string
	for _, e := range found {
		one := string(e.Type) + " " + e.Text
		if e.Formatted != "" {
			one += " = " + e.Formatted
		}
		if e.Money != nil {
			one += fmt.Sprintf(" (%d %d)", e.Money.Whole, e.Money.Centi)
		}
		all = append(all, one)
	}
	return strings.Join(all, "; ")
}

func TestNumbersAreToldAsSaidAndAsWritten(t *testing.T) {
	for said, want := range map[string]string{
		"it is two hundred forty dollars":                "money two hundred forty dollars = $240.00 (240 0)",
		"it is $1,250.50 now":                            "money $1,250.50 = $1250.50 (1250 50)",
		"a million dollars":                              "money a million dollars = $1000000.00 (1000000 0)",
		"only fifty cents":                               "money fifty cents = $0.50 (0 50)",
		"my phone is four one five eight zero nine nine": "phone four one five eight zero nine nine = 4158099",
		"call 1-800-555-0199 please":                     "phone 1-800-555-0199 = 18005550199",
		"at six p m":                                     "time six p m = 6:00 PM",
		"at half past six":                               "time half past six = 6:30",
		"on july second":                                 "date july second = July 2",
		"november twentieth twenty twenty six":           "date november twentieth twenty twenty six = November 20, 2026",
		"on Monday, March 3rd, 2026, ok?":                "date Monday, March 3rd, 2026 = Monday, March 3rd, 2026",
		"next Monday":                                    "date next Monday",
		"we have twenty five lines":                      "number twenty five = 25",
		"half or 1/2 of it":                              "number 1/2 = 1/2",
		"on 1/2":                                         "date 1/2 = 1/2",
		"five percent off":                               "number five percent = 5%",
		"at 45 Oak Avenue":                               "location 45 Oak Avenue = 45 Oak Avenue",
	} {
		if got := list(find(t, spoken(said))); got != want {
			t.Errorf("%q: %q, want %q", said, got, want)
		}
	}
}

func TestWordsWithoutTimesAreToldAsWritten(t *testing.T) {
	call := spoken("it is two hundred forty dollars and we are in chicago")
	for i := range call.Words {
		call.Words[i].Start, call.Words[i].End = call.Length, call.Length
	}
	if got := list(find(t, call)); got != "money $240 = $240.00 (240 0); location chicago" {
		t.Errorf("%q", got)
	}
}

func TestRedactedWordsAreNoPartOfEntities(t *testing.T) {
	call := spoken("my name is Jennifer Smith and the number is 415-555-0199 or fifty dollars")
	for i, w := range call.Words {
		if w.Text == "Jennifer" || w.Text == "Smith" || w.Text == "415-555-0199" {
			call.Words[i].Kind, call.Words[i].Text = transcript.Redacted, "chicago"
		}
	}
	if got := list(find(t, call)); got != "money fifty dollars = $50.00 (50 0)" {
		t.Errorf("%q", got)
	}
}

func TestEntitiesHaveTheSpeakerAndTimesOfTheirWords(t *testing.T) {
	call := spoken("i live in san francisco . i paid two hundred forty dollars")
	call.Speakers = append(call.Speakers, transcript.Speaker{Name: "B", Channel: 1})
	for i := range call.Words[5:] {
		call.Words[5+i].Speaker = 1
	}
	found := find(t, call)
	if len(found) != 2 || found[0].Speaker != 0 || found[1].Speaker != 1 {
		t.Fatalf("%+v", found)
	}
	for i, want := range [][2]time.Duration{{3 * wordTime, 5 * wordTime}, {8 * wordTime, 12 * wordTime}} {
		if found[i].Start != want[0] || found[i].End != want[1] {
			t.Errorf("%s from %v to %v, want %v", found[i].Text, found[i].Start, found[i].End, want)
		}
	}
}

func TestWithoutEntitiesTheListIsEmptyAndNotAbsent(t *testing.T) {
	if found := find(t, &transcript.Transcript{}); found == nil || len(found) > 0 {
		t.Errorf("%#v", found)
	}
}

func FuzzEntitiesLieInTheTranscript(f *testing.F) {
	f.Add("my name is one hundred dollars $5 k 11/20/2026 a t and t O'Brien's — 650-897-5170 [x] Bank of America "+
		"street 45 o'clock may 東京 the 5th", uint64(1<<20))
	f.Add("$9999999999999999 million billion 99999999999999999 (415) 555-0199 12:99 half past 25 march 1 1/2 Mr. , "+
		"Will , university of", uint64(0))
	f.Fuzz(func(t *testing.T, text string, speakers uint64) {
		call := spoken(text)
		call.Speakers = append(call.Speakers, transcript.Speaker{Name: "B", Channel: 1})
		for i := range call.Words {
			call.Words[i].Speaker = int(speakers >> (i % 64) & 1)
		}
		last := time.Duration(0)
		for _, e := range find(t, call) {
			begins := func(w transcript.Word) bool { return w.Speaker == e.Speaker && w.Start == e.Start }
			if !slices.ContainsFunc(call.Words, begins) || e.End < e.Start || e.End > call.Length || e.Start < last ||
				e.Text == "" || (e.Type == entity.Amount) != (e.Money != nil) {
				t.Fatalf("%+v does not lie in the transcript", e)
			}
			last = e.Start
		}
	})
}

func BenchmarkLoad(b *testing.B) {
	data, err := os.ReadFile("names.tsv.gz")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := entity.ReadGazetteer(bytes.NewReader(data)); err != nil {
			b.Fatal(err)
		}
	}
}

func TestDamagedGazetteersAreRefused(t *testing.T) {
	for _, lines := range []string{"Boston", "Boston\tx\n", "\tp\n", "--\tp\n"} {
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		w.Write([]byte(lines))
		w.Close()
		if _, err := entity.ReadGazetteer(&packed); err == nil {
			t.Errorf("%q is taken for a gazetteer", lines)
		}
	}
	if _, err := entity.ReadGazetteer(strings.NewReader("Boston\tp\n")); err == nil {
		t.Error("a gazetteer that is not packed is taken")
	}
}

// BenchmarkHour finds the entities of 9,900 words with formatted numbers.
func BenchmarkHour(b *testing.B) {
	lines := calls(b, false)
	var text strings.Builder
	n := 0
	for i := 0; n < 9_900; i++ {
		sentence, _ := annotated(lines[i%len(lines)])
		text.WriteString(sentence + ". ")
		n += len(strings.Fields(sentence))
	}
	gazetteer, err := entity.Load()
	if err != nil {
		b.Fatal(err)
	}
	said := spoken(text.String())
	written := formatting.Apply(said, &formatting.Request{Numbers: true})
	for b.Loop() {
		entity.Find(written, &entity.Request{Gazetteer: gazetteer, Spoken: said})
	}
}

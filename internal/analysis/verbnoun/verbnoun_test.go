package verbnoun

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/internal/analysis/tagger"
	"parley/internal/words/transcript"
)

func load(t testing.TB) *Request {
	t.Helper()
	g, err := tagger.Load()
	if err != nil {
		t.Fatal(err)
	}
	return &Request{g}
}

// transcribed returns a transcript of a speaker's text: words last 100 ms, lines are a second apart.
func transcribed(lines ...string) *transcript.Transcript {
	t := &transcript.Transcript{Speakers: []transcript.Speaker{{Name: "A"}, {Name: "B", Channel: 1}}}
	for i, line := range lines {
		for text := range strings.FieldsSeq(line) {
			bare := strings.TrimRight(text, ".,?!")
			if strings.HasPrefix(text, "[") {
				bare = text
			}
			t.Words = append(t.Words, transcript.Word{Text: bare, Start: t.Length, End: t.Length + 100*time.Millisecond,
				Speaker: i % 2})
			t.Length += 100 * time.Millisecond
			if mark := text[len(bare):]; mark != "" {
				t.Words = append(t.Words, transcript.Word{Text: mark, Kind: transcript.Punctuation, Start: t.Length,
					End: t.Length, Speaker: i % 2})
			}
		}
		t.Length += time.Second
	}
	return t
}

// written formats pairs in the syntax of the testdata files: verb/noun, -not, +no, ?.
func written(pairs []Pair) (all []string) {
	for _, p := range pairs {
		text := p.Verb + "/" + p.Noun
		if p.VerbNeg != "" {
			text += "-" + p.VerbNeg
		}
		if p.NounNeg != "" {
			text += "+" + p.NounNeg
		}
		if p.Question {
			text += "?"
		}
		all = append(all, text)
	}
	slices.Sort(all)
	return all
}

// sentence is a text with its pairs.
type sentence struct {
	text  string
	pairs []string
}

func read(t testing.TB, name string) (all []sentence) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if text, pairs, ok := strings.Cut(line, "|"); ok && line[0] != '#' {
			s := sentence{strings.TrimSpace(text), strings.Fields(pairs)}
			slices.Sort(s.pairs)
			all = append(all, s)
		}
	}
	return all
}

// agreement counts the correct, found and wanted pairs.
type agreement struct{ right, found, wanted int }

func (a agreement) precision() float64 { return float64(a.right) / float64(max(a.found, 1)) }
func (a agreement) recall() float64    { return float64(a.right) / float64(max(a.wanted, 1)) }

func (a agreement) String() string {
	return fmt.Sprintf("precision %.3f, recall %.3f of %d pairs", a.precision(), a.recall(), a.wanted)
}

// compare scores the pairs found in sentences; shape converts a sentence to the tested form.
func compare(
	t testing.TB, sentences []sentence, shape func(string) string, wrong func(s sentence, got []string),
) (a agreement) {
	r := load(t)
	for _, s := range sentences {
		got := written(Find(transcribed(shape(s.text)), r))
		for _, p := range got {
			if slices.Contains(s.pairs, p) {
				a.right++
			}
		}
		a.found, a.wanted = a.found+len(got), a.wanted+len(s.pairs)
		if !slices.Equal(got, s.pairs) {
			wrong(s, got)
		}
	}
	return a
}

func asWritten(text string) string { return text }

// asHeard returns a text without punctuation and capitals.
func asHeard(text string) string {
	return strings.ToLower(strings.NewReplacer(".", "", ",", "", "?", "", "!", "").Replace(text))
}

func TestExamplesOfThePublicServiceAreFound(t *testing.T) {
	compare(t, read(t, "examples.txt"), asWritten, func(s sentence, got []string) {
		t.Errorf("%s: %v, want %v", s.text, got, s.pairs)
	})
}

func TestSentencesOfCallsAgreeWithPeople(t *testing.T) {
	for _, c := range []struct {
		file              string
		precision, recall float64
	}{{"own.txt", .95, .95}, {"heldout.txt", .9, .9}} {
		a := compare(t, read(t, c.file), asWritten, func(s sentence, got []string) {
			if c.file == "own.txt" {
				t.Logf("%s: %v, want %v", s.text, got, s.pairs)
			}
		})
		heard := compare(t, read(t, c.file), asHeard, func(sentence, []string) {})
		t.Logf("%s: as written %s; as heard %s", c.file, a, heard)
		if a.precision() < c.precision || a.recall() < c.recall {
			t.Errorf("%s: %s", c.file, a)
		}
	}
}

func TestPairsHaveTimesAndSpeakers(t *testing.T) {
	call := transcribed("do they like our service", "my internet never works")
	got := Find(call, load(t))
	want := []Pair{
		{Speaker: 0, Start: 200 * time.Millisecond, End: 500 * time.Millisecond, Verb: "like", Noun: "service",
			Question: true},
		{Speaker: 1, Start: 1600 * time.Millisecond, End: 1900 * time.Millisecond, Verb: "work", Noun: "internet",
			VerbNeg: "never"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestReplacementsOfRedactionAreInNoPair(t *testing.T) {
	r := load(t)
	for _, text := range []string{"charge [redacted] now", "[redacted] works", "cancel my [redacted] [redacted]",
		"[PII] [PII] [PII]"} {
		for _, p := range Find(transcribed(text), r) {
			if strings.Contains(p.Verb+p.Noun, "redacted") || strings.Contains(p.Verb+p.Noun, "pii") ||
				p.Noun == hidden {
				t.Errorf("%s: %+v", text, p)
			}
		}
	}
	call := transcribed("cancel my secret account")
	call.Words[2].Kind = transcript.Redacted
	for _, p := range Find(call, r) {
		if p.Verb == "secret" || p.Noun == "secret" {
			t.Errorf("%+v", p)
		}
	}
	if got := written(Find(transcribed("charge [redacted] to my card and send me a letter"), r)); !slices.Equal(got,
		[]string{"charge/card", "send/letter"}) {
		t.Errorf("around a replacement: %v", got)
	}
}

func FuzzAnyTalkIsUnderstood(f *testing.F) {
	for _, text := range []string{"there 's there is no is there not", "of of a lot of of",
		"who what which that is have do 's to", "and , and box and , or", "not never be to have not"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, p := range Find(transcribed(strings.Split(text, "\n")...), load(t)) {
			if p.Verb == "" || p.Noun == "" || p.End < p.Start {
				t.Fatalf("%+v", p)
			}
		}
	})
}

// hour is a call of about 10,000 words.
func hour(t testing.TB) *transcript.Transcript {
	sentences := read(t, "own.txt")
	var lines []string
	for n := 0; n < 10_000; {
		s := sentences[len(lines)%len(sentences)].text
		lines, n = append(lines, asHeard(s)), n+len(strings.Fields(s))
	}
	return transcribed(lines...)
}

func BenchmarkHour(b *testing.B) {
	r, call := load(b), hour(b)
	for b.Loop() {
		Find(call, r)
	}
}

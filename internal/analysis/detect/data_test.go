package detect

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/internal/words/transcript"
)

// sentence is a labelled sentence of presidio-research's synthetic data.
type sentence struct {
	Text  string `json:"full_text"`
	Spans []struct {
		Type  string `json:"entity_type"`
		Start int    `json:"start_position"` // in characters
		End   int    `json:"end_position"`
	} `json:"spans"`
}

// words returns the transcript of a sentence, and the label to which each word belongs (0: none).
func (s sentence) words(kind string) (*transcript.Transcript, []int) {
	t := &transcript.Transcript{Language: "en-US", Speakers: []transcript.Speaker{{Name: transcript.DefaultSpeaker}}}
	var labels []int
	runes := []rune(s.Text)
	for i := 0; i < len(runes); {
		end := i
		for end < len(runes) && !strings.ContainsRune(" \n\t", runes[end]) {
			end++
		}
		if end > i {
			label := 0
			for n, span := range s.Spans {
				if span.Type == kind && i < span.End && end > span.Start {
					label = n + 1
				}
			}
			at := time.Duration(len(t.Words)) * 300 * time.Millisecond
			t.Words = append(t.Words, transcript.Word{Text: string(runes[i:end]), Start: at,
				End: at + 250*time.Millisecond})
			labels = append(labels, label)
		}
		i = end + 1
	}
	return t, labels
}

// compare counts labels that are found completely, labels that are not, and regions without labels.
func compare(labels []int, regions []Region, show func(string, int, int)) score {
	var s score
	in := make([]bool, len(labels))
	for _, r := range regions {
		right := false
		for i := r.First; i <= r.Last; i++ {
			in[i], right = true, right || labels[i] > 0
		}
		if !right {
			s.wrong++
			show("wrong", r.First, r.Last)
		}
	}
	for from := 0; from < len(labels); {
		to, whole := from, true
		for to < len(labels) && labels[to] == labels[from] {
			whole = whole && in[to]
			to++
		}
		switch {
		case labels[from] == 0:
		case whole:
			s.hit++
		default:
			s.miss++
			show("missed", from, to-1)
		}
		from = to
	}
	return s
}

// shared returns the path of a test data file; without such data it skips the test.
func shared(t *testing.T, elements ...string) string {
	t.Helper()
	data := os.Getenv("PARLEY_DATA")
	if data == "" {
		t.Skip("PARLEY_DATA is not set: the folder with " + filepath.Join(elements...))
	}
	return filepath.Join(append([]string{data}, elements...)...)
}

func TestWrittenNumbersOfPresidioAreFound(t *testing.T) {
	content, err := os.ReadFile(shared(t, "pii", "presidio_synth.json"))
	if err != nil {
		t.Fatal(err)
	}
	var sentences []sentence
	if err := json.Unmarshal(content, &sentences); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		kind, detector, label string
		least                 float64 // of F1; 0: reported only
	}{
		{"CREDIT_CARD", PCI, "pci", .95}, {"US_SSN", SSN, "ssn", .95}, {"PHONE_NUMBER", PII, "phone", .95},
		{"EMAIL_ADDRESS", PII, "email", 0}, {"PERSON", PII, "name", 0}, {"DATE_TIME", PII, "birthdate", 0},
	} {
		var all score
		for _, s := range sentences {
			words, labels := s.words(c.kind)
			found := Find(words, &Request{Detectors: []Choice{{c.detector, NumbersOnly}}})[0]
			var regions []Region
			for _, r := range found {
				if r.Class.Label == c.label {
					regions = append(regions, r)
				}
			}
			one := compare(labels, regions, func(what string, from, to int) {
				if c.least > 0 {
					t.Logf("%s %s: %s in %q", c.kind, what, quoted(words, from, to), s.Text)
				}
			})
			all.hit, all.miss, all.wrong = all.hit+one.hit, all.miss+one.miss, all.wrong+one.wrong
		}
		f1 := 2 * float64(all.hit) / float64(max(2*all.hit+all.miss+all.wrong, 1))
		t.Logf("%-14s %3d labels, recall %.3f, precision %.3f, F1 %.3f", c.kind, all.hit+all.miss, all.recall(),
			all.precision(), f1)
		if all.hit+all.miss > 0 && f1 < c.least || all.hit+all.miss == 0 && all.wrong > 0 && c.least > 0 {
			t.Errorf("%s: F1 %.3f, %d found that are none", c.kind, f1, all.wrong)
		}
	}
}

func quoted(t *transcript.Transcript, from, to int) string {
	var words []string
	for _, w := range t.Words[from : to+1] {
		words = append(words, w.Text)
	}
	return strings.Join(words, " ")
}

// TestOrdinaryConversationsHaveHardlyAnySuchNumbers uses dialogues about film tickets and coffee, which contain two
// card numbers.
func TestOrdinaryConversationsHaveHardlyAnySuchNumbers(t *testing.T) {
	file, err := os.Open(shared(t, "dialogue", "taskmaster34.tsv.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	content, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var turns []string
	for s := bufio.NewScanner(content); s.Scan(); {
		who, text, _ := strings.Cut(s.Text(), "\t")
		turns = append(turns, map[string]string{"agent": "A: ", "user": "C: "}[who]+strings.ToLower(text))
	}
	words, found := 0, map[string]int{}
	for calls := range slices.Chunk(turns, 20) {
		call := said(calls...)
		words += len(call.Words)
		for _, regions := range Find(call,
			&Request{Detectors: []Choice{{PCI, EntireRegion}, {SSN, EntireRegion}, {PII, EntireRegion}}}) {
			for _, r := range regions {
				found[r.Class.Label]++
			}
		}
	}
	t.Logf("%d words: %v", words, found)
	if n := found["pci"] + found["ssn"] + found["phone"] + found["birthdate"]; n > words/20_000 {
		t.Errorf("%d numbers in %d words", n, words)
	}
}

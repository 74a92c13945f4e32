package classify

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"parley/internal/testkit/verify"
	"parley/internal/words/transcript"
)

// billing is a training set of two classes.
var billing = map[string][]string{
	"billing": {"there is a charge on my bill", "my bill is too high", "why was I charged twice",
		"the invoice is wrong", "I want a refund of that charge", "my last invoice was paid",
		"you billed me for nothing"},
	"network": {"the internet is slow", "I have no signal", "my router does not connect", "the connection drops",
		"wifi is down again", "no internet since this morning", "the signal is weak at home"},
}

func examplesOf(texts map[string][]string) (all []Example) {
	for label, list := range texts {
		for _, text := range list {
			all = append(all, Example{Written(text), label})
		}
	}
	return all
}

// ordered returns the same examples in a fixed order.
func ordered(texts map[string][]string, labels ...string) (all []Example) {
	for _, l := range labels {
		all = append(all, examplesOf(map[string][]string{l: texts[l]})...)
	}
	return all
}

func train(t testing.TB, examples []Example) (*Model, Quality) {
	t.Helper()
	m, q, err := Train(t.Context(), examples, func() {})
	if err != nil {
		t.Fatal(err)
	}
	return m, q
}

func TestAModelTellsItsClassesApart(t *testing.T) {
	three := map[string][]string{"billing": billing["billing"], "network": billing["network"],
		"thanks": {"thank you very much", "thanks that was helpful", "great thank you", "thanks a lot goodbye"}}
	for labels, texts := range map[string]map[string][]string{"billing network": billing,
		"billing network thanks": three} {
		m, q := train(t, ordered(texts, strings.Fields(labels)...))
		if got := strings.Join(m.Labels(), " "); got != labels {
			t.Errorf("labels %q", got)
		}
		for text, want := range map[string]int{"I was charged on this invoice": 0, "the wifi has no connection": 1} {
			p := m.Probabilities(Written(text))
			total := 0.0
			for _, v := range p {
				total += v
			}
			if largest(p) != want || math.Abs(total-1) > 1e-9 || len(p) != len(texts) {
				t.Errorf("%s: %v", text, p)
			}
		}
		if q.Texts != len(examplesOf(texts)) || q.Folds != 5 || len(q.Classes) != len(texts) ||
			q.Classes[1].Texts != 7 || q.Accuracy <= .5 || q.Accuracy > 1 {
			t.Errorf("quality %+v", q)
		}
	}
}

func TestTrainingTheSameGivesTheSame(t *testing.T) {
	a, qa := train(t, ordered(billing, "billing", "network"))
	b, qb := train(t, ordered(billing, "billing", "network"))
	if !bytes.Equal(a.Append(nil), b.Append(nil)) || !reflect.DeepEqual(qa, qb) {
		t.Error("two models of the same examples differ")
	}
}

func TestModelsAreReadAsWritten(t *testing.T) {
	m, _ := train(t, ordered(billing, "billing", "network"))
	data := m.Append(nil)
	back, err := Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	text := Written("the charge for the router")
	if got, want := back.Probabilities(text), m.Probabilities(text); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if again := back.Append(nil); !bytes.Equal(data, again) {
		t.Error("written again it differs")
	}
	for _, broken := range [][]byte{nil, data[:len(data)-1], append(bytes.Clone(data), 0),
		append([]byte{format + 1}, data[1:]...)} {
		if _, err := Parse(broken); err == nil {
			t.Errorf("%d bytes are read", len(broken))
		}
	}
}

func FuzzParseOfAModel(f *testing.F) {
	m, _, err := Train(context.Background(), ordered(billing, "billing", "network"), func() {})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(m.Append(nil))
	f.Add([]byte{1, 2, 1, 'a', 1, 'b'})
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := Parse(data)
		if err != nil {
			return
		}
		if p := m.Probabilities(Written("the charge")); len(p) != len(m.Labels()) {
			t.Fatalf("%d probabilities for %d labels", len(p), len(m.Labels()))
		}
	})
}

func TestTrainingSetsThatAreNoneAreRefused(t *testing.T) {
	few := append(ordered(billing, "billing"), ordered(map[string][]string{"x": {"one", "two"}}, "x")...)
	many := make([]string, MaxLabels+1)
	var labels []Example
	for i := range many {
		for range MinTexts {
			labels = append(labels, Example{[]string{"word"}, fmt.Sprint(i)})
		}
	}
	for name, c := range map[string]struct {
		examples []Example
		want     error
	}{
		"nothing":         {nil, ErrLabels},
		"one label":       {ordered(billing, "billing"), ErrLabels},
		"two texts":       {few, ErrTexts},
		"no words":        {append(ordered(billing, "billing", "network"), Example{nil, "billing"}), ErrTexts},
		"too many labels": {labels, ErrLabels},
		"too many words": {append(ordered(billing, "billing", "network"),
			Example{make([]string, MaxWords), "billing"}), ErrTexts},
	} {
		if _, _, err := Train(t.Context(), c.examples, func() {}); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := Train(ctx, ordered(billing, "billing", "network"), func() {}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestWhatWasRedactedIsNoFeature(t *testing.T) {
	if got := strings.Join(Written("my card [redacted] and [PCI data] is [open"), " "); got != "my card and is open" {
		t.Errorf("%q", got)
	}
	said := &transcript.Transcript{Words: []transcript.Word{{Text: "My"}, {Text: "card"},
		{Text: ",", Kind: transcript.Punctuation}, {Text: "[redacted]"}}}
	if got := strings.Join(Spoken(said), " "); got != "my card" {
		t.Errorf("%q", got)
	}
}

func TestLargeModelsLoseTheRarestFeaturesFirst(t *testing.T) {
	s, err := newSet(ordered(billing, "billing", "network"))
	if err != nil {
		t.Fatal(err)
	}
	all := s.vocabulary(everything(len(s.texts)), 1<<20)
	some := s.vocabulary(everything(len(s.texts)), 60)
	if len(some.rarity) > 60 || len(some.rarity) == 0 || len(all.rarity) < 200 {
		t.Fatalf("%d of %d features", len(some.rarity), len(all.rarity))
	}
	for k, list := range some.hashes {
		for _, h := range list {
			if all.places[k].find(all.hashes[k], h) < 0 {
				t.Errorf("a feature of kind %d is new", k)
			}
		}
	}
}

// table formats the cross-validation results.
func table(q Quality) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d texts, %d classes, %d folds: accuracy %.4f, macro F1 %.4f, log loss %.3f, calibration error %.3f\n",
		q.Texts, len(q.Classes), q.Folds, q.Accuracy, q.MacroF1, q.LogLoss, q.Calibration)
	fmt.Fprintf(&b, "%-52s %5s %9s %6s %5s\n", "class", "texts", "precision", "recall", "F1")
	for _, c := range q.Classes {
		fmt.Fprintf(&b, "%-52s %5d %9.3f %6.3f %5.3f\n", c.Label, c.Texts, c.Precision, c.Recall, c.F1)
	}
	return b.String()
}

func banking(t testing.TB) []Example {
	t.Helper()
	data := os.Getenv("PARLEY_DATA")
	if data == "" {
		t.Skip("PARLEY_DATA is not set: it names a folder with intent/banking77.csv, questions to a bank with their " +
			"intents")
	}
	file, err := os.Open(filepath.Join(data, "intent", "banking77.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var all []Example
	for _, row := range rows[1:] {
		all = append(all, Example{Written(row[0]), row[1]})
	}
	return all
}

func TestIntentsOfBankCustomersAreToldApart(t *testing.T) {
	verify.Long(t)
	examples := banking(t)
	began := time.Now()
	m, q := train(t, examples)
	t.Logf("trained in %s, %d bytes\n%s", time.Since(began).Round(time.Millisecond), len(m.Append(nil)), table(q))
	if q.Accuracy < .77 || q.MacroF1 < .75 || q.Calibration > .06 {
		t.Error("worse than it was")
	}
}

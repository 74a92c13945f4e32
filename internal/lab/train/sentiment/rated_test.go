package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/internal/analysis/sentiment"
	"parley/internal/testkit/verify"
)

func ratedSets(t *testing.T) (*sentiment.Model, []set) {
	t.Helper()
	data := os.Getenv("PARLEY_DATA")
	if data == "" {
		t.Skip("PARLEY_DATA is not set: it names a folder with sentiment/*.tsv, sentences and human ratings")
	}
	sets, err := readSets(filepath.Join(data, "sentiment"))
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.Open("../../../analysis/sentiment/lexicon.tsv.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	words, err := sentiment.ReadLexicon(file)
	if err != nil {
		t.Fatal(err)
	}
	model, err := sentiment.New(words)
	if err != nil {
		t.Fatal(err)
	}
	return model, sets
}

// Each file is scored by a model that was trained on the three others.
func TestFilesNeverSeenAreScoredBetterThanByTheRules(t *testing.T) {
	verify.Long(t)
	model, sets := ratedSets(t)
	more := map[string]float64{"amazon": .10, "movie": .10, "nyt": .10, "tweets": 0}
	for i, held := range sets {
		m, err := measure(model, sets, i)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%-32s r %.3f, rules %.3f; macro-F1 %.3f, rules %.3f", held.name, m.r, m.rulesR, m.f1, m.rulesF1)
		for part, least := range more {
			if strings.Contains(held.name, part) && m.r < m.rulesR+least {
				t.Errorf("%s: correlation %.3f, that of the rules is %.3f and %.2f more is wanted", held.name, m.r,
					m.rulesR, least)
			}
		}
		if m.f1 < m.rulesF1 {
			t.Errorf("%s: macro-F1 %.3f, that of the rules is %.3f", held.name, m.f1, m.rulesF1)
		}
	}
}

func TestTheWeightsInUseAreThoseOfTheRatings(t *testing.T) {
	model, sets := ratedSets(t)
	want, err := learn(model, sets)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile("../../../analysis/sentiment/weights.json")
	if err != nil {
		t.Fatal(err)
	}
	var have []float64
	if err := json.Unmarshal(data, &have); err != nil {
		t.Fatal(err)
	}
	if len(have) != len(want) {
		t.Fatalf("%d weights, want %d", len(have), len(want))
	}
	for i := range want {
		if math.Abs(have[i]-want[i]) > 1e-6 {
			t.Errorf("weight %d is %v, training gives %v: run this command again (README.md)", i, have[i], want[i])
		}
	}
}

func TestMeasuresOfAgreement(t *testing.T) {
	if r := correlation([]float64{1, 2, 3}, []float64{2, 4, 6}); math.Abs(r-1) > 1e-9 {
		t.Errorf("correlation %v, want 1", r)
	}
	if r := correlation([]float64{1, 2, 3}, []float64{3, 2, 1}); math.Abs(r+1) > 1e-9 {
		t.Errorf("correlation %v, want -1", r)
	}
	if f := macroF1([]float64{.9, 0, -.9}, .1, []float64{3, 0, -3}); f != 1 {
		t.Errorf("F1 %v, want 1", f)
	}
	// Positive: 1 of 2 found, none wrong: 2/3; neutral: 1 found, 1 wrong: 2/3; no negative: 0.
	if f := macroF1([]float64{.9, 0, 0}, .1, []float64{3, 3, 0}); math.Abs(f-4./9) > 1e-9 {
		t.Errorf("F1 %v, want 4/9", f)
	}
}

// Package eval measures the quality of recognition: word errors, word times, missed and falsely detected speech.
//
// The measures are pure functions; WER runs a recogniser over a folder of recordings with reference texts. This
// package does not decode media and does not choose engines.
package eval

import (
	"slices"
	"time"
)

// Score counts word errors against a reference.
type Score struct {
	Words, Substitutions, Insertions, Deletions int // Words are those of the reference
}

// Rate returns the word error rate: errors divided by reference words; 0 for an empty reference without errors.
func (s Score) Rate() float64 {
	errors := s.Substitutions + s.Insertions + s.Deletions
	return float64(errors) / float64(max(s.Words, 1))
}

// Plus returns the sum of two scores.
func (s Score) Plus(o Score) Score {
	return Score{s.Words + o.Words, s.Substitutions + o.Substitutions, s.Insertions + o.Insertions,
		s.Deletions + o.Deletions}
}

// Compare scores heard words against reference words, both as written; Normalize is applied to both.
func Compare(reference, heard []string) Score {
	halves := CompareHalves(reference, heard)
	return halves[0].Plus(halves[1])
}

// CompareHalves scores the first and second half of the reference words separately, so that a setting can be tuned on
// one and tested on the other. An inserted word counts in the half in which it occurs.
func CompareHalves(reference, heard []string) (halves [2]Score) {
	ref, hyp := Normalize(reference), Normalize(heard)
	s := &halves[0]
	s.Words, halves[1].Words = len(ref)-len(ref)/2, len(ref)/2
	for _, p := range Align(ref, hyp) {
		if p.Reference == halves[0].Words {
			s = &halves[1]
		}
		switch {
		case p.Reference < 0:
			s.Insertions++
		case p.Heard < 0:
			s.Deletions++
		case ref[p.Reference].Text != hyp[p.Heard].Text:
			s.Substitutions++
		}
	}
	return halves
}

// TimedWord is a word and its start time.
type TimedWord struct {
	Text  string
	Start time.Duration
}

// StartErrors returns the differences of the start times of words that align and are equal. It skips numbers, because
// they are compared by digits.
func StartErrors(reference, heard []TimedWord) []time.Duration {
	ref, hyp := Normalize(texts(reference)), Normalize(texts(heard))
	var distances []time.Duration
	for _, p := range Align(ref, hyp) {
		if p.Reference < 0 || p.Heard < 0 {
			continue
		}
		r, h := ref[p.Reference], hyp[p.Heard]
		if r.Text == h.Text && !r.Number {
			distances = append(distances, (reference[r.Word].Start - heard[h.Word].Start).Abs())
		}
	}
	return distances
}

func texts(words []TimedWord) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = w.Text
	}
	return out
}

// Median returns the median (the upper of two middle values), 0 for none.
func Median(d []time.Duration) time.Duration {
	if len(d) == 0 {
		return 0
	}
	d = slices.Sorted(slices.Values(d))
	return d[len(d)/2]
}

package entity

import "testing"

func TestFoldedWordsLackPossessivesAndThePointsOfAcronymsButNotOfNumbers(t *testing.T) {
	for word, want := range map[string]string{
		"Smith's": "smith", "Smith’s": "smith", "U.S.": "us", "49.99": "49.99", "don't": "don't", "E-mail": "e-mail",
	} {
		if got := fold(word); got != want {
			t.Errorf("%q is folded to %q, want %q", word, got, want)
		}
	}
}

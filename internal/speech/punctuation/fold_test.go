package punctuation

import "testing"

func TestFoldedWordsKeepApostrophesAndHyphensButNoPoints(t *testing.T) {
	for word, want := range map[string]string{
		"We're": "we're", "we’re": "we're", "E-mail": "e-mail", "U.S.": "us", "49.99": "4999", "Straße": "strasse",
	} {
		if got := fold(word); got != want {
			t.Errorf("%q is folded to %q, want %q", word, got, want)
		}
	}
}

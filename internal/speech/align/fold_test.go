package align

import "testing"

func TestFoldedWordsHaveLettersAndDigitsAlone(t *testing.T) {
	for word, want := range map[string]string{
		"Don't": "dont", "don’t": "dont", "E-mail": "email", "U.S.": "us", "$49.99": "4999", "Straße": "strasse",
		"e\u0301tude": "étude", "—": "",
	} {
		if got := fold(word); got != want {
			t.Errorf("%q is folded to %q, want %q", word, got, want)
		}
	}
}

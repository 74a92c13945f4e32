package storable_test

import (
	"testing"

	"parley/internal/words/storable"
)

func TestATextIsStorableIfAndOnlyIfAllOfItIs(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "a": "a", "é\n\x01": "é\n\x01", "\ufffd": "\ufffd", "a\x00b": "ab", "\xff": "", "a\xc3\x00\xa9": "aé",
	} {
		if got := storable.Of(text); got != want || !storable.Text(got) {
			t.Errorf("of %q %q is storable, want %q", text, got, want)
		}
		if storable.Text(text) != (text == want) {
			t.Errorf("%q: %v", text, storable.Text(text))
		}
	}
}

package transcript

import "testing"

func TestReplacementsAreKnownByKindOrBrackets(t *testing.T) {
	for _, c := range []struct {
		word Word
		want bool
	}{
		{Word{Text: "[redacted]"}, true}, {Word{Text: "[PCI]"}, true}, {Word{Text: "xxxx", Kind: Redacted}, true},
		{Word{Text: "redacted"}, false}, {Word{Text: "[]"}, false}, {Word{Text: "["}, false}, {Word{Text: "a]"}, false},
		{Word{Text: "[x]", Kind: Punctuation}, false},
	} {
		if got := c.word.Hidden(); got != c.want {
			t.Errorf("%+v: hidden %v, want %v", c.word, got, c.want)
		}
	}
}

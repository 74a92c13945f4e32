package transcript

import "testing"

func TestReplacementsAreKnownByMarkerOrBrackets(t *testing.T) {
	for _, c := range []struct {
		word Word
		want bool
	}{
		{Word{Text: "[redacted]"}, true}, {Word{Text: "[PCI]"}, true}, {Word{Text: "xxxx", Markers: []string{"x", MarkRedacted}}, true},
		{Word{Text: "redacted"}, false}, {Word{Text: "[]"}, false}, {Word{Text: "["}, false}, {Word{Text: "a]", Markers: []string{"x"}}, false},
	} {
		if got := c.word.Redacted(); got != c.want {
			t.Errorf("%+v: redacted %v, want %v", c.word, got, c.want)
		}
	}
}

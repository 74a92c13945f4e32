package formatting_test

import (
	"slices"
	"testing"

	"parley/internal/speech/formatting"
)

func TestNumbersAreReadWhateverFormTheirLettersHave(t *testing.T) {
	for _, text := range []string{"FIVE dollars", "five dollars", "ﬁve dollars", "ＦＩＶＥ dollars"} {
		if got := texts(formatting.Apply(said(text), onlyNumbers)); !slices.Equal(got, []string{"$5"}) {
			t.Errorf("%s: %q", text, got)
		}
	}
}

package entity_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/internal/words/phrase"
)

// foreign maps the types of the other data set to those of this package.
var foreign = map[string]string{"PERSON": "person", "GPE": "location", "STREET_ADDRESS": "location",
	"ORGANIZATION": "organization", "DATE_TIME": "date"}

// TestNamesInTextsOfOthersAreMostlyRight uses generated sentences with names from all over the world, most of which are
// in no list: precision should be high, even if recall is low.
func TestNamesInTextsOfOthersAreMostlyRight(t *testing.T) {
	folder := os.Getenv("PARLEY_DATA")
	if folder == "" {
		t.Skip("PARLEY_DATA is not set; it names a folder of recordings and results for tests")
	}
	data, err := os.ReadFile(filepath.Join(folder, "pii", "presidio_synth.json"))
	if err != nil {
		t.Fatal(err)
	}
	var sentences []struct {
		Text  string `json:"full_text"`
		Spans []struct {
			Type  string `json:"entity_type"`
			Value string `json:"entity_value"`
		}
	}
	if err := json.Unmarshal(data, &sentences); err != nil {
		t.Fatal(err)
	}
	counts := map[string]*tally{"person": {}, "location": {}, "organization": {}, "date": {}}
	for _, s := range sentences {
		left := find(t, spoken(s.Text))
		for _, span := range s.Spans {
			c := counts[foreign[span.Type]]
			if c == nil {
				continue
			}
			kept, hit := left[:0], false
			for _, e := range left {
				if a, b := folded(e.Text), folded(span.Value); string(e.Type) == foreign[span.Type] &&
					(strings.Contains(a, b) || strings.Contains(b, a)) {
					hit = true
					continue
				}
				kept = append(kept, e)
			}
			left = kept
			if hit {
				c.right++
			} else {
				c.missing++
			}
		}
		for _, e := range left {
			if c := counts[string(e.Type)]; c != nil {
				c.extra++
			}
		}
	}
	for kind, c := range counts {
		t.Logf("%-12s precision %.2f recall %.2f (%d)", kind, c.precision(), c.recall(), c.right+c.missing)
		if c.precision() < .75 || c.recall() < .25 {
			t.Errorf("%s: precision %.2f recall %.2f", kind, c.precision(), c.recall())
		}
	}
}

func folded(text string) string { return " " + strings.Join(phrase.Words(text), " ") + " " }

package record

import (
	"os"
	"reflect"
	"testing"
	"time"

	"parley/internal/analysis/spot"
	"parley/internal/result"
	"parley/internal/transcript"
)

// spotting is the result that the golden file with keyword groups holds.
func spotting() *result.Open {
	o := analysed()
	o.Spotting = []spot.Spotted{
		{Name: "greetings", Score: .5, Keywords: []transcript.Keyword{{Text: "hel*", Mentions: []transcript.Mention{
			{Speaker: 0, Occurrences: []transcript.Occurrence{{Start: 10 * time.Millisecond, End: 310 * time.Millisecond, Exact: "Hello"}}},
			{Speaker: 1, Occurrences: []transcript.Occurrence{{Start: 250 * time.Millisecond, End: 900 * time.Millisecond, Exact: "naïve"}}},
		}}}},
		{Name: "none", Keywords: []transcript.Keyword{}},
	}
	return o
}

func TestKeptKeywordGroupsStayReadable(t *testing.T) {
	c := codec(t)
	if os.Getenv("PARLEY_GOLDEN") == "write" {
		write(t, "result.v2.spotting", c.EncodeResult(spotting()))
	}
	if got, err := c.DecodeResult(read(t, "result.v2.spotting")); err != nil || !reflect.DeepEqual(got, spotting()) {
		t.Errorf("%v, %+v", err, got)
	}
}

package record

import (
	"os"
	"reflect"
	"testing"
	"time"

	"parley/internal/analysis/verbnoun"
	"parley/internal/result"
)

// paired is the result that the golden file with verb-noun pairs holds.
func paired() *result.Open {
	o := analysed()
	o.Pairs = []verbnoun.Pair{
		{Speaker: 0, Start: 10 * time.Millisecond, End: 310 * time.Millisecond, Verb: "have", Noun: "question", VerbNeg: "not"},
		{Speaker: 1, Start: 250 * time.Millisecond, End: 900 * time.Millisecond, Verb: "provide", Noun: "justification", NounNeg: "no", Question: true},
	}
	return o
}

func TestKeptPairsStayReadable(t *testing.T) {
	c := codec(t)
	if os.Getenv("PARLEY_GOLDEN") == "write" {
		write(t, "result.v2.pairs", c.EncodeResult(paired()))
	}
	if got, err := c.DecodeResult(read(t, "result.v2.pairs")); err != nil || !reflect.DeepEqual(got, paired()) {
		t.Errorf("%v, %+v", err, got)
	}
}

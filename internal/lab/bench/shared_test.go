package bench

import (
	"io"
	"os"
	"strconv"
	"testing"
	"time"

	"parley/internal/testkit/pgtest"
	"parley/internal/testkit/s3test"
	"parley/internal/testkit/verify"
)

// What a server that has just started may read from the database before its first answer, beyond the calls that are in
// no segment, and its memory for each call.
const (
	mostRead     = 1 << 20
	mostRemember = 150
)

// TestServersThatShareSegmentsReadAndRememberLittle measures servers on one database and one bucket. PARLEY_SCALE is
// the number of calls, if it is set, such as 100000; PARLEY_SCALE_WORDS how many words each has.
func TestServersThatShareSegmentsReadAndRememberLittle(t *testing.T) {
	verify.Long(t)
	b := Shared{Nodes: 3, Deletions: 20, MergeCalls: 70, Delays: []time.Duration{0, 5 * time.Millisecond}}
	b.Calls, b.Words, b.Distinct = 700, 30, 300
	scaled := os.Getenv("PARLEY_SCALE") != ""
	if scaled {
		var err error
		if b.Calls, err = strconv.Atoi(os.Getenv("PARLEY_SCALE")); err != nil {
			t.Fatal(err)
		}
		b.Words, b.Distinct, b.Deletions, b.MergeCalls = 300, 10_000, 1000, 500
		b.Delays[1] = 20 * time.Millisecond
	}
	if text := os.Getenv("PARLEY_SCALE_WORDS"); text != "" {
		var err error
		if b.Words, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	b.URL, b.Dir, b.Bucket = pgtest.URL(t), t.TempDir(), s3test.URL(s3test.Start(t, io.Discard).Address)
	f, err := b.Run(t.Context(), func(string, int64, int64) {})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d calls of %d words: %+v", b.Calls, b.Words, f)
	if f.Waiting == 0 || f.Unindexed == 0 {
		t.Errorf("%d calls wait, with %d bytes", f.Waiting, f.Unindexed)
	}
	if indexed := int64(b.Calls - f.Waiting); f.First != indexed || f.Build.Files != 2*f.Ever {
		t.Errorf("%d calls were put into a first segment %d times; %d files were stored, and %d segments put in force", indexed,
			f.First, f.Build.Files, f.Ever)
	}
	for _, a := range append(f.Answers, f.Deleted) {
		if read := a.Traffic.Database - f.Unindexed; read <= 0 || read > mostRead {
			t.Errorf("with a delay of %v, a server reads %d bytes before its first answer, beyond %d of waiting calls", a.Delay,
				read, f.Unindexed)
		}
		if a.Took < a.Delay || a.Traffic.Requests == 0 || a.Traffic.Read == 0 {
			t.Errorf("%+v", a)
		}
	}
	if each := float64(f.Memory) / float64(b.Calls); scaled && each > mostRemember {
		t.Errorf("a server needs %.0f bytes of memory for each call", each)
	}
	if f.Merge.Stored <= 0 || f.Purge.Stored <= 0 || f.Merge.Took <= 0 || f.Merge.Traffic.Read <= f.Merge.Stored/2 {
		t.Errorf("merge %+v, purge %+v", f.Merge, f.Purge)
	}
}

package posting

import (
	"bytes"
	"testing"

	"parley/internal/testkit/verify"
)

// Postings have no version of their own: the format version of package search covers the whole index.
func TestPostingsHaveTheBytesOfTheGoldenFile(t *testing.T) {
	calls := []Call{
		{Words: []Word{{1, "a"}, {2, "ab"}, {1<<31 | 3, "49.99"}}, Title: []string{"über"}, Pairs: []uint32{7}},
		{Words: []Word{{1, "a"}}, Description: []string{"z"}, Triples: []uint32{9}},
	}
	var s stored
	if err := Build(calls, 64, s.emit); err != nil {
		t.Fatal(err)
	}
	present := bytes.Join(s.blocks, []byte("\n"))
	if golden := verify.Golden(t, "postings", 1, present); !bytes.Equal(present, golden) {
		t.Error("the format has changed; raise that of package search, and this one")
	}
}

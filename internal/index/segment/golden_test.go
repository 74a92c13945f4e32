package segment

import (
	"bytes"
	"fmt"
	"testing"

	"parley/internal/call/fact"
	"parley/internal/index/tokenfile"
	"parley/internal/query"
	"parley/internal/testkit/verify"
	"parley/internal/words/media"
	"parley/internal/words/transcript"
)

// A segment of another format version is rebuilt, so a change of the format needs a new version.
func TestSegmentsOfThisVersionHaveTheBytesOfTheGoldenFile(t *testing.T) {
	var all []*Draft
	for i, text := range []string{"hello", "goodbye"} {
		said := &transcript.Transcript{Speakers: []transcript.Speaker{{Name: "Agent"}},
			Words: []transcript.Word{{Text: text}, {Text: "you"}}}
		all = append(all, &Draft{
			ID: media.ID(fmt.Sprint("01912c45-5f3c-7d1a-9b1e-0a8d5c2f4e1", i)), Change: int64(i), Indexed: true,
			Searchable: i == 1, Readable: true,
			Words: tokenfile.Of(said, "", ""),
			Values: fact.Values{
				{Field: query.Field{Space: query.Media, Path: []string{"wordCount"}}, Value: query.Number(2)},
				{Field: query.Field{Space: query.Metadata, Path: []string{"extended", "k"}}, Value: query.Text(text)},
			},
		})
	}
	present := stored(t, all)
	if golden := verify.Golden(t, "segment", version, present); !bytes.Equal(present, golden) {
		t.Errorf("the format has changed; give it the version %d", version+1)
	}
}

func TestASegmentOfAnotherVersionIsRefused(t *testing.T) {
	for old := 1; old < version; old++ {
		if _, err := Open(Plain(verify.Golden(t, "segment", old, nil))); err != ErrVersion {
			t.Errorf("version %d: %v", old, err)
		}
	}
}

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

// goldenDrafts returns the calls of the golden file of a version.
func goldenDrafts(version int) (all []*Draft) {
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
	if version < voices {
		return all
	}
	for i, speakers := range []int{2, 5} {
		said := &transcript.Transcript{Speakers: []transcript.Speaker{{Name: "Agent", Role: transcript.Agent},
			{Name: "Caller", Role: transcript.Caller}, {Name: "Ann"}, {Name: "Bob"}, {Name: "Cy"}}[:speakers]}
		for k := range speakers {
			said.Words = append(said.Words, transcript.Word{Text: "hello", Speaker: k},
				transcript.Word{Text: fmt.Sprint("I", k), Speaker: k})
		}
		all = append(all, &Draft{ID: media.ID(fmt.Sprint("01912c45-5f3c-7d1a-9b1e-0a8d5c2f4e2", i)), Readable: true,
			Words: tokenfile.Of(said, "hello", "")})
	}
	return all
}

// A change of the format needs a new version.
func TestSegmentsOfEachVersionHaveTheBytesOfTheGoldenFile(t *testing.T) {
	for v := Oldest; v <= Latest; v++ {
		present := storedAs(t, v, goldenDrafts(v))
		golden := verify.Golden(t, "segment", v, present)
		if !bytes.Equal(present, golden) {
			t.Errorf("the format of version %d has changed; give it the version %d", v, Latest+1)
		}
		s := opened(t, Plain(golden))
		same(t, s, goldenDrafts(v))
		knowsVoices(t, s, goldenDrafts(v))
	}
	f, err := builder(t, goldenDrafts(Latest)).Apart()
	if err != nil {
		t.Fatal(err)
	}
	for name, present := range map[string][]byte{"words": f.Words, "values": f.Values} {
		if !bytes.Equal(present, verify.Golden(t, name, Latest, present)) {
			t.Errorf("the format of %s has changed; give it the version %d", name, Latest+1)
		}
	}
	if data := stored(t, drafts(1)); data[3] != Written {
		t.Errorf("version %d is written, not %d", data[3], Written)
	}
}

func TestASegmentOfAnotherVersionIsRefused(t *testing.T) {
	later := stored(t, drafts(1))
	later[3] = Latest + 1
	for name, data := range map[string][]byte{"1": verify.Golden(t, "segment", 1, nil), "later": later} {
		if _, err := Open(Plain(data)); err != ErrVersion {
			t.Errorf("version %s: %v", name, err)
		}
	}
}

func TestASegmentWhoseVersionIsCorruptIsDamaged(t *testing.T) {
	for v := Oldest; v <= Latest; v++ {
		data := storedAs(t, v, drafts(5))
		for other := Oldest; other <= Latest; other++ {
			data[3] = byte(other)
			if _, err := Open(Plain(data)); err != nil != (other != v) || err != nil && err != ErrDamaged {
				t.Errorf("version %d that reads as %d: %v", v, other, err)
			}
		}
	}
}

package record

import (
	"os"
	"reflect"
	"testing"

	"parley/internal/vocabulary"
)

// knownVocabularies are what the golden files hold: every field is set, so that none can be renamed unseen.
var knownVocabularies = map[string]vocabulary.Vocabulary{
	"vocabulary.v1": {Name: "products", Kind: "names", Terms: []vocabulary.Term{{Text: "Parley", SoundsLike: []string{"par lay"}, Weight: 2.5}, {Text: "é"}}},
	"scripts.v1":    {Name: "greetings", Scripts: []string{"thank you for calling", "how may I help you"}},
}

func TestVocabulariesOfVersion1StayReadable(t *testing.T) {
	c := codec(t)
	for file, known := range knownVocabularies {
		if os.Getenv("PARLEY_GOLDEN") == "write" {
			write(t, file, c.EncodeVocabulary(known))
		}
		got, err := c.DecodeVocabulary(read(t, file))
		if err != nil || !reflect.DeepEqual(got, known) {
			t.Errorf("%s: %v, %+v", file, err, got)
		}
	}
}

func TestOnlyVocabulariesAreReadAsVocabularies(t *testing.T) {
	c := codec(t)
	for _, data := range [][]byte{nil, []byte("pr"), read(t, "source.v1"), c.seal(vocabularyKind, vocabularyVersion+1, []byte("{}")), c.seal(vocabularyKind, 1, []byte("["))} {
		if v, err := c.DecodeVocabulary(data); err == nil {
			t.Errorf("%q is read as %+v", data, v)
		}
	}
}

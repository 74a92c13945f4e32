package wire

import (
	"bytes"
	"encoding/json"
	"testing"

	"parley/internal/words/media"
)

// FuzzMetadataIsAnsweredAsItWasSent checks that an answer has all bytes of the metadata except white space, after its
// link.
func FuzzMetadataIsAnsweredAsItWasSent(f *testing.F) {
	for _, sent := range []string{
		"{}", ` {"b" : 1.0,"a":[12345678901234567890, -0, 1E+2 ]} `,
		`{"":"","é":"\u00e9\ud83d<&>\u2028` + "\u2028" + `"}`, `{"_links":1,"x":{"_links":2}}`,
		`{"callDetails":{"agent":"","own":[[]]}}`, "\ufeff{\"a\":null}",
	} {
		f.Add([]byte(sent))
	}
	f.Fuzz(func(t *testing.T, sent []byte) {
		m, err := media.ParseMetadata(sent)
		if err != nil || m == nil {
			return
		}
		answer, err := Marshal(NewMetadata(mediaID, m))
		if err != nil {
			t.Fatal(err)
		}
		var members bytes.Buffer
		if err := json.Compact(&members, m.Bytes()); err != nil {
			t.Fatal(err)
		}
		want := `{"_links":{"self":{"href":"/v3/media/` + string(mediaID) + `/metadata"}}`
		if members.Len() > 2 {
			want += ","
		}
		if want += members.String()[1:] + "\n"; string(answer) != want {
			t.Fatalf("%q is answered as\n%q, want\n%q", sent, answer, want)
		}
		again, err := media.ParseMetadata(bytes.TrimSpace(answer))
		if err != nil || !bytes.Equal(again.Bytes(), members.Bytes()) {
			t.Fatalf("sent back it is %q (%v)", again.Bytes(), err)
		}
	})
}

package asr

import (
	"reflect"
	"testing"
	"time"

	"parley/internal/testkit/verify"
)

func TestKeptRecognitionsOfVersion1StayReadable(t *testing.T) {
	want := &Recognition{Warnings: []string{"w"}, Voice: []byte{0, 255}, Words: []Word{
		{Text: "contoso", Start: 120 * time.Millisecond, End: 480 * time.Millisecond, Confidence: 0.75,
			Punctuated: "Contoso,"},
		{Text: "hello", Start: time.Second, End: 2 * time.Second},
	}}
	for _, data := range [][]byte{Encode(want), verify.Golden(t, "recognition", 1, Encode(want))} {
		if got, err := Decode(data); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, %v, want %+v", got, err, want)
		}
	}
}

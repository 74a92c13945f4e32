package asr

import (
	"reflect"
	"testing"
	"time"
)

func TestDecodeReadsWhatEncodeWrote(t *testing.T) {
	want := &Recognition{Warnings: []string{"w"}, Voice: []byte{0, 255}, Words: []Word{
		{Text: "contoso", Start: 120 * time.Millisecond, End: 480 * time.Millisecond, Confidence: 0.75, Punctuated: "Contoso,"},
		{Text: "hello", Start: time.Second, End: 2 * time.Second},
	}}
	got, err := Decode(Encode(want))
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
}

func TestDecodeReadsWordsKeptBeforePunctuation(t *testing.T) {
	got, err := Decode([]byte(`{"format":1,"words":[{"t":"hello","s":1000,"e":2000,"c":0.5}]}`))
	want := []Word{{Text: "hello", Start: time.Millisecond, End: 2 * time.Millisecond, Confidence: 0.5}}
	if err != nil || !reflect.DeepEqual(got.Words, want) {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
}

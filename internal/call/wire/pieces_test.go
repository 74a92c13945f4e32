package wire

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"parley/internal/call/caption"
	"parley/internal/words/media"
)

// inPieces joins the pieces of an answer.
func inPieces(v any, size, most int) string {
	var joined []byte
	for piece := range pieces(v, size, most) {
		joined = append(joined, piece...)
	}
	return string(joined)
}

func TestPiecesAreWhatMarshalEncodes(t *testing.T) {
	type inner struct {
		A string          `json:"a,omitempty"`
		R json.RawMessage `json:"r,omitempty"`
		B []byte          `json:"b"`
	}
	type outer struct {
		inner
		A    string         `json:"a"`
		L    []inner        `json:"l,omitzero"`
		P    *inner         `json:"p,omitempty"`
		M    map[string]int `json:"m,omitempty"`
		Any  any            `json:"any"`
		Time Time           `json:"time,omitzero"`
		Bare float64
		Not  int `json:"-"`
	}
	text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
		"<b>&\u2028\"\\", "\xff\xc3", strings.Repeat("é😀", 30),
	}))
	raw := rapid.SampledFrom([]json.RawMessage{
		nil, json.RawMessage(` { "a b" : [ 1.50 , "\\ \" x\u00e9" , null ] } `), json.RawMessage(`[]`),
	})
	one := rapid.Custom(func(t *rapid.T) inner {
		return inner{text.Draw(t, "a"), raw.Draw(t, "r"), rapid.SliceOf(rapid.Byte()).Draw(t, "b")}
	})
	rapid.Check(t, func(t *rapid.T) {
		v := outer{inner: one.Draw(t, "embedded"), A: text.Draw(t, "outer a"), Not: 1}
		v.L = rapid.SliceOf(one).Draw(t, "list")
		v.P = rapid.Ptr(one, true).Draw(t, "pointer")
		v.Any = rapid.SampledFrom([]any{nil, 1, "x", []any{"y", 2.5}, &inner{}}).Draw(t, "any")
		if rapid.Bool().Draw(t, "map") {
			v.M = map[string]int{"b": 2, "a": 1}
		}
		want, err := Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		size := rapid.IntRange(1, 200).Draw(t, "size")
		if got := inPieces(v, size, rapid.IntRange(1, 100).Draw(t, "most")); got != string(want) {
			t.Fatalf("in pieces: %s\nat once:   %s", got, want)
		}
	})
}

func TestPiecesEndWhenNobodyWantsMore(t *testing.T) {
	list, n := make([]string, 1000), 0
	for range pieces(list, 100, 10) {
		if n++; n == 3 {
			break
		}
	}
	if n != 3 {
		t.Errorf("%d pieces", n)
	}
}

func TestWhatIsNoJSONIsNotSent(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("metadata that is no JSON is sent")
		}
	}()
	inPieces(json.RawMessage("{"+strings.Repeat(" ", atOnce)), PieceSize, atOnce)
}

// BenchmarkAnswerOf450000Words reports the memory of an answer: besides its value only a few pieces, whatever its size.
func BenchmarkAnswerOf450000Words(b *testing.B) {
	tr := mono()
	for i := len(tr.Words); i < 450_000; i++ {
		w := tr.Words[0]
		w.Text, w.Start, w.End = fmt.Sprint("word", i%997), at(i*100), at(i*100+90)
		tr.Words = append(tr.Words, w)
	}
	finished := item(media.Finished)
	for name, formats := range map[string][]caption.Format{"plain": nil, "formats": caption.Formats} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				size := 0
				for piece := range Pieces(NewTranscript(finished, tr, formats)) {
					size += len(piece)
				}
				b.ReportMetric(float64(size), "bytes")
			}
		})
	}
	runtime.KeepAlive(tr)
}

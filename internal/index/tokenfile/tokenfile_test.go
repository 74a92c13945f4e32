package tokenfile

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"parley/internal/words/phrase"
	"parley/internal/words/transcript"
)

const ms = time.Millisecond

func call() *transcript.Transcript {
	return &transcript.Transcript{
		Length: 10 * time.Second,
		Speakers: []transcript.Speaker{{Name: "Agent", Role: transcript.Agent},
			{Name: "Caller", Role: transcript.Caller, Channel: 1}},
		Words: []transcript.Word{
			{Text: "Thank", Start: 100 * ms, End: 300 * ms}, {Text: "you", Start: 300 * ms, End: 450 * ms},
			{Text: ".", Kind: transcript.Punctuation, Start: 450 * ms, End: 450 * ms},
			{Text: "follow-up", Start: 2000 * ms, End: 2500 * ms, Speaker: 1},
			{Text: "$", Start: 2600 * ms, End: 2700 * ms, Speaker: 1},
			{Text: "you", Start: 3000 * ms, End: 2990 * ms, Speaker: 1},
		},
	}
}

func TestWordsOfACallAreThoseOfItsTurnsTitleAndDescription(t *testing.T) {
	s := Of(call(), "A “Title”", "")
	want := &Source{
		Length: 10 * time.Second, Speakers: call().Speakers,
		Parts: []Part{{phrase.Transcript, 0, 0, 2}, {phrase.Transcript, 1, 2, 5}, {phrase.Title, 0, 5, 7}},
		Words: []string{"thank", "you", "follow", "up", "you", "a", "title"},
		Times: []Time{{100, 300}, {300, 450}, {2000, 2500}, {2000, 2500}, {3000, 3000}},
	}
	if !reflect.DeepEqual(s, want) {
		t.Errorf("%+v\nwant %+v", s, want)
	}
}

func TestFilesAreWhatWasEncoded(t *testing.T) {
	var f File // reused for all files
	rapid.Check(t, func(t *rapid.T) {
		s := draw(t)
		g := phrase.Glossary{}
		if err := f.Decode(Encode(s, g.Number)); err != nil {
			t.Fatal(err)
		}
		var words []uint32
		for _, w := range s.Words {
			words = append(words, g[w])
		}
		times, err := f.Times()
		if again, _ := f.Times(); !slices.Equal(times, again) {
			t.Fatal("the times are others the second time")
		}
		if err != nil || f.Length != s.Length || !slices.Equal(f.Words, words) || !slices.Equal(times, s.Times) ||
			!slices.Equal(f.Speakers, s.Speakers) || !slices.Equal(f.Parts, s.Parts) {
			t.Fatalf("%+v (%v)\nwant %+v", f, err, s)
		}
	})
}

// draw generates a call.
func draw(t *rapid.T) *Source {
	x := &transcript.Transcript{Length: time.Duration(rapid.IntRange(0, 1e7).Draw(t, "length")) * ms}
	for range rapid.IntRange(1, 3).Draw(t, "speakers") {
		x.Speakers = append(x.Speakers, transcript.Speaker{
			Name: rapid.String().Draw(t, "name"), Role: transcript.Role(rapid.IntRange(0, 2).Draw(t, "role")),
			Channel: rapid.IntRange(transcript.NoChannel, 3).Draw(t, "channel"),
		})
	}
	at := time.Duration(0)
	unit := rapid.SampledFrom([]time.Duration{ms, 10 * ms}).Draw(t, "unit")
	for range rapid.IntRange(0, 40).Draw(t, "words") {
		at += time.Duration(rapid.IntRange(0, 300).Draw(t, "gap")) * unit
		x.Words = append(x.Words, transcript.Word{
			Text: rapid.SampledFrom([]string{"a", "b-c", "d", "!", "4711", "0", "007"}).Draw(t, "word"), Start: at,
			End:     at + time.Duration(rapid.IntRange(0, 90).Draw(t, "duration"))*unit,
			Speaker: rapid.IntRange(0, len(x.Speakers)-1).Draw(t, "speaker"),
		})
	}
	return Of(x, rapid.SampledFrom([]string{"", "x a"}).Draw(t, "title"),
		rapid.SampledFrom([]string{"", "y"}).Draw(t, "description"))
}

func FuzzForeignBytesAreRefusedOrRead(f *testing.F) {
	f.Add(Encode(Of(call(), "t", "d"), phrase.Glossary{}.Number))
	f.Add([]byte{version, 0, 0, 1, 9, 200})
	f.Fuzz(func(t *testing.T, data []byte) {
		var file File
		if file.Decode(data) != nil {
			return
		}
		for _, p := range file.Parts {
			if p.From > p.To || p.To > len(file.Words) || p.Field == phrase.Transcript &&
				p.Speaker >= len(file.Speakers) {
				t.Fatalf("%+v of %d words", p, len(file.Words))
			}
		}
		if times, err := file.Times(); err == nil && len(times) != file.said {
			t.Fatalf("%d times of %d words", len(times), file.said)
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	x := &transcript.Transcript{Speakers: make([]transcript.Speaker, 2)}
	for i := range 1500 {
		at := time.Duration(i) * 400 * ms
		x.Words = append(x.Words, transcript.Word{Text: "w" + string(rune('a'+i%26)) + string(rune('a'+i*i%23)),
			Start: at, End: at + 300*ms, Speaker: i / 20 % 2})
	}
	data := Encode(Of(x, "", ""), phrase.Glossary{}.Number)
	b.ReportMetric(float64(len(data)), "bytes")
	var f File
	for b.Loop() {
		if f.Decode(data) != nil {
			b.Fatal("damaged")
		}
	}
}

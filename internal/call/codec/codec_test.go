package codec

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"parley/internal/call/result"
	"parley/internal/words/fault"
	"parley/internal/words/transcript"
)

func codec(t testing.TB) *Codec {
	t.Helper()
	c, err := New()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// known returns a result without analyses.
func known() *result.Open {
	return &result.Open{
		Transcript: &transcript.Transcript{
			Language: "en-US",
			Speakers: []transcript.Speaker{{Name: "Agent", Role: transcript.Agent},
				{Name: "Zoë", Role: transcript.Caller, Channel: 1}, {Name: "Speaker", Channel: transcript.NoChannel}},
			Words: []transcript.Word{
				{Text: "Hello", Start: 10 * time.Millisecond, End: 310 * time.Millisecond, Confidence: 0.9123,
					Voice: &transcript.Voice{Volume: 1.25,
						Peaks: []transcript.Peak{{Frequency: 203.5, Energy: 1}, {Frequency: 407.25, Energy: 0.5}}}},
				{Text: ".", Kind: transcript.Punctuation, Start: 310 * time.Millisecond, End: 310 * time.Millisecond},
				{Text: "naïve", Start: 250 * time.Millisecond, End: 900 * time.Millisecond, Confidence: 1, Speaker: 1,
					Markers: []string{"redacted", "x"}},
			},
			Length: 2*time.Second + 30*time.Millisecond,
		},
		Warnings: []fault.Problem{{Code: fault.CodeGap, Message: "0.4 s from 1.0 s could not be recognised"}},
	}
}

func TestVoiceFeaturesBelow0StayBelow0(t *testing.T) {
	c := codec(t)
	tr := below()
	tr.Words[0].Voice.Volume = -1e-9
	got, err := c.DecodeTranscript(c.EncodeTranscript(tr))
	if err != nil || !(got.Words[0].Voice.Volume < 0) || got.Words[0].Voice.Peaks[0].Energy != .5 {
		t.Errorf("%v, %+v", err, got.Words[0].Voice)
	}
}

func TestNewerRecordsSayWhatToDo(t *testing.T) {
	c := codec(t)
	_, err := c.DecodeTranscript(c.seal(transcriptKind, transcriptVersion+1, nil))
	var newer *NewerError
	if !errors.As(err, &newer) || newer.Version != transcriptVersion+1 ||
		!strings.Contains(err.Error(), "newer version") {
		t.Errorf("decoding a later transcript: %v", err)
	}
	if _, err := c.DecodeResult(c.seal(resultKind, resultVersion+7, nil)); !errors.As(err, &newer) ||
		newer.Kind != "result" {
		t.Errorf("decoding a later result: %v", err)
	}
}

func TestBrokenRecordsAreErrors(t *testing.T) {
	c := codec(t)
	whole := c.EncodeResult(known())
	for n := range whole {
		if _, err := c.DecodeResult(whole[:n]); err == nil {
			t.Errorf("the first %d of %d bytes decode", n, len(whole))
		}
	}
	for i := range whole {
		flipped := append([]byte(nil), whole...)
		flipped[i] ^= 0x10
		if o, err := c.DecodeResult(flipped); err == nil && !reflect.DeepEqual(o, known()) {
			t.Errorf("a flipped bit in byte %d changes the result unseen", i)
		}
	}
	if _, err := c.DecodeTranscript(whole); err == nil {
		t.Error("a result decodes as a transcript")
	}
}

func drawTranscript(t *rapid.T) *transcript.Transcript {
	tr := &transcript.Transcript{Language: rapid.String().Draw(t, "language"),
		Length: time.Duration(rapid.Int64Range(0, 1<<45).Draw(t, "length"))}
	for range rapid.IntRange(1, 3).Draw(t, "speakers") {
		tr.Speakers = append(tr.Speakers,
			transcript.Speaker{Name: rapid.String().Draw(t, "name"),
				Role:    transcript.Role(rapid.IntRange(0, 2).Draw(t, "role")),
				Channel: rapid.IntRange(-1, 7).Draw(t, "channel")})
	}
	unit := rapid.SampledFrom([]time.Duration{1, time.Microsecond, 10 * time.Millisecond}).Draw(t, "unit")
	for range rapid.IntRange(0, 30).Draw(t, "words") {
		start := time.Duration(rapid.Int64Range(0, 1e6).Draw(t, "start")) * unit
		w := transcript.Word{
			Text: rapid.String().Draw(t, "text"), Kind: transcript.Kind(rapid.IntRange(0, 1).Draw(t, "kind")),
			Start: start, End: start + time.Duration(rapid.Int64Range(0, 1000).Draw(t, "lasts"))*unit,
			Confidence: float64(rapid.IntRange(0, 10000).Draw(t, "confidence")) / 1e4,
			Speaker:    rapid.IntRange(0, len(tr.Speakers)-1).Draw(t, "speaker"),
		}
		if rapid.Bool().Draw(t, "voice") {
			w.Markers = []string{rapid.String().Draw(t, "marker")}
			w.Voice = &transcript.Voice{Volume: float64(rapid.IntRange(0, 30000).Draw(t, "volume")) / 1e4,
				Peaks: []transcript.Peak{{Frequency: float64(rapid.IntRange(0, 800000).Draw(t, "f")) / 100,
					Energy: 0.5}}}
		}
		tr.Words = append(tr.Words, w)
	}
	return tr
}

func TestWhatIsStoredComesBack(t *testing.T) {
	c := codec(t)
	rapid.Check(t, func(t *rapid.T) {
		want := &result.Open{Transcript: drawTranscript(t)}
		got, err := c.DecodeResult(c.EncodeResult(want))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%v\ngot  %+v\nwant %+v", err, got, want)
		}
	})
}

func TestNumbersThatAreNoneBecomeZero(t *testing.T) {
	c := codec(t)
	tr := known().Transcript
	tr.Words[0].Confidence, tr.Words[2].Confidence = math.NaN(), math.Inf(-1)
	got, err := c.DecodeTranscript(c.EncodeTranscript(tr))
	if err != nil || got.Words[0].Confidence != 0 || got.Words[2].Confidence != 0 {
		t.Errorf("%v, %v", err, got)
	}
}

func FuzzDecode(f *testing.F) {
	c := codec(f)
	var w writer
	writeTranscript(&w, known().Transcript)
	f.Add(w.b)
	f.Add(c.EncodeTranscript(below()))
	f.Add(c.EncodeResult(analysed()))
	f.Fuzz(func(t *testing.T, data []byte) {
		c.DecodeTranscript(data)
		c.DecodeResult(data)
		tr, err := c.DecodeTranscript(c.seal(transcriptKind, transcriptVersion, data))
		if err != nil {
			return
		}
		again, err := c.DecodeTranscript(c.EncodeTranscript(tr))
		if err != nil || len(again.Words) != len(tr.Words) {
			t.Fatalf("a decoded transcript does not survive: %v", err)
		}
	})
}

// hour returns a call of an hour: 10,000 words with realistic variety.
func hour() *transcript.Transcript {
	tr := &transcript.Transcript{Language: "en-US", Speakers: known().Transcript.Speakers, Length: time.Hour}
	for i := range 10000 {
		start := time.Duration(i) * 360 * time.Millisecond
		word := (i * i * 7919) % (1 + (i*31)%1500)
		tr.Words = append(tr.Words, transcript.Word{
			Text: fmt.Sprintf("w%dword", word), Start: start,
			End:        start + time.Duration(50+(i*37)%300)*time.Millisecond,
			Confidence: float64((i*7919)%10000) / 1e4, Speaker: (i / 25) % 2,
		})
	}
	return tr
}

func BenchmarkEncodeHour(b *testing.B) {
	c, tr := codec(b), hour()
	for b.Loop() {
		c.EncodeTranscript(tr)
	}
	b.ReportMetric(float64(len(c.EncodeTranscript(tr))), "bytes")
}

func BenchmarkDecodeHour(b *testing.B) {
	c := codec(b)
	data := c.EncodeTranscript(hour())
	for b.Loop() {
		if _, err := c.DecodeTranscript(data); err != nil {
			b.Fatal(err)
		}
	}
}

package formatting_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"parley/internal/speech/formatting"
	"parley/internal/words/transcript"
)

var onlyNumbers = &formatting.Request{Numbers: true}

// line returns a word of 200 ms at a time in milliseconds.
func line(speaker, at int, text string) transcript.Word {
	start := time.Duration(at) * time.Millisecond
	return transcript.Word{Text: text, Start: start, End: start + 200*time.Millisecond, Confidence: 0.5,
		Speaker: speaker}
}

// call returns a transcript of two speakers.
func call(words ...transcript.Word) *transcript.Transcript {
	return &transcript.Transcript{Speakers: []transcript.Speaker{{Name: "Agent"}, {Name: "Caller", Channel: 1}},
		Words: words}
}

func texts(t *transcript.Transcript) []string {
	var list []string
	for _, w := range t.Words {
		list = append(list, w.Text)
	}
	return list
}

func TestJoinedNumberLastsFromItsFirstToItsLastPart(t *testing.T) {
	given := said("call six five zero eight nine seven five one seven zero now")
	given.Words[1].Confidence, given.Words[10].Confidence = 0.9, 0.3
	given.Words[3].Markers, given.Words[4].Markers = []string{"hesitation"}, []string{"hesitation", "x"}
	got := formatting.Apply(given, onlyNumbers).Words[1]
	want := transcript.Word{Text: "650-897-5170", Start: 300 * time.Millisecond, End: 3200 * time.Millisecond,
		Confidence: got.Confidence, Markers: []string{"hesitation", "x"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got.Confidence < 0.5199 || got.Confidence > 0.5201 {
		t.Errorf("confidence %v, want the mean 0.52", got.Confidence)
	}
}

func TestJoinedNumberHasTheMeanVolumeAndTheFirstPeaks(t *testing.T) {
	given := said("one two three")
	given.Words[1].Voice = &transcript.Voice{Volume: 1, Peaks: []transcript.Peak{{Frequency: 100}}}
	given.Words[2].Voice = &transcript.Voice{Volume: 2, Peaks: []transcript.Peak{{Frequency: 200}}}
	got := formatting.Apply(given, onlyNumbers).Words[0].Voice
	if want := (&transcript.Voice{Volume: 1.5, Peaks: []transcript.Peak{{Frequency: 100}}}); !reflect.DeepEqual(got,
		want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestNumberEndsWhereAnotherSpeakerBegins(t *testing.T) {
	got := formatting.Apply(call(line(0, 0, "twenty"), line(1, 1500, "five"), line(0, 3000, "six")), onlyNumbers)
	if want := []string{"20", "five", "six"}; !reflect.DeepEqual(texts(got), want) {
		t.Errorf("%q, want %q", texts(got), want)
	}
}

func TestSpeakersWhoOverlapKeepTheirOwnNumbers(t *testing.T) {
	got, origin := formatting.Trace(call(line(0, 0, "one"), line(1, 100, "seven"), line(0, 300, "two"),
		line(1, 400, "eight"),
		line(0, 600, "three"), line(1, 700, "nine"), line(0, 900, "yes")), onlyNumbers)
	if want := []string{"123", "789", "yes"}; !reflect.DeepEqual(texts(got), want) {
		t.Fatalf("%q, want %q", texts(got), want)
	}
	if want := (formatting.Origin{0, 1, 0, 1, 0, 1, 2}); !reflect.DeepEqual(origin, want) {
		t.Errorf("origin %v, want %v", origin, want)
	}
}

func TestPauseOfThreeSecondsEndsANumber(t *testing.T) {
	for pause, want := range map[int]string{3000: "20 five", 2999: "25"} {
		got := formatting.Apply(call(line(0, 0, "twenty"), line(0, 200+pause, "five")), onlyNumbers)
		if read(got) != want {
			t.Errorf("pause of %d ms: %q, want %q", pause, read(got), want)
		}
	}
}

func TestCommaOfADateFollowsItsDay(t *testing.T) {
	got := formatting.Apply(said("november twentieth twenty twenty six"), onlyNumbers).Words
	if len(got) != 4 || got[2].Kind != transcript.Punctuation || got[2].Start != got[1].End ||
		got[2].End != got[1].End || got[2].Confidence != 0 {
		t.Errorf("%+v", got)
	}
}

func TestNothingAskedIsNothingDone(t *testing.T) {
	given := said("twenty five shits")
	got, origin := formatting.Trace(given, &formatting.Request{})
	if got != given || !reflect.DeepEqual(origin, formatting.Origin{0, 1, 2}) {
		t.Errorf("%q, %v", read(got), origin)
	}
}

func TestEmptyTranscriptStaysEmpty(t *testing.T) {
	got, origin := formatting.Trace(&transcript.Transcript{}, all)
	if len(got.Words) != 0 || len(origin) != 0 {
		t.Errorf("%v, %v", got, origin)
	}
}

// hour returns a call of about 10,000 words that repeats all examples, in turns.
func hour(b *testing.B) *transcript.Transcript {
	t := &transcript.Transcript{Speakers: []transcript.Speaker{{Name: "A"}, {Name: "B"}}}
	list := examples(b)
	filler := "well i was calling about the order that we talked about yesterday and nobody could tell me where it is"
	for i := 0; len(t.Words) < 10000; i++ {
		saying(t, i%2, filler)
		saying(t, i%2, list[i%len(list)].spoken)
	}
	return t
}

func BenchmarkNumbersOfAnHour(b *testing.B)   { benchmark(b, onlyNumbers) }
func BenchmarkProfanityOfAnHour(b *testing.B) { benchmark(b, &formatting.Request{Profanity: true}) }

func benchmark(b *testing.B, r *formatting.Request) {
	t := hour(b)
	b.ReportAllocs()
	for b.Loop() {
		formatting.Apply(t, r)
	}
	b.ReportMetric(float64(len(t.Words))*float64(b.N)/b.Elapsed().Seconds(), "words/s")
}

// BenchmarkRepetition checks that the time per word stays constant in a turn that consists of numbers only.
func BenchmarkRepetition(b *testing.B) {
	for _, text := range []string{"ten", "four one nine oh", "one to", "point one", "a hundred and", "one dot one dash",
		"november the first of", "ten thirty"} {
		for _, times := range []int{500, 8000} {
			b.Run(fmt.Sprintf("%s/%d", text, times), func(b *testing.B) {
				t := said(strings.Repeat(text+" ", times))
				for b.Loop() {
					formatting.Apply(t, onlyNumbers)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(t.Words)), "ns/word")
			})
		}
	}
}

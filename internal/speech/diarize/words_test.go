package diarize_test

import (
	"reflect"
	"testing"
	"time"

	"parley/internal/speech/diarize"
	"parley/internal/words/sound"
	"parley/internal/words/transcript"
)

func said(text string, from, to time.Duration) transcript.Word {
	return transcript.Word{Text: text, Start: from * time.Second, End: to * time.Second}
}

func turns(speakers ...int) *diarize.Result {
	f := &diarize.Result{}
	for i, s := range speakers { // 8 s each, 2 s between
		start := time.Duration(i) * 10 * time.Second
		f.Turns = append(f.Turns, diarize.Turn{Speaker: s,
			Segment: sound.Segment{Start: start, End: start + 8*time.Second}})
	}
	return f
}

func speakersOf(t *transcript.Transcript) []int {
	var speakers []int
	for _, w := range t.Words {
		speakers = append(speakers, w.Speaker)
	}
	return speakers
}

func TestWordsGoWithTheTurnOfTheirMiddle(t *testing.T) {
	given := &transcript.Transcript{
		Speakers: []transcript.Speaker{{Name: "Speaker", Channel: transcript.NoChannel}},
		Words: []transcript.Word{
			said("inside", 1, 2), {Text: ".", Kind: transcript.Punctuation, Start: 12 * time.Second,
				End: 12 * time.Second},
			said("rather-before", 6, 9), said("across", 7, 12), said("nearer-to-the-second", 9, 10),
			said("inside", 12, 13), said("after-all", 30, 31),
		},
	}
	got := turns(0, 1, 0).Apply(given)
	if want := []int{0, 0, 0, 1, 1, 1, 0}; !reflect.DeepEqual(speakersOf(got), want) {
		t.Errorf("speakers %v, want %v", speakersOf(got), want)
	}
	names := []transcript.Speaker{{Name: "Speaker 1", Channel: transcript.NoChannel},
		{Name: "Speaker 2", Channel: transcript.NoChannel}}
	if !reflect.DeepEqual(got.Speakers, names) {
		t.Errorf("speakers %+v, want %+v", got.Speakers, names)
	}
	if !reflect.DeepEqual(speakersOf(given), make([]int, 7)) || len(given.Speakers) != 1 {
		t.Error("the given transcript has changed")
	}
}

func TestSpeakersWithoutWordsAreLeftOut(t *testing.T) {
	got := turns(0, 1, 2).Apply(&transcript.Transcript{Words: []transcript.Word{said("one", 11, 12),
		said("two", 21, 22)}})
	if len(got.Speakers) != 2 || !reflect.DeepEqual(speakersOf(got), []int{0, 1}) {
		t.Errorf("%+v", got)
	}
}

func TestTranscriptOfOneSpeakerStaysAsItIs(t *testing.T) {
	given := &transcript.Transcript{Speakers: []transcript.Speaker{{Name: "Ann", Role: transcript.Agent}},
		Words: []transcript.Word{said("hello", 1, 2)}}
	for _, f := range []*diarize.Result{turns(), turns(0), turns(0, 1)} {
		if got := f.Apply(given); got != given {
			t.Errorf("%+v of turns %v", got, f.Turns)
		}
	}
	if empty := turns(0, 1).Apply(&transcript.Transcript{}); len(empty.Words) != 0 {
		t.Errorf("%+v", empty)
	}
}

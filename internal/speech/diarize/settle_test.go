package diarize_test

import (
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"parley/internal/speech/diarize"
	"parley/internal/words/sound"
)

func turn(speaker int, from, to time.Duration) diarize.Turn {
	return diarize.Turn{Speaker: speaker, Segment: sound.Segment{Start: from * time.Second, End: to * time.Second}}
}

func TestTurnsOfOthersAreOrderedAndApart(t *testing.T) {
	got := diarize.Settle([]diarize.Turn{turn(4, 5, 9), turn(7, -1, 6), turn(4, 2, 3), turn(9, 9, 20), turn(9, 30, 31)},
		12*time.Second)
	want := &diarize.Result{Speakers: 3, Turns: []diarize.Turn{turn(0, 0, 6), turn(1, 6, 9), turn(2, 9, 12)}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := diarize.Settle(nil, time.Minute); got.Speakers != 0 || got.Turns != nil {
		t.Errorf("of nothing: %+v", got)
	}
}

func TestSettledTurnsHoldWhatFoundPromises(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var turns []diarize.Turn
		for range rapid.IntRange(0, 20).Draw(t, "turns") {
			turns = append(turns, turn(rapid.IntRange(-2, 5).Draw(t, "speaker"),
				time.Duration(rapid.IntRange(-5, 50).Draw(t, "from")),
				time.Duration(rapid.IntRange(-5, 50).Draw(t, "to"))))
		}
		found := diarize.Settle(turns, 40*time.Second)
		last, speakers := time.Duration(0), 0
		for _, turn := range found.Turns {
			if turn.Start < last || turn.End <= turn.Start || turn.End > 40*time.Second || turn.Speaker > speakers ||
				turn.Speaker < 0 {
				t.Fatalf("%+v", found.Turns)
			}
			last, speakers = turn.End, max(speakers, turn.Speaker+1)
		}
		if speakers != found.Speakers {
			t.Fatalf("%d speakers, said to be %d", speakers, found.Speakers)
		}
	})
}

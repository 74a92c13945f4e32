package eval_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"parley/internal/lab/eval"
	"parley/internal/words/sound"
)

const second = time.Second

func turn(speaker string, from, to float64) eval.SpeakerTurn {
	return eval.SpeakerTurn{Speaker: speaker, Segment: sound.Segment{
		Start: time.Duration(from * float64(second)), End: time.Duration(to * float64(second)),
	}}
}

func TestDiarizationErrorsAreMissesFalseAlarmsAndConfusions(t *testing.T) {
	type turns []eval.SpeakerTurn
	for name, c := range map[string]struct {
		reference, found turns
		collar           float64
		want             eval.Diarization
	}{
		"nothing": {want: eval.Diarization{}},
		"other names": {turns{turn("A", 0, 2), turn("B", 2, 4)}, turns{turn("x", 2, 4), turn("y", 0, 2)}, 0,
			eval.Diarization{Speech: 4 * second}},
		"missed": {turns{turn("A", 0, 2), turn("B", 2, 4)}, turns{turn("x", 0, 1)}, 0,
			eval.Diarization{Speech: 4 * second, Missed: 3 * second}},
		"false alarm": {turns{turn("A", 1, 2)}, turns{turn("x", 0, 4)}, 0,
			eval.Diarization{Speech: second, FalseAlarm: 3 * second}},
		"all one": {turns{turn("A", 0, 3), turn("B", 3, 4)}, turns{turn("x", 0, 4)}, 0,
			eval.Diarization{Speech: 4 * second, Confused: second}},
		"one too many": {turns{turn("A", 0, 4)}, turns{turn("x", 0, 3), turn("y", 3, 4)}, 0,
			eval.Diarization{Speech: 4 * second, Confused: second}},
		"overlap": {turns{turn("A", 0, 3), turn("B", 2, 4)}, turns{turn("x", 0, 2), turn("y", 2, 4)}, 0,
			eval.Diarization{Speech: 5 * second, Missed: second}},
		"both found": {turns{turn("A", 0, 3)}, turns{turn("x", 0, 3), turn("y", 1, 2)}, 0,
			eval.Diarization{Speech: 3 * second, FalseAlarm: second}},
		"edge in collar": {turns{turn("A", 0, 2), turn("B", 2, 4)}, turns{turn("x", 0, 2.2), turn("y", 2.2, 4)}, 0.25,
			eval.Diarization{Speech: 3 * second}},
		"edge outside": {turns{turn("A", 0, 2), turn("B", 2, 4)}, turns{turn("x", 0, 2.5), turn("y", 2.5, 4)}, 0.25,
			eval.Diarization{Speech: 3 * second, Confused: second / 4}},
		"twice the same": {turns{turn("A", 0, 2), turn("A", 1, 3)}, turns{turn("x", 0, 3)}, 0,
			eval.Diarization{Speech: 3 * second}},
		// The greedy assignment of A to x shares 5 s; A to y and B to x share 7.
		"best mapping": {
			turns{turn("A", 0, 9), turn("B", 10, 13)},
			turns{turn("x", 0, 5), turn("y", 5, 9), turn("x", 10, 13)}, 0,
			eval.Diarization{Speech: 12 * second, Confused: 5 * second},
		},
	} {
		if got := eval.CompareTurns(c.reference, c.found, time.Duration(c.collar*float64(second))); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

const tenth = second / 10

// turnsOf draws turns of up to four speakers on whole tenths of a second.
func turnsOf(t *rapid.T, label string) []eval.SpeakerTurn {
	var turns []eval.SpeakerTurn
	for range rapid.IntRange(0, 12).Draw(t, label) {
		start := tenth * time.Duration(rapid.IntRange(0, 100).Draw(t, "start"))
		length := tenth * time.Duration(rapid.IntRange(0, 40).Draw(t, "length"))
		speaker := string(rune('A' + rapid.IntRange(0, 3).Draw(t, "speaker")))
		turns = append(turns, eval.SpeakerTurn{Speaker: speaker,
			Segment: sound.Segment{Start: start, End: start + length}})
	}
	return turns
}

// best tries all mappings of speakers, in steps of a tenth of a second.
func best(reference, found []eval.SpeakerTurn) time.Duration {
	var there, heard [150]map[string]bool
	for i := range there {
		there[i], heard[i] = active(reference, tenth*time.Duration(i)), active(found, tenth*time.Duration(i))
	}
	least := time.Duration(1 << 60)
	for _, p := range permutations("ABCD") {
		var sum time.Duration
		for i := range there {
			right := 0
			for r := range there[i] {
				if heard[i][string(p[r[0]-'A'])] {
					right++
				}
			}
			sum += tenth * time.Duration(max(len(there[i]), len(heard[i]))-right)
		}
		least = min(least, sum)
	}
	return least
}

func active(turns []eval.SpeakerTurn, at time.Duration) map[string]bool {
	speakers := map[string]bool{}
	for _, t := range turns {
		if t.Start <= at && at < t.End {
			speakers[t.Speaker] = true
		}
	}
	return speakers
}

func permutations(of string) []string {
	if of == "" {
		return []string{""}
	}
	var all []string
	for i := range of {
		for _, rest := range permutations(of[:i] + of[i+1:]) {
			all = append(all, of[i:i+1]+rest)
		}
	}
	return all
}

func TestDiarizationErrorIsThatOfTheBestMapping(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		reference, found := turnsOf(t, "reference"), turnsOf(t, "found")
		got := eval.CompareTurns(reference, found, 0)
		if sum, want := got.Missed+got.FalseAlarm+got.Confused, best(reference, found); sum != want {
			t.Fatalf("%+v sums to %v, the best mapping of all has %v", got, sum, want)
		}
	})
}

func TestDiarizationOfTheReferenceItselfHasNoError(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		reference := turnsOf(t, "reference")
		collar := time.Duration(rapid.IntRange(0, 3).Draw(t, "collar")) * second / 4
		if got := eval.CompareTurns(reference, reference, collar); got.Rate() != 0 {
			t.Fatalf("%+v", got)
		}
	})
}

func TestRTTMGivesSpeakersAndRefusesImpossibleTimes(t *testing.T) {
	got, err := eval.ReadTurns(strings.NewReader(
		"SPKR-INFO a 1 <NA>\n\nSPEAKER a 1 0.5 1.25 <NA> <NA> Ann <NA> <NA>\n"))
	if want := []eval.SpeakerTurn{turn("Ann", 0.5, 1.75)}; err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, %v", got, err)
	}
	for _, line := range []string{"SPEAKER a 1 -1 2 <NA> <NA> Ann", "SPEAKER a 1 NaN 2 <NA> <NA> Ann",
		"SPEAKER a 1 1 1e9 <NA> <NA> Ann", "SPEAKER a 1 1"} {
		if _, err := eval.ReadTurns(strings.NewReader(line)); err == nil {
			t.Errorf("%q is taken", line)
		}
	}
}

package eval

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"parley/internal/speech/asr"
	"parley/internal/words/transcript"
)

func TestMarksAreScoredInTheGapsOfTheWordsThatBothHave(t *testing.T) {
	for _, c := range []struct {
		why, reference, got  string
		comma, period, quest Marks
	}{
		{"all right", "Hi, how are you? Fine.", "hi, how are you? fine.", Marks{Correct: 1}, Marks{Correct: 1},
			Marks{Correct: 1}},
		{"missed, and wrong", "Well, yes. No.", "well yes? no.", Marks{Missed: 1}, Marks{Correct: 1, Missed: 1},
			Marks{Wrong: 1}},
		{"a missing word's mark counts in its gap", "Call you back. Bye.", "call you. bye.", Marks{}, Marks{Correct: 2},
			Marks{}},
		{"another word keeps its mark", "My name is Chris, hello.", "my name is this, hello.", Marks{Correct: 1},
			Marks{Correct: 1}, Marks{}},
		{"numbers however written", "It is 25. Then 555-1234, right?",
			"it is twenty five. then five five five one two three four, right?", Marks{Correct: 1}, Marks{Correct: 1},
			Marks{Correct: 1}},
		{"exclamation marks and semicolons are stops, quotes are looked through", `“Go!” he said; now: "run."`,
			`go. he said. now, run.`, Marks{Correct: 1}, Marks{Correct: 3}, Marks{}},
		{"titles end nothing", "Mr. Smith left.", "mr smith left.", Marks{}, Marks{Correct: 1}, Marks{}},
		{"nothing heard", "Yes. Really?", "", Marks{}, Marks{Missed: 1}, Marks{Missed: 1}},
		{"nothing said", "", "yes.", Marks{}, Marks{Wrong: 1}, Marks{}},
	} {
		want := PunctuationScore{Comma: c.comma, Period: c.period, Question: c.quest}
		if got := Punctuation(strings.Fields(c.reference), strings.Fields(c.got)); got != want {
			t.Errorf("%s: %v, expected %v", c.why, got, want)
		}
	}
}

func TestInnerMarksLeaveTheLastGapOut(t *testing.T) {
	want := PunctuationScore{Comma: Marks{Correct: 1}}
	if got := InnerPunctuation(strings.Fields("Yes, sir,"), strings.Fields("yes, sir.")); got != want {
		t.Errorf("%v", got)
	}
}

func TestF1IsTheHarmonicMeanOfPrecisionAndRecall(t *testing.T) {
	if got := (Marks{Correct: 3, Wrong: 1, Missed: 2}).F1(); got != 2*0.75*0.6/(0.75+0.6) {
		t.Errorf("F1 %v", got)
	}
	if got := (Marks{}).F1(); got != 0 {
		t.Errorf("F1 of nothing %v", got)
	}
}

func TestReferenceWordsTakeTheTimesOfTheWordsHeard(t *testing.T) {
	s := time.Second
	heard := []asr.Word{{Text: "hello", Start: 1 * s, End: 2 * s}, {Text: "bob", Start: 5 * s, End: 6 * s}}
	got := reading(strings.Fields("“Hello,” dear well-known Rob!"), heard, 9*s)
	var want []transcript.Word
	for _, w := range []struct {
		text       string
		start, end time.Duration
	}{{"hello", 1 * s, 2 * s}, {"dear", 2 * s, 3 * s}, {"well", 3 * s, 4 * s}, {"known", 4 * s, 5 * s},
		{"rob", 5 * s, 6 * s}} {
		want = append(want, transcript.Word{Text: w.text, Start: w.start, End: w.end, Confidence: 1})
	}
	if !reflect.DeepEqual(got.Words, want) {
		t.Errorf("%+v\nexpected %+v", got.Words, want)
	}
}

func TestTheBaselineEndsSentencesAtPauses(t *testing.T) {
	r := Recording{Set: "a", Text: strings.Fields("Yes. It is, sir.")}
	ms := time.Millisecond
	heard := []asr.Word{{Text: "yes", End: 300 * ms}, {Text: "it", Start: 900 * ms, End: 1000 * ms},
		{Text: "is", Start: 1000 * ms, End: 1200 * ms}, {Text: "sir", Start: 1300 * ms, End: 1600 * ms}}
	row := measurePunctuation(r, heard, 2*time.Second, func(t *transcript.Transcript) *transcript.Transcript {
		return t
	})
	if got := row.Given.ByPause[best(row.Given)]; got != (PunctuationScore{Comma: Marks{Missed: 1},
		Period: Marks{Correct: 2}}) {
		t.Errorf("baseline %v", got)
	}
	if want := (Pauses{0: {1}, 1: {0, 0, 1}, 2: {6: 1}}); row.Pauses != want {
		t.Errorf("pauses %v, expected %v", row.Pauses, want)
	}
	table := PunctuationTable{}.add(row).add(row)
	if len(table) != 1 || table[0].Words != 8 || !strings.Contains(table.String(), "recogniser") {
		t.Errorf("table\n%s", table)
	}
}

package eval_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"parley/internal/lab/eval"
	"parley/internal/words/sound"
)

func normal(text string) string {
	var out []string
	for _, t := range eval.Normalize(strings.Fields(text)) {
		out = append(out, t.Text)
	}
	return strings.Join(out, " ")
}

func TestTheSameSpeechWrittenInOtherWaysIsTheSame(t *testing.T) {
	for _, same := range [][]string{
		{"OK, thanks.", "okay thanks"},
		{"uh I, um, don’t know", "i don't know"},
		{"555-1234", "five five five one two three four"},
		{"1985", "nineteen eighty five", "one thousand nine hundred eighty-five"},
		{"123 Maple Street", "one hundred twenty three maple street", "one two three Maple Street"},
		{"2,005", "two thousand five", "2005"},
		{"July 4th", "july fourth", "July 4"},
		{"$49.99", "forty nine ninety nine dollars"},
		{"four o eight", "four oh eight", "408"},
		{"10001", "one zero zero zero one"},
		{"A.B.C. has T.V. and H.B.O.", "ABC has TV and HBO", "a. b. c. has t. v. and h. b. o."},
		{"Mr. Smith & Dr. Jones", "mister smith and doctor jones"},
		{"country/language", "country language"},
		{"50%", "fifty percent"},
		{"alright I'm gonna go", "all right i'm going to go"},
	} {
		for _, other := range same[1:] {
			if a, b := normal(same[0]), normal(other); a != b {
				t.Errorf("%q is %q, %q is %q", same[0], a, other, b)
			}
		}
	}
}

func TestOtherSpeechIsNotTheSame(t *testing.T) {
	for _, pair := range [][2]string{
		{"oh no", "0 no"}, {"twenty five", "twenty six"}, {"a hundred", "a thousand"}, {"I can", "I can't"},
		{"him", "hum"}, {"90", "nine"},
	} {
		if a, b := normal(pair[0]), normal(pair[1]); a == b {
			t.Errorf("%q and %q are both %q", pair[0], pair[1], a)
		}
	}
}

func TestErrorsAreCounted(t *testing.T) {
	for _, c := range []struct {
		reference, heard string
		want             eval.Score
		rate             float64
	}{
		{"a b c d", "a b c d", eval.Score{Words: 4}, 0},
		{"a b c d", "a x c d", eval.Score{Words: 4, Substitutions: 1}, 0.25},
		{"a b c d", "a c d", eval.Score{Words: 4, Deletions: 1}, 0.25},
		{"a b c d", "a b z c d", eval.Score{Words: 4, Insertions: 1}, 0.25},
		{"a b c d", "", eval.Score{Words: 4, Deletions: 4}, 1},
		{"", "a b", eval.Score{Insertions: 2}, 2},
		{"", "", eval.Score{}, 0},
	} {
		got := eval.Compare(strings.Fields(c.reference), strings.Fields(c.heard))
		if got != c.want || got.Rate() != c.rate {
			t.Errorf("%q heard as %q: %+v, rate %v", c.reference, c.heard, got, got.Rate())
		}
	}
}

func TestHalvesAreThoseOfTheReference(t *testing.T) {
	for _, c := range []struct {
		reference, heard string
		first, second    eval.Score
	}{
		{"a b c d", "a x c y z", eval.Score{Words: 2, Substitutions: 1},
			eval.Score{Words: 2, Substitutions: 1, Insertions: 1}},
		{"a b c d e", "x a b c d", eval.Score{Words: 3, Insertions: 1}, eval.Score{Words: 2, Deletions: 1}},
		{"a", "", eval.Score{Words: 1, Deletions: 1}, eval.Score{}},
		{"", "a", eval.Score{Insertions: 1}, eval.Score{}},
	} {
		got := eval.CompareHalves(strings.Fields(c.reference), strings.Fields(c.heard))
		if got[0] != c.first || got[1] != c.second {
			t.Errorf("%q heard as %q: %+v", c.reference, c.heard, got)
		}
	}
}

func TestAlignmentIsCompleteAndInOrder(t *testing.T) {
	tokens := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) eval.Token {
		return eval.Token{Text: rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "text")}
	}), 0, 12)
	rapid.Check(t, func(t *rapid.T) {
		reference, heard := tokens.Draw(t, "reference"), tokens.Draw(t, "heard")
		i, j := 0, 0
		for _, p := range eval.Align(reference, heard) {
			if p.Reference >= 0 && p.Reference != i || p.Heard >= 0 && p.Heard != j || p.Reference < 0 && p.Heard < 0 {
				t.Fatalf("step %v at %d, %d", p, i, j)
			}
			if p.Reference >= 0 {
				i++
			}
			if p.Heard >= 0 {
				j++
			}
		}
		if i != len(reference) || j != len(heard) {
			t.Fatalf("alignment ends at %d of %d, %d of %d", i, len(reference), j, len(heard))
		}
	})
}

func TestStartErrorsAreThoseOfWordsHeardRight(t *testing.T) {
	const ms = time.Millisecond
	reference := []eval.TimedWord{{"Thank", 100 * ms}, {"you", 300 * ms}, {"twenty", 400 * ms}, {"five", 500 * ms},
		{"bye", 900 * ms}}
	heard := []eval.TimedWord{{"thank", 130 * ms}, {"who", 310 * ms}, {"25", 405 * ms}, {"bye", 850 * ms}}
	got := eval.StartErrors(reference, heard)
	if want := []time.Duration{30 * ms, 50 * ms}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if m := eval.Median(got); m != 50*ms {
		t.Errorf("median %v", m)
	}
}

func TestDetectionCountsMissedSpeechAndFalseAlarms(t *testing.T) {
	turns, err := eval.ReadRTTM(strings.NewReader(
		";; comment\nSPEAKER f 1 1.000 2.000 <NA> <NA> a <NA> <NA>\nSPEAKER f 1 2.500 1.500 <NA> <NA> b <NA> <NA>\n\n"))
	if err != nil {
		t.Fatal(err)
	}
	found := []sound.Segment{{Start: 0, End: 2 * time.Second}, {Start: 3500 * time.Millisecond, End: 20 * time.Second}}
	got := eval.Detect(turns, found, 10*time.Second)
	want := eval.Detection{Speech: 3 * time.Second, Silence: 7 * time.Second, Missed: 1500 * time.Millisecond,
		FalseAlarm: 7 * time.Second}
	if got != want || got.MissRate() != 0.5 || got.FalseAlarmRate() != 1 {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func FuzzRTTMIsReadOrRefused(f *testing.F) {
	f.Add("SPEAKER f 1 1.000 2.000 <NA> <NA> a <NA> <NA>")
	f.Add("SPEAKER f 1 NaN 1e99")
	f.Fuzz(func(t *testing.T, text string) {
		segments, err := eval.ReadRTTM(strings.NewReader(text))
		for _, s := range segments {
			if err == nil && (s.Start < 0 || s.End < s.Start) {
				t.Fatalf("segment %v", s)
			}
		}
	})
}

func FuzzNormalizeTakesAnyText(f *testing.F) {
	f.Add("$49.99, o'clock A.B. 1,000,000 one hundred and 5th")
	f.Fuzz(func(t *testing.T, text string) {
		words := strings.Fields(text)
		for _, token := range eval.Normalize(words) {
			if token.Text == "" || token.Word < 0 || token.Word >= len(words) {
				t.Fatalf("token %+v of %d words", token, len(words))
			}
		}
	})
}

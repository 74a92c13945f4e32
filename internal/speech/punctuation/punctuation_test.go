package punctuation

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"parley/internal/words/transcript"
)

func load(t testing.TB) *Request {
	t.Helper()
	r, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// say returns a transcript of one speaker. A word of n dots is a pause of n tenths of a second.
func say(words string) *transcript.Transcript {
	t := &transcript.Transcript{Speakers: []transcript.Speaker{{Name: transcript.DefaultSpeaker}}}
	at := time.Duration(0)
	for _, w := range strings.Fields(words) {
		if strings.Trim(w, ".") == "" {
			at += time.Duration(len(w)) * 100 * time.Millisecond
			continue
		}
		t.Words = append(t.Words, transcript.Word{Text: w, Start: at, End: at + 300*time.Millisecond, Confidence: 0.9})
		at += 300 * time.Millisecond
	}
	t.Length = at
	return t
}

func read(t *transcript.Transcript) string {
	all := make([]int, len(t.Words))
	for i := range all {
		all[i] = i
	}
	return t.Text(all)
}

func TestSentencesCommasAndQuestionsAreRestored(t *testing.T) {
	r := load(t)
	for _, c := range []struct{ words, want string }{
		{"thank you for calling ....... how can i help you today", "Thank you for calling. How can I help you today?"},
		{"yes i'd like to book a table for two people", "Yes, I'd like to book a table for two people."},
		{"what time does the movie start", "What time does the movie start?"},
		{"do you have a phone number for them ........ no i'm fine",
			"Do you have a phone number for them? No, I'm fine."},
		{"i live in seattle ........ i need it on monday", "I live in Seattle. I need it on Monday."},
	} {
		if got := read(Apply(say(c.words), r)); got != c.want {
			t.Errorf("%q became\n%q, expected\n%q", c.words, got, c.want)
		}
	}
}

func TestMarksStandAtTheEndOfTheirWord(t *testing.T) {
	in := say("hello how are you")
	out := Apply(in, load(t))
	for i, w := range out.Words {
		if w.Kind != transcript.Punctuation {
			continue
		}
		if i == 0 {
			t.Fatal("punctuation before the first word")
		}
		before := out.Words[i-1]
		if w.Start != before.End || w.End != before.End || w.Speaker != before.Speaker || w.Confidence != 0 {
			t.Errorf("mark %+v behind %+v", w, before)
		}
	}
	if last := out.Words[len(out.Words)-1]; last.Kind != transcript.Punctuation {
		t.Errorf("the last word %q has no mark", last.Text)
	}
	if in.Words[0].Text != "hello" || len(in.Words) != 4 {
		t.Error("the transcript that was given has changed")
	}
}

func TestDigitsOfANumberStayTogether(t *testing.T) {
	got := read(Apply(say("it's five five five .......... one two three four .................... thank you"), load(t)))
	if !strings.HasPrefix(got, "It's five five five one two three four") {
		t.Errorf("%q", got)
	}
}

func TestAbbreviationsHaveOneDot(t *testing.T) {
	if got := read(Apply(say("i watch t.v."), load(t))); got != "I watch T.V." {
		t.Errorf("%q", got)
	}
}

func TestGivenPunctuationStays(t *testing.T) {
	in := say("no ten of them i need it")
	in.Words = slices.Insert(in.Words, 4,
		transcript.Word{Text: "!", Kind: transcript.Punctuation, Start: in.Words[3].End, End: in.Words[3].End})
	if got := read(Apply(in, load(t))); !strings.Contains(got, "of them! I need") {
		t.Errorf("%q", got)
	}
}

func TestSpeakersAreTextsOfTheirOwn(t *testing.T) {
	in := say("i would like to right cancel my order")
	in.Speakers = append(in.Speakers, transcript.Speaker{Name: "Agent"})
	in.Words[4].Speaker = 1
	if got := read(Apply(in, load(t))); got != "I would like to Right. cancel my order." {
		t.Errorf("%q", got)
	}
}

func TestNamesAndLettersHaveCapitals(t *testing.T) {
	names := NewNames("# comment\nMonday March May\nPayPal", "paypal Anna")
	for _, c := range []struct{ words, want string }{
		{"so i'm off on monday", "So I'm off on Monday."},
		{"anna's paypal", "Anna's PayPal."},
		{"you may march on march third", "You may march on March third."},
		{"that is j a n e", "That is J A N E."},
		{"call four o eight", "Call four o eight."},
		{"my t.v. at nine p.m. NASA", "My T.V. at nine p.m. NASA."},
	} {
		model := NewModel(nil).Shifted(-50, -50, -60)
		if got := read(Apply(say(c.words), &Request{Model: model, Names: names})); got != c.want {
			t.Errorf("%q became %q, expected %q", c.words, got, c.want)
		}
	}
}

func TestWithoutNamesOnlySentencesAndIAreCapitalised(t *testing.T) {
	model := NewModel(nil).Shifted(-50, -50, -60)
	if got := read(Apply(say("on monday i do"), &Request{Model: model})); got != "On monday I do." {
		t.Errorf("%q", got)
	}
}

func TestNothingBecomesNothing(t *testing.T) {
	if out := Apply(&transcript.Transcript{}, load(t)); len(out.Words) != 0 {
		t.Errorf("%d words", len(out.Words))
	}
}

func TestModelsAreReadAsWritten(t *testing.T) {
	m := NewModel([]FeatureWeights{{Feature: 7, Weights: [3]float32{1, -2, 99}},
		{Feature: 1<<31 + 5, Weights: [3]float32{0, 0, 0.5}}}).Shifted(1, 2, 3)
	var file bytes.Buffer
	if err := m.Write(&file); err != nil {
		t.Fatal(err)
	}
	whole := file.Bytes()
	got, err := ReadModel(bytes.NewReader(whole))
	if err != nil || !reflect.DeepEqual(got, m) {
		t.Errorf("read another model, error %v", err)
	}
	for _, cut := range []int{0, 5, len(whole) / 2, len(whole) - 9} {
		if _, err := ReadModel(bytes.NewReader(whole[:cut])); err == nil {
			t.Errorf("no error for %d of %d bytes", cut, len(whole))
		}
	}
}

// drawTranscript generates words of several speakers, with unusual texts, times and punctuation.
func drawTranscript(t *rapid.T) *transcript.Transcript {
	speakers := rapid.IntRange(1, 3).Draw(t, "speakers")
	tr := &transcript.Transcript{Speakers: make([]transcript.Speaker, speakers)}
	word := rapid.OneOf(rapid.StringMatching(`[a-zA-Z'.]{1,6}`), rapid.String(),
		rapid.SampledFrom(strings.Fields("i you do what is are yes please may march the a b monday anna's")))
	at := time.Duration(0)
	for range rapid.IntRange(0, 120).Draw(t, "words") {
		length := time.Duration(rapid.IntRange(0, 500).Draw(t, "length")) * time.Millisecond
		w := transcript.Word{Start: at, End: at + length, Speaker: rapid.IntRange(0, speakers-1).Draw(t, "speaker")}
		if w.Text = word.Draw(t, "text"); rapid.IntRange(0, 9).Draw(t, "kind") == 0 {
			w.Kind, w.Text = transcript.Punctuation,
				rapid.SampledFrom([]string{",", ".", "?", "!", "-", "..."}).Draw(t, "mark")
		}
		tr.Words = append(tr.Words, w)
		at += time.Duration(rapid.IntRange(0, 1500).Draw(t, "step")) * time.Millisecond
	}
	return tr
}

func TestWordsStayAndMarksFollowWords(t *testing.T) {
	r := load(t)
	rapid.Check(t, func(t *rapid.T) {
		in := drawTranscript(t)
		keeps(t, in, Apply(in, r))
	})
}

// keeps fails unless out equals in, except for inserted marks and for capitals.
func keeps(t *rapid.T, in, out *transcript.Transcript) {
	i := 0
	for k, w := range out.Words {
		if i < len(in.Words) && same(w, in.Words[i]) {
			i++
			continue
		}
		if w.Kind != transcript.Punctuation || k == 0 || out.Words[k-1].Kind != transcript.Spoken ||
			out.Words[k-1].Speaker != w.Speaker {
			t.Fatalf("unexpected %+v at %d", w, k)
		}
	}
	if i != len(in.Words) {
		t.Fatalf("%d of %d words are left", i, len(in.Words))
	}
}

func same(a, b transcript.Word) bool {
	equal := strings.EqualFold(a.Text, b.Text)
	a.Text, b.Text = "", ""
	return equal && reflect.DeepEqual(a, b)
}

func TestApplyingTwiceIsApplyingOnce(t *testing.T) {
	r := load(t)
	rapid.Check(t, func(t *rapid.T) {
		once := Apply(drawTranscript(t), r)
		if twice := Apply(once, r); !reflect.DeepEqual(once, twice) {
			t.Fatalf("once  %q\ntwice %q", read(once), read(twice))
		}
	})
}

func FuzzApply(f *testing.F) {
	f.Add("hello how are you today i am fine thank you", uint64(12345))
	f.Add("i . ? ,, ’s \xff ſ ı", uint64(0))
	r := load(f)
	f.Fuzz(func(t *testing.T, words string, pauses uint64) {
		in := &transcript.Transcript{Speakers: make([]transcript.Speaker, 2)}
		at := time.Duration(0)
		for i, w := range strings.Split(words, " ") {
			word := transcript.Word{Text: w, Start: at, End: at + 100*time.Millisecond,
				Speaker: int(pauses>>(i%60)) & 1}
			if w == "." || w == "," || w == "?" {
				word.Kind = transcript.Punctuation
			}
			in.Words = append(in.Words, word)
			at += time.Duration(pauses>>(i%50)&0x7ff) * time.Millisecond
		}
		once := Apply(in, r)
		if twice := Apply(once, r); !reflect.DeepEqual(once, twice) {
			t.Errorf("once  %q\ntwice %q", read(once), read(twice))
		}
	})
}

// BenchmarkApply punctuates a call of 10,000 words.
func BenchmarkApply(b *testing.B) {
	r := load(b)
	phrase := "thank you for calling how may i help you today . i would like to change the address of my account " +
		"please can you do that ..... "
	in := say(strings.Repeat(phrase, 10000/24+1))
	in.Words = in.Words[:10000]
	for b.Loop() {
		Apply(in, r)
	}
}

package pipeline

import (
	"strings"
	"testing"
	"time"

	"parley/internal/call/plan"
	"parley/internal/speech/asr"
	"parley/internal/speech/importer"
	"parley/internal/words/transcript"
)

// shown writes each word or mark in brackets, with a space before words.
func shown(words []transcript.Word) string {
	var b strings.Builder
	for _, w := range words {
		if w.Kind == transcript.Spoken {
			b.WriteByte(' ')
		}
		b.WriteString("[" + w.Text + "]")
	}
	return strings.TrimSpace(b.String())
}

func TestPunctuationOfTheEngineIsUsedWhereItIsAskedFor(t *testing.T) {
	for _, c := range []struct{ text, written, want string }{
		{"contoso", "Contoso,", "[Contoso][,]"},
		{"okay", "Okay.", "[Okay][.]"},
		{"really", "really?!", "[really][?][!]"},
		{"us", "U.S.", "[U.S.]"},
		{"pm", "p.m.,", "[p.m.][,]"},
		{"hello", "“Hello”", "[Hello]"},
		{"plain", "plain", "[plain]"},
		{"none", "", "[none]"},
		{"dots", "...", "[dots][...]"},
		{"mister", "Mr.", "[Mr.]"},
		{"wait", "—wait—", "[wait][—]"},
		{"que", "¿", "[que]"},
		{"3.5", "3.5", "[3.5]"},
	} {
		w := asr.Word{Text: c.text, Punctuated: c.written, Start: time.Second, End: 2 * time.Second, Confidence: .5}
		got := written(w, 1, true)
		if shown(got) != c.want {
			t.Errorf("%q: got %s, want %s", c.written, shown(got), c.want)
		}
		for _, g := range got[1:] {
			if g.Kind != transcript.Punctuation || g.Start != w.End || g.End != w.End || g.Speaker != 1 {
				t.Errorf("%q: mark %+v", c.written, g)
			}
		}
		if bare := written(w, 1, false); shown(bare) != "["+c.text+"]" {
			t.Errorf("%q unasked: %s", c.written, shown(bare))
		}
	}
}

// saying returns a transcript of one speaker, with one word per 300 ms.
func saying(text string) *transcript.Transcript {
	tr := &transcript.Transcript{Speakers: []transcript.Speaker{{Name: transcript.DefaultSpeaker,
		Channel: transcript.NoChannel}}}
	for i, w := range strings.Fields(text) {
		start := time.Duration(i) * 300 * time.Millisecond
		word := transcript.Word{Text: w, Start: start, End: start + 250*time.Millisecond, Confidence: 1}
		if strings.ContainsAny(w, ".,?!") {
			word.Kind, word.Start = transcript.Punctuation, start
			word.End = word.Start
		}
		tr.Words = append(tr.Words, word)
	}
	return tr
}

func TestFormattingDoesWhatThePlanAsksFor(t *testing.T) {
	f, err := NewFormatter()
	if err != nil {
		t.Fatal(err)
	}
	const said = "thank you for calling my number is two zero six five five five zero one four seven"
	for _, c := range []struct {
		asked plan.Formatting
		want  string
	}{
		{plan.Formatting{}, said},
		{plan.Formatting{Numbers: true}, "thank you for calling my number is 206-555-0147"},
		{plan.Formatting{Numbers: true, Punctuation: true}, "Thank you for calling my number is 206-555-0147."},
	} {
		got := f.Format(saying(said), &plan.Plan{Formatting: c.asked})
		turn := got.Turns()[0]
		if text := got.Text(turn.Words); text != c.want {
			t.Errorf("%+v: %q, want %q", c.asked, text, c.want)
		}
	}
}

func TestGivenMarksAreNotDoubledAndSwitchNothingOffForTheRest(t *testing.T) {
	f, err := NewFormatter()
	if err != nil {
		t.Fatal(err)
	}
	for given, want := range map[string]string{
		`[{"s":0,"e":300,"w":"Is"},{"s":300,"e":600,"w":"it"},{"s":600,"e":900,"w":"due"},{"s":900,"e":1200,"w":"today?"},{"s":1300,"e":1600,"w":"great!"}]`: "Is it due today? great!",
		`[{"s":0,"e":300,"w":"Is"},{"s":300,"e":600,"w":"it"},{"s":600,"e":900,"w":"today"},{"s":900,"e":900,"w":"?"}]`:                                      "Is it today?",
		`[{"s":0,"e":300,"w":"Speaker 1:"},{"s":300,"e":600,"w":"thank"},{"s":600,"e":900,"w":"you"},{"s":900,"e":1200,"w":"for"},{"s":1200,"e":1500,"w":"calling"},
			{"s":2400,"e":2700,"w":"how"},{"s":2700,"e":3000,"w":"can"},{"s":3000,"e":3300,"w":"i"},{"s":3300,"e":3600,"w":"help"},{"s":3600,"e":3900,"w":"you"}]`: "Speaker 1: thank you for calling. How can I help you?",
	} {
		g, err := importer.Parse([]byte(given))
		if err != nil {
			t.Fatal(err)
		}
		got := f.Format(g.Transcript, &plan.Plan{Formatting: plan.Formatting{Punctuation: true}})
		var text []string
		for _, turn := range got.Turns() {
			text = append(text, got.Text(turn.Words))
		}
		if said := strings.Join(text, " "); said != want {
			t.Errorf("%s: %q, want %q", given, said, want)
		}
	}
}

func TestATranscriptThatIsPunctuatedIsLeftAlone(t *testing.T) {
	f, err := NewFormatter()
	if err != nil {
		t.Fatal(err)
	}
	given := saying("thank you for calling , how are you")
	got := f.Format(given, &plan.Plan{Formatting: plan.Formatting{Punctuation: true}})
	if shown(got.Words) != shown(given.Words) {
		t.Errorf("got %s", shown(got.Words))
	}
}

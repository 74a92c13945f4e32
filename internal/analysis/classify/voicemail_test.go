package classify

import (
	"strings"
	"testing"
	"time"

	"parley/internal/words/transcript"
)

// said returns a transcript whose lines are turns of two speakers, alternately.
func said(lines ...string) *transcript.Transcript {
	t := &transcript.Transcript{Speakers: []transcript.Speaker{{Name: "a"}, {Name: "b"}}}
	at := time.Duration(0)
	for i, line := range lines {
		for _, w := range strings.Fields(line) {
			t.Words = append(t.Words, transcript.Word{Text: w, Speaker: i % 2, Start: at,
				End: at + 300*time.Millisecond})
			at += 400 * time.Millisecond
		}
		at += time.Second
	}
	return t
}

func TestAnsweringMachinesAreToldFromPeople(t *testing.T) {
	v, err := LoadVoicemail()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		lines   []string
		machine bool
	}{
		{[]string{"Hello, you've reached Tim Baker. I can't take your call at the moment. Leave me a message and " +
			"I'll ring you back."}, true},
		{[]string{"The customer you have dialed is unavailable. At the tone, please record your message."}, true},
		{[]string{"Please leave a message after the beep.",
			"Hi Tim, it's Laura from the dentist, please call us back about your appointment. Bye."}, true},
		{[]string{"Thanks for calling the bank, how can I help you?", "Hi, I lost my card.", "Okay, what is your name?",
			"Tim Baker.", "Thank you Tim, one moment please."}, false},
		{[]string{"Hello, I wanted to ask about my invoice because I was charged twice, what can you do about that?"},
			false},
		{[]string{"Please leave a message after the tone.", "What do you mean?", "Just kidding, hi Tim.",
			"Ha, you got me.", "So how are you doing?", "I'm good, thanks."}, false},
	} {
		if p := v.Judge(said(c.lines...)); (p[1] > .5) != c.machine {
			t.Errorf("%q: %.2f", c.lines, p)
		}
	}
	if p := v.Judge(said()); p[0] != .5 || p[1] != .5 {
		t.Errorf("nothing said: %v", p)
	}
}

func TestVoicemailIsRightInCrossValidation(t *testing.T) {
	examples, err := voicemailExamples()
	if err != nil {
		t.Fatal(err)
	}
	_, q := train(t, examples)
	t.Log(table(q))
	if q.Accuracy < .93 {
		t.Errorf("%+v", q)
	}
}

func TestWhatIsBuiltInHasItsLabels(t *testing.T) {
	v, err := LoadVoicemail()
	if err != nil {
		t.Fatal(err)
	}
	found := Predict(said("please leave a message after the tone"), &Request{[]Classifier{{VoicemailDescription(), v}}})
	if len(found) != 1 || found[0].Label != "voicemail" || found[0].Class != 1 || !found[0].Binary ||
		found[0].Score <= .5 || found[0].Name != "voicemail" {
		t.Errorf("%+v", found)
	}
	if l := v.model.Labels(); l[0] != VoicemailDescription().Labels[0] || l[1] != VoicemailDescription().Labels[1] {
		t.Errorf("labels %v", l)
	}
}

func BenchmarkAnHoursCall(b *testing.B) {
	examples, err := voicemailExamples()
	if err != nil {
		b.Fatal(err)
	}
	m, _ := train(b, examples)
	var lines []string
	for len(strings.Fields(strings.Join(lines, " "))) < 9000 {
		lines = append(lines, strings.Split(voicemailTexts, "\n")...)
	}
	call := said(lines...)
	b.ReportAllocs()
	for b.Loop() {
		m.Judge(call)
	}
}

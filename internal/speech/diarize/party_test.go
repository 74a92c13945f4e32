package diarize_test

import (
	"strings"
	"testing"
	"time"

	"parley/internal/speech/diarize"
	"parley/internal/words/transcript"
)

// talk returns a transcript of lines "1: text", with one word per second.
func talk(lines ...string) *transcript.Transcript {
	t := &transcript.Transcript{Speakers: []transcript.Speaker{{Name: "Speaker 1", Channel: transcript.NoChannel},
		{Name: "Speaker 2", Channel: transcript.NoChannel}}}
	for _, line := range lines {
		who, text, _ := strings.Cut(line, ": ")
		for _, word := range strings.Fields(text) {
			start := time.Duration(len(t.Words)) * time.Second
			t.Words = append(t.Words, transcript.Word{Text: word, Start: start, End: start + time.Second,
				Speaker: int(who[0] - '1')})
		}
	}
	return t
}

func party(name string) transcript.Speaker {
	return transcript.Speaker{Name: name, Role: transcript.RoleOf(name), Channel: transcript.NoChannel}
}

func TestPartiesAreNamedByWhatTheySayOrByWhoSpeaksFirst(t *testing.T) {
	for _, c := range []struct {
		name    string
		parties string
		lines   []string
		want    string // names of speakers 1 and 2
	}{
		{"the agent answers", "Agent Caller", []string{"1: hello", "2: hi"}, "Agent Caller"},
		{"the order of roles does not matter", "Caller Agent", []string{"1: hello", "2: hi"}, "Agent Caller"},
		{"the agent greets second", "Agent Caller",
			[]string{"1: hello", "2: Thank you for calling Contoso, how may I help you?"}, "Caller Agent"},
		{"the caller speaks first", "Customer Service", []string{"1: hi I'm calling about my bill", "2: sure"},
			"Customer Service"},
		{"an agent calls", "Agent Customer", []string{"1: yes", "2: hello this call may be recorded for quality"},
			"Customer Agent"},
		{"one role is enough", "Ann Agent", []string{"1: welcome to Contoso", "2: hi"}, "Agent Ann"},
		{"so is the caller's", "Ann Caller", []string{"1: hi I want to ask about my order", "2: sure"}, "Caller Ann"},
		{"without roles in the order of speaking", "Ann Bob",
			[]string{"1: I'm calling about my bill", "2: welcome to Contoso"}, "Ann Bob"},
		{"what comes late does not count", "Agent Caller",
			[]string{"1: " + strings.Repeat("hm ", 95), "2: how can i help you"}, "Agent Caller"},
	} {
		var parties []transcript.Speaker
		for _, name := range strings.Fields(c.parties) {
			parties = append(parties, party(name))
		}
		given := talk(c.lines...)
		got := diarize.Name(given, parties).Speakers
		if names := got[0].Name + " " + got[1].Name; names != c.want {
			t.Errorf("%s: %s, want %s", c.name, names, c.want)
		}
		if given.Speakers[0].Name != "Speaker 1" {
			t.Errorf("%s: the transcript was changed", c.name)
		}
	}
}

func TestOnlyTwoWhoShareAChannelAreNamed(t *testing.T) {
	parties := []transcript.Speaker{party("Agent"), party("Caller")}
	stereo := talk("1: hello", "2: hi")
	stereo.Speakers[0].Channel, stereo.Speakers[1].Channel = 0, 1
	one := talk("1: hello")
	one.Speakers = one.Speakers[:1]
	for name, given := range map[string]*transcript.Transcript{"a channel each": stereo, "one voice": one} {
		if got := diarize.Name(given, parties); got != given {
			t.Errorf("%s: %+v", name, got.Speakers)
		}
	}
	if given := talk("1: a", "2: b"); diarize.Name(given, nil) != given {
		t.Error("named after nobody")
	}
}

package pipeline

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"parley/internal/call/plan"
	"parley/internal/speech/align"
	"parley/internal/words/fault"
	"parley/internal/words/transcript"
)

// speakers parses name/channel/role, separated by spaces.
func speakers(s string) []transcript.Speaker {
	var all []transcript.Speaker
	for _, one := range strings.Fields(s) {
		name, channel, _ := strings.Cut(one, "/")
		speaker := transcript.Speaker{Name: name, Role: transcript.RoleOf(name), Channel: transcript.NoChannel}
		if channel != "" {
			speaker.Channel = int(channel[0] - '0')
		}
		all = append(all, speaker)
	}
	return all
}

func TestSpeakersOfAGivenTranscriptFindTheirPlaceInThePlan(t *testing.T) {
	for _, c := range []struct{ name, given, channels, mixed, want string }{
		{"by name, case ignored", "jane bob", "Bob/0 Jane/1", "", "jane/1 bob/0"},
		{"by role", "Customer Representative", "Agent/0 Caller/1", "", "Customer/1 Representative/0"},
		{"by channel", "One/0 Two/1", "Agent/0 Caller/1", "", "Agent/0 Caller/1"},
		{"the only one is named by the plan", "Speaker", "", "Jane", "Jane"},
		{"one with a name keeps it", "Bob", "", "Jane", "Bob"},
		{"nobody shares a channel that the plan gives to another", "Agent/0 Other/1", "Caller/0 Agent/1", "",
			"Agent/1 Other"},
		{"two of one role", "Agent Operator", "Agent/0 Caller/1", "", "Agent/0 Operator"},
		{"without a plan all stay", "A/0 B/1", "", "Speaker", "A/0 B/1"},
	} {
		in := plan.Ingest{}
		for _, s := range speakers(c.channels) {
			in.Channels = append(in.Channels, plan.Channel{Speaker: s})
		}
		if in.Channels == nil {
			in.Mixed = speakers(c.mixed)[0]
		}
		if got, want := cast(speakers(c.given), in), speakers(c.want); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %v, want %v", c.name, got, want)
		}
	}
}

func TestPartiesOfOneChannelNameOnlySpeakersThatAreTheirs(t *testing.T) {
	in := plan.Ingest{Mixed: speakers("Speaker")[0], Parties: speakers("Agent Jane")}
	for given, want := range map[string]string{"Speaker": "Speaker", "jane Operator": "jane Operator", "A B": "A B"} {
		if got := cast(speakers(given), in); !reflect.DeepEqual(got, speakers(want)) {
			t.Errorf("%s: got %v, want %v", given, got, speakers(want))
		}
	}
	in.Channels = []plan.Channel{{Speaker: speakers("Agent/0")[0]}, {Speaker: speakers("Jane/1")[0]}}
	if got, want := cast(speakers("One/0 Two/1"), in), speakers("Agent/0 Jane/1"); !reflect.DeepEqual(got, want) {
		t.Errorf("a channel each: got %v, want %v", got, want)
	}
}

func TestImportedWordsEndWithTheRecording(t *testing.T) {
	given := &transcript.Transcript{Speakers: speakers("A"), Words: []transcript.Word{
		{Text: "a", Start: time.Second, End: 3 * time.Second},
		{Text: "b", Start: 4 * time.Second, End: 5 * time.Second},
	}}
	got, warnings := Import(given, 2*time.Second,
		&plan.Plan{Language: "de-DE", Ingest: plan.Ingest{Mixed: speakers("Speaker")[0]}})
	if got.Words[0].End != 2*time.Second || got.Words[1].Start != 2*time.Second || got.Words[1].End != 2*time.Second ||
		len(warnings) != 1 {
		t.Errorf("%v, %v", got.Words, warnings)
	}
	if got.Language != "de-DE" || got.Length != 2*time.Second || given.Words[1].End != 5*time.Second {
		t.Errorf("%+v from %+v", got, given)
	}
}

func TestWordsWhoseTimesAreMovedAreCounted(t *testing.T) {
	word := func(start, end time.Duration) transcript.Word {
		return transcript.Word{Text: "a", Start: start * time.Millisecond, End: end * time.Millisecond}
	}
	mark := transcript.Word{Text: ".", Kind: transcript.Punctuation, Start: 9 * time.Second, End: 9 * time.Second}
	for _, c := range []struct {
		given, want transcript.Word
		told        bool
	}{
		{word(100, 200), word(100, 200), false},
		{word(100, 50), word(100, 100), true},
		{word(100, 9e6), word(100, 1000), true},
		{word(2000, 2500), word(1000, 1000), true},
		{word(2000, 50), word(1000, 1000), true},
		{word(900, 1200), word(900, 1000), false}, // rounded
		{mark, transcript.Word{Text: ".", Kind: transcript.Punctuation, Start: time.Second, End: time.Second}, false},
	} {
		given := &transcript.Transcript{Speakers: speakers("A"), Words: []transcript.Word{c.given, c.given}}
		got, warnings := Import(given, time.Second, &plan.Plan{Ingest: plan.Ingest{Mixed: speakers("Speaker")[0]}})
		told := len(warnings) == 1 && warnings[0].Code == fault.CodeAlignment &&
			strings.HasPrefix(warnings[0].Message, "2 words ")
		if !reflect.DeepEqual(got.Words[1], c.want) || told != c.told || !c.told && warnings != nil {
			t.Errorf("%v: %v, %v", c.given, got.Words[1], warnings)
		}
	}
}

func TestSpeakersOfThePlanWhomTheTranscriptDoesNotHaveAreTold(t *testing.T) {
	for _, c := range []struct{ given, channels, parties, told string }{
		{"Agent Caller", "Agent/0 Caller/1", "", ""},
		{"jane Customer", "Jane/0 Caller/1", "", ""},
		{"One/0 Two/1", "Agent/0 Caller/1", "", ""},
		{"Agent Caller Machine", "Agent/0 Caller/1", "", ""},
		{"Agent", "Agent/0 Caller/1", "", ""}, // no other speaker
		{"Jim Lara", "Agent/0 Caller/1", "", "2 of the 2 speakers"},
		{"Agent Lara", "Agent/0 Caller/1", "", "1 of the 2 speakers"},
		{"Speaker", "Agent/0 Caller/1", "", "2 of the 2 speakers"},
		{"Jim Lara", "", "Agent Caller", "2 of the 2 speakers"},
		{"Customer Jane", "", "Jane Caller", ""},
		{"Jim Lara", "", "", ""},
	} {
		in := plan.Ingest{Key: "stereo", Mixed: speakers("Speaker")[0], Parties: speakers(c.parties)}
		for _, s := range speakers(c.channels) {
			in.Channels = append(in.Channels, plan.Channel{Speaker: s})
		}
		warnings := unplaced(cast(speakers(c.given), in), in)
		told := len(warnings) == 1 && warnings[0].Code == fault.CodeIgnored &&
			strings.HasPrefix(warnings[0].Message, "/ingest/stereo: "+c.told)
		if told != (c.told != "") || !told && warnings != nil {
			t.Errorf("%+v: %v", c, warnings)
		}
	}
}

func TestVoiceFeaturesOutOfRangeAreClampedWithOneWarning(t *testing.T) {
	said := func(volume, frequency, energy float64) transcript.Word {
		return transcript.Word{Text: "a",
			Voice: &transcript.Voice{Volume: volume,
				Peaks: []transcript.Peak{{Frequency: 200, Energy: .5}, {Frequency: frequency, Energy: energy}}}}
	}
	given := &transcript.Transcript{Speakers: speakers("A"), Words: []transcript.Word{
		said(9, 16000, 1), said(-1, 16000.5, 1.5), said(0, -3, -.1), {Text: "b"}, said(1e308, 1e300, 2),
	}}
	got, warnings := Import(given, time.Second, &plan.Plan{Ingest: plan.Ingest{Mixed: speakers("Speaker")[0]}})
	want := []transcript.Word{said(9, 16000, 1), said(0, 16000, 1), said(0, 0, 0), {Text: "b"}, said(1e6, 16000, 1)}
	if !reflect.DeepEqual(got.Words, want) || given.Words[1].Voice.Volume != -1 {
		t.Errorf("got %+v", got.Words)
	}
	if len(warnings) != 1 || warnings[0].Code != fault.CodeVoiceRange ||
		!strings.HasPrefix(warnings[0].Message, "8 voice features ") {
		t.Errorf("warnings %v, want one about 8 voice features", warnings)
	}
	given.Words = given.Words[:1]
	if _, warnings := Import(given, time.Second,
		&plan.Plan{Ingest: plan.Ingest{Mixed: speakers("Speaker")[0]}}); warnings != nil {
		t.Errorf("warnings %v about features in range", warnings)
	}
}

func TestAFewWordsThatWereNotHeardAreNoNews(t *testing.T) {
	words := make([]transcript.Word, 40)
	for guessed, want := range map[int]int{0: 0, 3: 0, longGuess - 1: 0, longGuess: 1, 40: 1} {
		found := &align.Result{Words: words}
		if guessed > 0 {
			found.Guessed = []transcript.Span{{From: 0, To: guessed}}
		}
		if got := guesses(found); len(got) != want {
			t.Errorf("%d words: %v", guessed, got)
		}
	}
}

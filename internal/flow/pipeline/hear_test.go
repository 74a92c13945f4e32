package pipeline

import (
	"reflect"
	"testing"

	"parley/internal/call/plan"
	"parley/internal/words/transcript"
)

func TestSpeakersOfPublishedWordsAreKnownByTheirChannels(t *testing.T) {
	for _, c := range []struct{ name, published, channels, mixed, want string }{
		{"by channel, whatever their names", "Agent/0 Caller/1", "Caller/0 Jane/1", "", "Caller/0 Jane/1"},
		{"more than the plan knows", "A/0 B/1 C/2", "X/0 Y/1", "", "X/0 Y/1 C/2"},
		{"no channels in the plan", "Agent/0 Caller/1", "", "Jane", "Agent/0 Caller/1"},
		{"the only one of a mix", "Speaker", "", "Jane", "Jane"},
		{"the only one of a mix keeps a name", "Jane", "", "Speaker", "Jane"},
		{"several of a mix keep theirs", "Jane Bob", "", "Agent", "Jane Bob"},
	} {
		in := plan.Ingest{}
		for _, s := range speakers(c.channels) {
			in.Channels = append(in.Channels, plan.Channel{Speaker: s})
		}
		if in.Channels == nil {
			in.Mixed = speakers(c.mixed)[0]
		}
		published := &transcript.Transcript{Speakers: speakers(c.published)}
		if got, want := renamed(published, in, false).Speakers, speakers(c.want); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %v, want %v", c.name, got, want)
		}
		if !reflect.DeepEqual(published.Speakers, speakers(c.published)) {
			t.Errorf("%s: the published transcript was changed", c.name)
		}
	}
}

func TestSpeakersOfGivenWordsKeepTheirNames(t *testing.T) {
	given := &transcript.Transcript{Speakers: speakers("Bob")}
	if got := renamed(given, plan.Ingest{Mixed: speakers("Jane")[0]}, true).Speakers; !reflect.DeepEqual(got,
		speakers("Bob")) {
		t.Errorf("got %v", got)
	}
}

package main

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestTextIsReadWithItsOffsets(t *testing.T) {
	turns, err := parse("# a comment\n\nAgent: Hello.\nCaller [-600]: Hi: it's me.\n")
	if err != nil {
		t.Fatal(err)
	}
	want := []turn{
		{Speaker: "Agent", Text: "Hello.", channel: 0, offset: defaultOffset},
		{Speaker: "Caller", Text: "Hi: it's me.", channel: 1, offset: -600 * time.Millisecond},
	}
	if !slices.Equal(turns, want) {
		t.Errorf("read %+v", turns)
	}
}

func TestWrongLinesAreNamed(t *testing.T) {
	for text, place := range map[string]string{"Agent: a\nno colon": "call.txt:2", "Nobody: a": "Nobody",
		"Agent [x]: a": "call.txt:1"} {
		if _, err := parse(text); err == nil || !strings.Contains(err.Error(), place) {
			t.Errorf("%q: error %v does not name %s", text, err, place)
		}
	}
}

func TestSpeechIsPlacedAndTrimmed(t *testing.T) {
	speech := trim([]int16{0, 199, -300, 5, 400, -100})
	if got := mix([]int16{1}, speech, 2); !slices.Equal(got, []int16{1, 0, -300, 5, 400}) {
		t.Errorf("channel is %v", got)
	}
}

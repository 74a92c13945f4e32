package main

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"parley/internal/speech/punctuation"
)

func TestFieldsAreSpoken(t *testing.T) {
	for _, c := range []struct{ written, want string }{
		{"6:20pm", "six twenty p m"}, {"$8.50.", "eight dollars fifty"}, {"4th,", "fourth"}, {"20th", "twentieth"},
		{"22nd", "twenty second"},
		{"2018", "twenty eighteen"}, {"81%", "eighty one percent"},
		{"555-1234", "five hundred fifty five twelve thirty four"},
		{"0041", "zero zero four one"}, {"PG-13", "pg thirteen"}, {"1,250", "one thousand two hundred fifty"},
		{"don't!", "don't"}, {"–", ""},
	} {
		if got := strings.Join(speak(c.written), " "); got != c.want {
			t.Errorf("%q is spoken %q, expected %q", c.written, got, c.want)
		}
	}
}

func TestTurnsAreTakenApart(t *testing.T) {
	u := readTurn("user", `Well -- at 5 p.m., Mr. Smith said: "Why?" I left; bye!`)
	var got []string
	for i, w := range u.words {
		got = append(got, w+u.marks[i].String())
	}
	want := "well, at five p m, mr smith said, why? i left. bye."
	if strings.Join(got, " ") != want {
		t.Errorf("%q, expected %q", strings.Join(got, " "), want)
	}
}

func TestCarelessTurnsAreLeftOut(t *testing.T) {
	for text, want := range map[string]bool{"Yes, I do.": true, "yes, I do.": false, "Yes i do.": false,
		"Yes, I do": false, "5 please.": true, "": false} {
		if got := careful(readTurn("user", text)); got != want {
			t.Errorf("%q: kept %v", text, got)
		}
	}
}

func TestSimulationIsTheSameForTheSameSeed(t *testing.T) {
	talks := []talk{{turns: []turn{readTurn("user", "Hello, can you help me? I lost my card."),
		readTurn("agent", "Sure. What is your name?")}}}
	once := simulateAll(talks, rand.New(rand.NewPCG(1, 1)), 5)
	if again := simulateAll(talks, rand.New(rand.NewPCG(1, 1)), 5); !reflect.DeepEqual(once, again) {
		t.Error("two simulations differ")
	}
	if other := simulateAll(talks, rand.New(rand.NewPCG(2, 1)), 5); reflect.DeepEqual(once, other) {
		t.Error("another seed changes nothing")
	}
}

func TestTrainingFindsWhatIsThere(t *testing.T) {
	var talks []talk
	for i := range 300 {
		talks = append(talks, talk{turns: []turn{readTurn("user",
			fmt.Sprintf("Yes, we have %d. Do you like it? We went.", i%7+2)), readTurn("agent", "We see.")}})
	}
	model := learn(parts{train: talks, tune: talks[:3]}, rand.New(rand.NewPCG(1, 1)))
	texts := simulateAs(talks[:20], condition{style: gapless, pace: 1}, rand.New(rand.NewPCG(1, 1)))
	if f1 := measure(texts, func(t text) []punctuation.Mark { return model.Marks(t.tokens, nil) }).micro(); f1 < 98 {
		t.Errorf("F1 %.1f on what it was trained on", f1)
	}
}

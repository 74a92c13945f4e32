package formatting_test

import (
	"strings"
	"testing"

	"parley/internal/speech/formatting"
)

func TestDisallowedWordsAreMasked(t *testing.T) {
	for _, word := range strings.Fields(
		`fuck Fucking FUCKED motherfucker bullshit shit's Shitty, bitches asshole ass dumb-ass ſhit fuc` + "\u212a" +
			` pissed bastards`) {
		got := formatting.Apply(said("you "+word+" there"), &formatting.Request{Profanity: true})
		if read(got) != "you ... there" {
			t.Errorf("%q is %q", word, read(got))
		}
	}
}

func TestWholeWordsAndMildOnesAreAllowed(t *testing.T) {
	for _, word := range strings.Fields(
		`Scunthorpe assess assassin class bass cocktail peacock Dick Dickens Dyke titan title shiitake Essex pushit
		analysis damn hell hello crap bloody document cumulative grape therapist niggle niggardly snigger spice spick retardant
		Matsushita arsenal whorl canter Fukuda bitcoin passage pussycat crass embassy Hancock prick screw cockpit ... '' 's`) {
		if formatting.Profane(word) {
			t.Errorf("%q is masked", word)
		}
	}
}

func TestMaskKeepsTimesAndConfidence(t *testing.T) {
	given := said("oh shit really")
	got := formatting.Apply(given, &formatting.Request{Profanity: true}).Words[1]
	want := given.Words[1]
	if got.Text != formatting.Mask || got.Start != want.Start || got.End != want.End ||
		got.Confidence != want.Confidence || got.Kind != want.Kind {
		t.Errorf("%+v of %+v", got, want)
	}
}

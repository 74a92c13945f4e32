package classify

import (
	"context"
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"parley/internal/words/transcript"
)

// Sentiment returns the description of the sentiment classifier. Package pipeline implements it, from the sentiment of
// the sentences.
func Sentiment() Description {
	return Description{"5f0a1f6c-7b5e-4d3e-9a51-3b2f0c6d1e01", "sentiment", "Sentiment of the call", "1.0.0",
		[]string{"negative", "neutral", "positive"}}
}

// VoicemailDescription returns the description of Voicemail.
func VoicemailDescription() Description {
	return Description{"5f0a1f6c-7b5e-4d3e-9a51-3b2f0c6d1e02", "voicemail", "Answering machine or conversation",
		"1.0.0", []string{"conversation", "voicemail"}}
}

// BuiltIn returns the descriptions of the classifiers that every account has. Both are for English.
func BuiltIn() []Description { return []Description{Sentiment(), VoicemailDescription()} }

// Voicemail separates answering machines and voicemail messages from conversations by the first words of a call. It is
// trained on texts that were written for it.
type Voicemail struct{ model *Model }

//go:embed voicemail.tsv
var voicemailTexts string

// LoadVoicemail returns the classifier. It is trained once per process, in a few milliseconds, and shared.
func LoadVoicemail() (*Voicemail, error) { return voicemail() }

var voicemail = sync.OnceValues(func() (*Voicemail, error) {
	examples, err := voicemailExamples()
	if err != nil {
		return nil, err
	}
	m, _, err := Train(context.Background(), examples, func() {})
	return &Voicemail{m}, err
})

func voicemailExamples() ([]Example, error) {
	var examples []Example
	for line := range strings.Lines(voicemailTexts) {
		label, text, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok {
			return nil, fmt.Errorf("voicemail.tsv: %q has no tab", line)
		}
		examples = append(examples, Example{Written(text), label})
	}
	return examples, nil
}

const (
	opening  = 60 // number of words that are evaluated
	exchange = 4  // changes of speaker that rule out an answering machine
)

// Judge returns the probabilities of a conversation and of a voicemail. A call in which speakers take turns is a
// conversation, whatever they say. Both are .5 for a call without words.
func (v *Voicemail) Judge(t *transcript.Transcript) []float64 {
	text := Spoken(t)
	if len(text) == 0 {
		return []float64{.5, .5}
	}
	p := v.model.Probabilities(text[:min(len(text), opening)])
	if changes(t) >= exchange {
		p[1] = min(p[1], .05)
		p[0] = 1 - p[1]
	}
	return p
}

// changes counts the turns of at least two words that follow a turn of another speaker.
func changes(t *transcript.Transcript) int {
	n, last := 0, -1
	for _, turn := range t.Turns() {
		words := 0
		for _, i := range turn.Words {
			if t.Words[i].Kind == transcript.Spoken {
				words++
			}
		}
		if words < 2 {
			continue
		}
		if last >= 0 && last != turn.Speaker {
			n++
		}
		last = turn.Speaker
	}
	return n
}

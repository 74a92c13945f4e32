package diarize

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"parley/internal/words/transcript"
)

// Name gives the names and roles of two parties to the two speakers of a transcript that share a channel. If the
// parties are agent and caller, typical phrases at the beginning decide. Otherwise, or without such phrases, the
// first to speak is the first party, or of agent and caller the agent, since the called party answers. Any other
// transcript is returned unchanged.
func Name(t *transcript.Transcript, parties []transcript.Speaker) *transcript.Transcript {
	if len(parties) != 2 || len(t.Speakers) != 2 || t.Speakers[0].Channel != transcript.NoChannel ||
		t.Speakers[1].Channel != transcript.NoChannel {
		return t
	}
	party, speaker := 0, firstSpeaker(t) // who are the same person
	if agent := agentOf(parties); agent >= 0 {
		party = agent
		if agentSigns(t, speaker) < agentSigns(t, 1-speaker) {
			speaker = 1 - speaker
		}
	}
	out := *t
	out.Speakers = slices.Clone(parties)
	if party != speaker {
		slices.Reverse(out.Speakers)
	}
	return &out
}

// agentOf returns which of two parties is the agent, from the role of either; −1 if unknown.
func agentOf(parties []transcript.Speaker) int {
	switch a, b := parties[0].Role, parties[1].Role; {
	case a == b:
		return -1
	case a == transcript.Agent || b == transcript.Caller:
		return 0
	}
	return 1
}

func firstSpeaker(t *transcript.Transcript) int {
	for _, w := range t.Words {
		if w.Kind == transcript.Spoken {
			return w.Speaker
		}
	}
	return 0
}

// opening is the examined part of a call. Later, each party also talks about what the other one does.
const opening = 90 * time.Second

// Typical phrases of agents and callers at the beginning of a call, in lower case. The weight of a phrase is its
// number of words.
var (
	ofAgents = []string{
		"thank you for calling", "thanks for calling", "how can i help", "how may i help", "what can i do for you",
		"how can i assist", "may i have your", "can i have your", "can i get your", "this call may be recorded",
		"call is recorded", "for quality", "welcome to", "let me pull up", "date of birth", "verify your",
		"i can help you with that", "be happy to help", "are you interested in",
	}
	ofCallers = []string{
		"i'm calling", "i am calling", "i was calling", "calling about", "calling because", "calling to", "i need help",
		"i need to", "i'd like to", "i would like to", "i want to", "i have a question", "i was wondering",
		"my account", "my bill", "my order", "i got a", "i received a",
	}
)

// agentSigns scores the opening of a speaker: positive for an agent, negative for a caller.
func agentSigns(t *transcript.Transcript, speaker int) int {
	words := opened(t, speaker)
	score := func(phrases []string) (sum int) {
		for _, phrase := range phrases {
			sum += strings.Count(words, " "+phrase+" ") * (strings.Count(phrase, " ") + 1)
		}
		return sum
	}
	return score(ofAgents) - score(ofCallers)
}

// opened returns the words of a speaker in the opening, in lower case, with a space before and after each.
func opened(t *transcript.Transcript, speaker int) string {
	var said strings.Builder
	said.WriteByte(' ')
	for _, w := range t.Words {
		if w.Start > opening {
			break
		}
		if w.Speaker != speaker || w.Kind != transcript.Spoken {
			continue
		}
		word := strings.TrimFunc(strings.ToLower(strings.ReplaceAll(w.Text, "’", "'")), unicode.IsPunct)
		said.WriteString(word + " ")
	}
	return said.String()
}

package diarize

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"parley/internal/words/transcript"
)

// Name gives the two speakers of a transcript that share a channel the names and roles of two parties. Where the
// parties are agent and caller, what is said at the beginning tells who is who; otherwise, or if it tells nothing, the
// first party is the one who speaks first, and of agent and caller the agent: they who are called answer. Any other
// transcript stays as it is.
func Name(t *transcript.Transcript, parties []transcript.Speaker) *transcript.Transcript {
	if len(parties) != 2 || len(t.Speakers) != 2 || t.Speakers[0].Channel != transcript.NoChannel ||
		t.Speakers[1].Channel != transcript.NoChannel {
		return t
	}
	parties = slices.Clone(parties)
	if agent := agentOf(parties); agent >= 0 {
		first := firstSpeaker(t)
		speaks := first
		if signs := agentSigns(t, first) - agentSigns(t, 1-first); signs < 0 {
			speaks = 1 - first
		}
		if agent != speaks {
			parties[0], parties[1] = parties[1], parties[0]
		}
	} else if firstSpeaker(t) == 1 {
		parties[0], parties[1] = parties[1], parties[0]
	}
	out := *t
	out.Speakers = parties
	return &out
}

// agentOf returns which of two parties is the agent, from the role of either; −1 if that is not known.
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

// opening is how much of a call is looked at: later on each speaks of what the other does.
const opening = 90 * time.Second

// What agents and callers say when a call begins, in lower case. A sign is worth the number of its words.
var (
	ofAgents = []string{
		"thank you for calling", "thanks for calling", "how can i help", "how may i help", "what can i do for you",
		"how can i assist",
		"may i have your", "can i have your", "can i get your", "this call may be recorded", "call is recorded",
		"for quality", "welcome to",
		"let me pull up", "date of birth", "verify your", "i can help you with that", "be happy to help",
		"are you interested in",
	}
	ofCallers = []string{
		"i'm calling", "i am calling", "i was calling", "calling about", "calling because", "calling to", "i need help",
		"i need to", "i'd like to",
		"i would like to", "i want to", "i have a question", "i was wondering", "my account", "my bill", "my order",
		"i got a", "i received a",
	}
)

// agentSigns weighs what a speaker says in the opening: above 0 an agent, below 0 a caller.
func agentSigns(t *transcript.Transcript, speaker int) int {
	said := opened(t, speaker)
	weight := 0
	for _, phrase := range ofAgents {
		weight += strings.Count(said, " "+phrase+" ") * (strings.Count(phrase, " ") + 1)
	}
	for _, phrase := range ofCallers {
		weight -= strings.Count(said, " "+phrase+" ") * (strings.Count(phrase, " ") + 1)
	}
	return weight
}

// opened returns the words of a speaker in the opening, in lower case, each between spaces.
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

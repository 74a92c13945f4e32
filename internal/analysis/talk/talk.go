// Package talk computes conversation metrics: overtalk, talk time and rate, talk style, and sentiment, from the times
// of words, their voice features and the scores of sentences.
//
// It does not compute words, voice features or sentence scores, and does not encode JSON.
package talk

import (
	"slices"
	"time"

	"parley/internal/words/transcript"
)

// Sentence is the score of one sentence of a speaker, -1 (very negative) to 1 (very positive).
type Sentence struct {
	Speaker int // index into Transcript.Speakers
	Score   float64
}

// Request is the input of Measure.
type Request struct {
	Transcript *transcript.Transcript
	Sentences  []Sentence // in the order in which they were said; used only by the group sentiment
	Groups     []string   // names of metric groups; unknown names are ignored
}

// Group holds the metrics of one group, in documented order.
type Group struct {
	Name    string
	Metrics []Metric
}

// Metric is one number. It is never NaN or infinite.
type Metric struct {
	Name  string
	Value float64
}

// Measure returns the requested groups, in documented order. Metrics of one party, and all others marked as stereo, are
// 0 if the speakers do not have channels of their own. Ratios are rounded to .01.
func Measure(r *Request) []Group {
	var groups []Group
	c := newCall(r)
	for _, d := range Definitions {
		if !slices.Contains(r.Groups, d.Name) {
			continue
		}
		g := Group{Name: d.Name}
		for _, m := range d.Metrics {
			g.Metrics = append(g.Metrics, Metric{m.Name, m.of(c)})
		}
		groups = append(groups, g)
	}
	return groups
}

// Constants of the metric definitions.
const (
	speechGap    = 300 * time.Millisecond // words of one speaker closer than this form one stretch of speech
	ratePause    = time.Second            // pauses up to this length count as talk time in rates
	streakPause  = 3 * time.Second        // a pause of at least this length ends a streak
	silence      = 4 * time.Second        // a silence longer than this is an incident
	lowestPitch  = 60.0                   // Hz, of a voiced word
	highestPitch = 500.0                  // Hz
	agentVolume  = 4.33                   // reference of an agent's volume
	callerVolume = 7.57                   // reference of a caller's volume
	within       = 1 * time.Nanosecond    // converts "up to" into "less than"
)

// call is a conversation prepared for Measure.
type call struct {
	length    time.Duration
	stereo    bool
	voiced    bool // some word has voice features
	agent     party
	caller    party
	parties   []party   // all speakers
	overtalk  []stretch // maximal stretches in which at least two speakers talk
	incidents []incident
	union     []stretch // somebody talks
	scores    []float64 // of all sentences
}

// party is one speaker.
type party struct {
	words   []transcript.Word // spoken words and placeholders of redacted words
	speech  []stretch
	streaks []float64 // seconds
	scores  []float64 // of the speaker's sentences
}

// incident is a stretch in which agent and caller both talk.
type incident struct {
	stretch
	by interrupter
}

// interrupter names the party who started to talk while the other was talking.
type interrupter int

const (
	together interrupter = iota
	byAgent
	byCaller
)

func newCall(r *Request) *call {
	t := r.Transcript
	c := &call{length: t.Length, stereo: t.Stereo(), parties: make([]party, len(t.Speakers))}
	for _, w := range t.Words {
		if !w.Kind.Lasts() {
			continue
		}
		c.parties[w.Speaker].words = append(c.parties[w.Speaker].words, w)
		c.length = max(c.length, w.End)
		c.voiced = c.voiced || w.Voice != nil
	}
	speech := t.VoiceActivity(speechGap)
	for i := range c.parties {
		c.parties[i].speech, c.parties[i].streaks = speech[i], streaks(c.parties[i].words)
	}
	for _, s := range r.Sentences {
		c.scores = append(c.scores, s.Score)
		c.parties[s.Speaker].scores = append(c.parties[s.Speaker].scores, s.Score)
	}
	c.union, c.overtalk = transcript.Talking(speech)
	if c.stereo {
		agent, caller := sides(t.Speakers, c.parties)
		c.agent, c.caller = c.parties[agent], c.parties[caller]
		c.incidents = incidents(c.agent.speech, c.caller.speech)
	}
	return c
}

// sides returns the agent and the caller: by role, otherwise in order of speaking.
func sides(speakers []transcript.Speaker, parties []party) (agent, caller int) {
	agent, caller = withRole(speakers, transcript.Agent), withRole(speakers, transcript.Caller)
	if agent < 0 {
		agent = firstToSpeak(parties, caller)
	}
	if caller < 0 {
		caller = firstToSpeak(parties, agent)
	}
	return agent, caller
}

func withRole(speakers []transcript.Speaker, role transcript.Role) int {
	return slices.IndexFunc(speakers, func(s transcript.Speaker) bool { return s.Role == role })
}

// firstToSpeak returns the first speaker other than the given one; a speaker without words comes last.
func firstToSpeak(parties []party, other int) int {
	first := -1
	for i, p := range parties {
		if i == other {
			continue
		}
		if first < 0 || len(p.words) > 0 &&
			(len(parties[first].words) == 0 || p.words[0].Start < parties[first].words[0].Start) {
			first = i
		}
	}
	return first
}

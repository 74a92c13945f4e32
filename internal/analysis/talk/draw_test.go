package talk

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"parley/internal/words/transcript"
)

// A drawing is a conversation as a time line: a character lasts a second; equal letters are one word, dots
// are silence. Below a speaker's line stand, word by word, volume@pitch ("-": no voice features).
//
//	agent   ab.c
//	        1@100 2@110 -
//	caller  ...dd
//	        1@200
//
// sentences lists their scores in the order in which they were said: A.5 is the agent's, C-1 the caller's.
type drawing struct {
	length        time.Duration
	agent, caller string
	tone          [2]string
	sentences     string
	mono          bool
}

func (d drawing) request(t *testing.T) *Request {
	speakers := []transcript.Speaker{{Name: "Agent", Role: transcript.Agent, Channel: 0},
		{Name: "Caller", Role: transcript.Caller, Channel: 1}}
	if d.mono {
		speakers[0].Channel, speakers[1].Channel = transcript.NoChannel, transcript.NoChannel
	}
	words := transcript.Merge(drawn(t, d.agent, d.tone[0], 0), drawn(t, d.caller, d.tone[1], 1))
	r := &Request{Transcript: &transcript.Transcript{Speakers: speakers, Words: words, Length: d.length}}
	for _, s := range strings.Fields(d.sentences) {
		r.Sentences = append(r.Sentences, Sentence{strings.IndexByte("AC", s[0]), number(t, s[1:])})
	}
	for _, g := range Definitions {
		r.Groups = append(r.Groups, g.Name)
	}
	return r
}

func drawn(t *testing.T, line, tone string, speaker int) []transcript.Word {
	var words []transcript.Word
	tones := strings.Fields(tone)
	for i := 0; i < len(line); i++ {
		at := time.Duration(i) * time.Second
		switch {
		case line[i] == '.':
		case i > 0 && line[i] == line[i-1]:
			words[len(words)-1].End = at + time.Second
		default:
			w := transcript.Word{Text: line[i : i+1], Start: at, End: at + time.Second, Speaker: speaker}
			if n := len(words); n < len(tones) && tones[n] != "-" {
				volume, pitch, _ := strings.Cut(tones[n], "@")
				w.Voice = &transcript.Voice{Volume: number(t, volume),
					Peaks: []transcript.Peak{{Frequency: number(t, pitch), Energy: 1}}}
			}
			words = append(words, w)
		}
	}
	return words
}

func number(t *testing.T, s string) float64 {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatalf("drawing: %q is no number", s)
	}
	return f
}

// values returns the metrics by name.
func values(groups []Group) map[string]float64 {
	all := map[string]float64{}
	for _, g := range groups {
		for _, m := range g.Metrics {
			all[m.Name] = m.Value
		}
	}
	return all
}

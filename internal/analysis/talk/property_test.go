package talk

import (
	"math"
	"strings"
	"testing"
	"time"

	"parley/internal/words/transcript"
	"pgregory.net/rapid"
)

// conversation draws a random conversation of two parties on two channels.
func conversation(rt *rapid.T) *Request {
	r := &Request{Transcript: &transcript.Transcript{Speakers: []transcript.Speaker{
		{Name: "Agent", Role: transcript.Agent, Channel: 0}, {Name: "Caller", Role: transcript.Caller, Channel: 1},
	}}}
	channels := make([][]transcript.Word, 2)
	for speaker := range channels {
		at := time.Duration(0)
		for range rapid.IntRange(0, 40).Draw(rt, "words") {
			at += time.Duration(rapid.SampledFrom([]int{0, 40, 299, 300, 301, 999, 1000, 1001, 2999, 3000, 4000, 4001,
				9000}).Draw(rt, "pause")) * time.Millisecond
			end := at + time.Duration(rapid.IntRange(0, 900).Draw(rt, "word"))*time.Millisecond
			w := transcript.Word{Text: "a", Start: at, End: end, Speaker: speaker}
			if rapid.Bool().Draw(rt, "voiced") {
				w.Voice = &transcript.Voice{Volume: rapid.Float64Range(0, 3).Draw(rt, "v"),
					Peaks: []transcript.Peak{{Frequency: rapid.Float64Range(0, 8000).Draw(rt, "f")}}}
			}
			channels[speaker] = append(channels[speaker], w)
			at = end
		}
		r.Transcript.Length = max(r.Transcript.Length, at)
	}
	r.Transcript.Words = transcript.Merge(channels...)
	r.Transcript.Length += time.Duration(rapid.IntRange(0, 6000).Draw(rt, "rest")) * time.Millisecond
	for range rapid.IntRange(0, 9).Draw(rt, "sentences") {
		r.Sentences = append(r.Sentences,
			Sentence{rapid.IntRange(0, 1).Draw(rt, "by"), rapid.Float64Range(-1, 1).Draw(rt, "score")})
	}
	for _, g := range Definitions {
		r.Groups = append(r.Groups, g.Name)
	}
	return r
}

// TestValuesStayInTheirRanges: ratios of time are in [0, 1], scores in [-1, 1], changes of scores in [-2, 2]; no other
// value is negative, NaN or infinite.
func TestValuesStayInTheirRanges(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		for name, v := range values(Measure(conversation(rt))) {
			low, high := 0.0, math.MaxFloat64
			switch {
			case strings.HasSuffix(name, "change-in-sentiment"):
				low, high = -2, 2
			case strings.HasSuffix(name, "sentiment"):
				low, high = -1, 1
			case strings.HasSuffix(name, "overtalk-ratio"), strings.HasSuffix(name, "r-talk-ratio"),
				strings.HasSuffix(name, "t-talk-ratio"), name == "silence-ratio":
				high = 1
			}
			if !(v >= low && v <= high) {
				rt.Errorf("%s = %v, want it from %v to %v", name, v, low, high)
			}
		}
	})
}

// TestSwappingSpeakersSwapsAgentAndCaller, except for volumes, whose references differ.
func TestSwappingSpeakersSwapsAgentAndCaller(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := conversation(rt)
		before := values(Measure(r))
		s := r.Transcript.Speakers
		s[0].Role, s[1].Role = s[1].Role, s[0].Role
		after := values(Measure(r))
		for name, v := range before {
			other := name
			if party, rest, _ := strings.Cut(name, "-"); party == "agent" && !strings.Contains(name, "to-caller") {
				other = "caller-" + rest
			} else if party == "caller" {
				other = "agent-" + rest
			}
			if strings.HasSuffix(name, "relative-voice-volume-energy") || strings.Contains(name, "to-caller") {
				continue
			}
			if after[other] != v {
				rt.Errorf("%s = %v, but %s = %v after the swap", name, v, other, after[other])
			}
		}
	})
}

// TestSlowerCallsScale: without relevant pauses, doubling all times keeps ratios, halves rates and doubles streaks.
func TestSlowerCallsScale(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := conversation(rt)
		channels := make([][]transcript.Word, 2)
		for speaker := range channels { // no pauses, so that none crosses a threshold
			at := time.Duration(rapid.IntRange(0, 900).Draw(rt, "begin")) * time.Millisecond
			for range rapid.IntRange(1, 20).Draw(rt, "words") {
				end := at + time.Duration(rapid.IntRange(50, 900).Draw(rt, "word"))*time.Millisecond
				channels[speaker] = append(channels[speaker], transcript.Word{Start: at, End: end, Speaker: speaker})
				at = end
			}
			r.Transcript.Length = max(r.Transcript.Length, at)
		}
		r.Transcript.Words = transcript.Merge(channels...)
		fast := values(Measure(r))
		slower := *r.Transcript
		slower.Length *= 2
		slower.Words = append([]transcript.Word(nil), slower.Words...)
		for i := range slower.Words {
			slower.Words[i].Start *= 2
			slower.Words[i].End *= 2
		}
		r.Transcript = &slower
		slow := values(Measure(r))
		for _, name := range []string{"overtalk-incidents", "agent-overtalk-incidents", "overtalk-ratio",
			"caller-overtalk-ratio", "agent-talk-ratio", "caller-talk-ratio", "silence-ratio",
			"agent-to-caller-talk-rate-ratio"} {
			if slow[name] != fast[name] {
				rt.Errorf("%s: %v became %v at half the speed", name, fast[name], slow[name])
			}
		}
		if a, b := fast["agent-talk-rate"], slow["agent-talk-rate"]; math.Abs(a-2*b) > 1.5 {
			rt.Errorf("agent-talk-rate: %v became %v at half the speed", a, b)
		}
		if a, b := fast["longest-streak"], slow["longest-streak"]; math.Abs(2*a-b) > .0021 {
			rt.Errorf("longest-streak: %v became %v at half the speed", a, b)
		}
	})
}

// TestTalkAndSilenceAddUp: the sum of both talk times minus the time in which somebody talks is the overtalk.
func TestTalkAndSilenceAddUp(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		v := values(Measure(conversation(rt)))
		talk := 1 - v["silence-ratio"]
		both := (v["agent-talk-ratio"] + v["caller-talk-ratio"]) * talk
		if want := talk + v["overtalk-ratio"]; v["agent-talk-ratio"]+v["caller-talk-ratio"] > 0 &&
			math.Abs(both-want) > .03 {
			rt.Errorf("agent and caller talk %.3f of the call, somebody %.3f and both %.3f", both, talk,
				v["overtalk-ratio"])
		}
	})
}

// BenchmarkHour measures all metrics of a one-hour call of 10,000 words.
func BenchmarkHour(b *testing.B) {
	r := &Request{Transcript: &transcript.Transcript{Length: time.Hour, Speakers: []transcript.Speaker{
		{Name: "Agent", Role: transcript.Agent, Channel: 0}, {Name: "Caller", Role: transcript.Caller, Channel: 1},
	}}}
	for i := range 10_000 {
		start := time.Duration(i) * 360 * time.Millisecond
		r.Transcript.Words = append(r.Transcript.Words, transcript.Word{
			Start: start, End: start + time.Duration(200+i%7*50)*time.Millisecond, Speaker: i / 15 % 2,
			Voice: &transcript.Voice{Volume: float64(i%5) / 3,
				Peaks: []transcript.Peak{{Frequency: 100 + float64(i%50)}}},
		})
		if i%10 == 0 {
			r.Sentences = append(r.Sentences, Sentence{i / 15 % 2, float64(i%3) - 1})
		}
	}
	for _, g := range Definitions {
		r.Groups = append(r.Groups, g.Name)
	}
	for b.Loop() {
		Measure(r)
	}
}

// Package transcript defines transcripts: words with times, speakers, turns.
//
// A Transcript is immutable and can be shared freely; functions that change one return a new one. This package does no
// I/O and does not know how transcripts are recognised, stored or serialised.
package transcript

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// Role is a speaker's party in a call.
type Role int

// The roles. The speaker of a monologue has NoRole.
const (
	NoRole Role = iota
	Agent
	Caller
)

var aliases = map[Role][]string{
	Agent:  {"agent", "service", "representative", "operator", "salesperson", "callcenter", "contactcenter"},
	Caller: {"caller", "client", "customer", "consumer", "prospect"},
}

// RoleOf returns the role for a speaker's name, ignoring case; NoRole if there is none.
func RoleOf(name string) Role {
	for role, names := range aliases {
		if slices.Contains(names, strings.ToLower(strings.TrimSpace(name))) {
			return role
		}
	}
	return NoRole
}

// NoChannel is the Channel of a speaker who shares a channel with others.
const NoChannel = -1

// DefaultSpeaker is the name of the only speaker of a mono recording.
const DefaultSpeaker = "Speaker"

// Speaker is one party of a recording.
type Speaker struct {
	Name    string
	Role    Role
	Channel int // zero-based channel used by this speaker alone, or NoChannel
}

// Kind distinguishes spoken words, punctuation and placeholders for redacted words.
type Kind int

// The kinds of a Word.
const (
	Spoken Kind = iota
	Punctuation
	Redacted // placeholder for redacted words: it is displayed and has their duration, but no content
)

// Lasts reports whether the entry covers speech. This is all that is known of a Redacted entry.
func (k Kind) Lasts() bool { return k != Punctuation }

// Word is a spoken word, a punctuation mark or a placeholder for redacted words. A mark has no duration and follows the
// word it belongs to.
type Word struct {
	Text       string
	Kind       Kind
	Start, End time.Duration // from the start of the media
	Confidence float64       // 0..1; 0 for punctuation
	Speaker    int           // index into Transcript.Speakers
	Markers    []string      // additional values of m in the wire format
	Voice      *Voice        // nil unless voice features were requested
}

// Voice holds a word's voice features.
type Voice struct {
	Volume float64 // relative volume, unbounded, 0..2 for normal speech
	Peaks  []Peak  // dominant first
}

// Peak is one spectral peak of a word.
type Peak struct {
	Frequency float64 // Hz
	Energy    float64 // relative energy, 0..1
}

// Span is a range of a transcript's words, by index, To exclusive.
type Span struct{ From, To int }

// Transcript is what was said in one recording.
type Transcript struct {
	Language string
	Speakers []Speaker
	// ordered by Start; punctuation directly after the word it belongs to unless another speaker's word lies between
	Words  []Word
	Length time.Duration // of the media
}

// Confidence returns the mean confidence of the spoken words, 0 where there are none.
func (t *Transcript) Confidence() float64 {
	sum, n := 0.0, 0
	for _, w := range t.Words {
		if w.Kind == Spoken {
			sum, n = sum+w.Confidence, n+1
		}
	}
	if n == 0 {
		return 0
	}
	return sum / float64(n)
}

// Merge combines the words of several channels in order of their start times. Punctuation stays directly after its
// word. Words with equal start times keep the order of the arguments.
func Merge(channels ...[]Word) []Word {
	type keyed struct {
		word  Word
		start time.Duration
	}
	var all []keyed
	for _, words := range channels {
		var last time.Duration
		for _, w := range words {
			if w.Kind.Lasts() {
				last = w.Start
			}
			all = append(all, keyed{w, last})
		}
	}
	slices.SortStableFunc(all, func(a, b keyed) int { return cmp.Compare(a.start, b.start) })
	merged := make([]Word, len(all))
	for i, k := range all {
		merged[i] = k.word
	}
	return merged
}

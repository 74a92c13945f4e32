// Package diarize determines who speaks when if several people share one channel.
//
// The method needs no trained model. Speech is split into pieces of a second or two. The pieces are clustered
// bottom-up by the likelihood that two of them come from one Gaussian (the ΔBIC of Chen and Gopalakrishnan, DARPA
// 1998). Gaussian mixtures are then trained on the clusters and the clusters realigned with the Viterbi algorithm, in
// turn, while the closest two are merged (Ajmera and Wooters, ASRU 2003). This is repeated from several initial
// numbers of clusters, and the result with the greatest ΔBIC is used. Overlapping speech is assigned to one of its
// speakers.
//
// Speech detection is in package vad. Speakers are anonymous numbers. The results are deterministic.
package diarize

import (
	"cmp"
	"math"

	"parley/internal/words/sound"
)

// parties is the default number of speakers of a call.
const parties = 2

// Request describes the audio and the expected speakers.
type Request struct {
	Features *Features
	Speech   []sound.Segment // ordered and disjoint
	Speakers int             // number of speakers; 0 to determine it
	Most     int             // maximum number of speakers if it is to be determined; 0 means the 2 of a call
}

// Turn is a stretch of one speaker's speech.
type Turn struct {
	Speaker int // counted from 0 in order of their first turns
	sound.Segment
}

// Result is the result: who speaks when.
type Result struct {
	Speakers int    // number of speakers with turns
	Turns    []Turn // ordered and disjoint; together they cover exactly the speech of the request
}

// Find assigns each stretch of speech to a speaker.
func Find(r *Request) *Result {
	t := newTimeline(r.Features, r.Speech)
	return t.found(t.separate(r))
}

// separate assigns a speaker to each cell.
func (t *timeline) separate(r *Request) labels {
	goal := cmp.Or(r.Speakers, r.Most, parties)
	one := make(labels, len(t.cells))
	if goal <= 1 || t.all.n <= width {
		return one
	}
	best := t.apart(goal)
	if r.Speakers == 0 {
		best = t.thin(best)
	}
	return best
}

// starts are the initial numbers of clusters, in addition to the number wanted.
var starts = [...]int{2, 6, 10, 14}

// apart returns the labels for a number of speakers. Among all starts it chooses those with the most speakers, and of
// these the ones whose closest two speakers differ most.
func (t *timeline) apart(speakers int) labels {
	var best labels
	most := math.Inf(-1)
	for _, more := range starts {
		l := t.resegment(t.cluster(speakers+more), 1)
		for l.count() > speakers {
			l = t.resegment(t.merge(l), 1)
		}
		l = t.resegment(l, rounds)
		_, _, gain := t.closest(t.voices(l))
		if more, same := l.count() > best.count(), l.count() == best.count(); more || same && gain > most {
			best, most = l, gain
		}
	}
	return best
}

// rounds is the number of final iterations of training and realignment.
const rounds = 3

// thin merges speakers until all remaining ones are sufficiently different.
func (t *timeline) thin(l labels) labels {
	for l.count() > 1 {
		voices := t.voices(l)
		if smallest(voices, t.all.n) < 0 {
			a, b, gain := t.closest(voices)
			if gain > (speakerPenalty-mergePenalty)*size(voices[a].n+voices[b].n) {
				break
			}
		}
		l = t.resegment(t.merge(l), rounds)
	}
	return l
}

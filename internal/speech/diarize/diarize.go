// Package diarize tells who speaks when, where several people share one channel.
//
// The method needs no trained model. Speech is cut into pieces of a second or two; pieces are clustered
// bottom-up by the likelihood that two of them are one Gaussian (the ΔBIC of Chen and Gopalakrishnan, DARPA
// 1998); clusters and Gaussian mixtures of them then take turns in being made from each other by the Viterbi
// algorithm while the closest two are merged (Ajmera and Wooters, ASRU 2003). That is done from several
// numbers of clusters, and the outcome with the greatest ΔBIC is taken. Where people speak at once, one of them gets
// it.
//
// It does not look for speech (package vad does) and knows nobody: speakers are numbers. Everything is
// deterministic.
package diarize

import (
	"cmp"
	"math"

	"parley/internal/words/sound"
)

// parties is the number of speakers of a call.
const parties = 2

// Request asks who speaks when.
type Request struct {
	Features *Features
	Speech   []sound.Segment // ordered and apart from each other
	Speakers int             // how many people speak; 0 if that is to be found out
	Most     int             // most people there may be when it is to be found out; 0 means the 2 of a call
}

// Turn is a stretch of one speaker's speech.
type Turn struct {
	Speaker int // counted from 0 in order of their first turns
	sound.Segment
}

// Found is who speaks when.
type Found struct {
	Speakers int    // how many have turns
	Turns    []Turn // ordered and apart; together they are exactly the speech of the request
}

// Find returns who speaks when.
func Find(r *Request) *Found {
	t := newTimeline(r.Features, r.Speech)
	return t.found(t.separate(r))
}

// separate labels each cell with a speaker.
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

// starts are the numbers of clusters, above those wanted, from which speakers are sought.
var starts = [...]int{2, 6, 10, 14}

// apart returns the labels for a number of speakers whose closest two are furthest apart.
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

// rounds is how often labels and mixtures are made from each other at the end.
const rounds = 3

// thin merges speakers until all of them are told apart well enough.
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

package main

import (
	"time"
	"unicode/utf8"

	"parley/internal/speech/asr"
	"parley/internal/speech/vad"
	"parley/internal/words/sound"
)

// speech returns the segments with speech in a request's audio; the whole audio if they are unknown.
func speech(r asr.Request) []sound.Segment {
	found := vad.Find(&vad.Request{
		Channels: []*vad.Envelope{vad.EnvelopeOf(r.PCM)}, Kind: vad.KindOf(r.Source.Rate, 1+r.Source.Other),
	}).Speech[0]
	if len(found) == 0 {
		return []sound.Segment{{End: r.PCM.Duration()}}
	}
	return found
}

// spread assigns times to words if the model outputs none: the words follow each other through the segments of speech,
// with durations proportional to their numbers of letters. A word that would span a pause stays in the segment that
// contains its middle.
func spread(words []asr.Word, stretches []sound.Segment) {
	var letters, past int
	var all time.Duration
	for _, w := range words {
		letters += utf8.RuneCountInString(w.Text)
	}
	for _, s := range stretches {
		all += s.Duration()
	}
	at := func(letter float64) time.Duration { return time.Duration(float64(all) * letter / float64(letters)) }
	for i := range words {
		n := utf8.RuneCountInString(words[i].Text)
		words[i].Start, words[i].End = place(stretches, at(float64(past)), at(float64(past)+float64(n)/2),
			at(float64(past+n)))
		past += n
	}
}

// place converts times within speech to times of the audio.
func place(stretches []sound.Segment, from, middle, to time.Duration) (start, end time.Duration) {
	last := len(stretches) - 1
	for i, s := range stretches {
		if length := s.Duration(); middle >= length && i < last {
			from, middle, to = from-length, middle-length, to-length
			continue
		}
		return s.Start + max(from, 0), min(s.Start+to, s.End)
	}
	return 0, 0
}

package pipeline

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"parley/internal/call/plan"
	"parley/internal/speech/align"
	"parley/internal/speech/asr"
	"parley/internal/speech/audio"
	"parley/internal/speech/formatting"
	"parley/internal/words/fault"
	"parley/internal/words/list"
	"parley/internal/words/sound"
	"parley/internal/words/transcript"
)

// Import fits a transcript with times that was made elsewhere to the length of a recording, and its speakers to the
// plan.
func Import(
	given *transcript.Transcript, length time.Duration, p *plan.Plan,
) (*transcript.Transcript, []fault.Problem) {
	t := &transcript.Transcript{Language: p.Language, Speakers: cast(given.Speakers, p.Ingest),
		Words: slices.Clone(given.Words), Length: length}
	moved := 0
	for i := range t.Words {
		w := &t.Words[i]
		if w.Kind.Lasts() && (w.Start > length || w.End < w.Start || w.End > length+rounding) {
			moved++
		}
		w.Start, w.End = min(w.Start, length), min(max(w.Start, w.End), length)
	}
	warnings := slices.Concat(clampVoices(t.Words), unplaced(t.Speakers, p.Ingest))
	if moved == 0 {
		return t, warnings
	}
	return t, append(warnings, fault.Problem{Code: fault.CodeAlignment, Message: fmt.Sprintf(
		"%d words of the given transcript end before they start, or after the end of the recording at %s; their times "+
			"were clamped", moved, length.Round(10*time.Millisecond))})
}

// Upper bounds of the voice features of given words. A volume has no natural bound; this one keeps sums of squares
// finite.
const (
	highest = 16_000 // Hz
	loudest = 1e6
)

// clampVoices clamps the voice features of given words to their ranges, and returns one warning with the number of
// values outside.
func clampVoices(words []transcript.Word) []fault.Problem {
	clamped := 0
	within := func(x *float64, most float64) {
		if in := min(max(*x, 0), most); in != *x {
			*x, clamped = in, clamped+1
		}
	}
	for i := range words {
		if words[i].Voice == nil {
			continue
		}
		v := *words[i].Voice
		v.Peaks = slices.Clone(v.Peaks)
		within(&v.Volume, loudest)
		for k := range v.Peaks {
			within(&v.Peaks[k].Frequency, highest)
			within(&v.Peaks[k].Energy, 1)
		}
		words[i].Voice = &v
	}
	if clamped == 0 {
		return nil
	}
	return []fault.Problem{{Code: fault.CodeVoiceRange, Message: fmt.Sprintf(
		"%d voice features of the given transcript are out of range and were clamped: "+
			"f is 0 to %d Hz, e is 0 to 1, v is 0 to %.0f",
		clamped, highest, loudest)}}
}

// Align assigns times to the words of a text from when they were heard in a recording, and matches its speakers to
// those of the plan. An engine that supports it is asked a second time for the words that seem to be in each chunk.
func Align(
	ctx context.Context, e Engine, given, heard *transcript.Transcript, d *audio.Decoded, p *plan.Plan, keep Artifacts,
	progress func(percent int),
) (*transcript.Transcript, []fault.Problem, error) {
	tracks, _, err := layout(d, p.Ingest)
	if err != nil {
		return nil, nil, err
	}
	speaking, err := find(d, tracks)
	if err != nil {
		return nil, nil, err
	}
	stretches := chunks(speaking, len(tracks), e.Info.MaxChunk)
	request := align.Request{Given: given.Words, Heard: heard.Words, Speech: speechOf(stretches), Length: d.Length,
		Spoken: formatting.Spoken}
	found := align.Align(&request)
	if e.Info.Aligns {
		s := listening(d, tracks, p)
		s.chunks = stretches
		if request.Heard, err = listenAgain(ctx, e, s, len(tracks), &request, found, keep, progress); err != nil {
			return nil, nil, err
		}
		found = align.Align(&request)
	}
	t := &transcript.Transcript{Language: p.Language, Speakers: cast(given.Speakers, p.Ingest), Words: found.Words,
		Length: d.Length}
	return t, slices.Concat(clampVoices(t.Words), unplaced(t.Speakers, p.Ingest), guesses(found)), nil
}

// longGuess is the length of a run of words, missing from what was heard, that is worth a warning: a recogniser
// mishears a few words in any call.
const longGuess = 12

// guesses warns about long runs of words that were not heard.
func guesses(found *align.Result) []fault.Problem {
	missing, spoken, runs := 0, 0, 0
	var first time.Duration
	for _, w := range found.Words {
		if w.Kind == transcript.Spoken {
			spoken++
		}
	}
	for _, g := range found.Guessed {
		if n := g.To - g.From; n >= min(longGuess, spoken) {
			if runs == 0 {
				first = found.Words[g.From].Start
			}
			missing, runs = missing+n, runs+1
		}
	}
	if runs == 0 {
		return nil
	}
	return []fault.Problem{{Code: fault.CodeAlignment, Message: fmt.Sprintf(
		"%d of %d words of the given transcript were not found in the recording, the first ones at %s; their times "+
			"are estimated",
		missing, spoken, first.Round(10*time.Millisecond))}}
}

func speechOf(chunks []asr.Chunk) []sound.Segment {
	return list.Map(chunks, func(c asr.Chunk) sound.Segment { return c.Segment })
}

// cast gives the speakers of a given transcript the roles and channels that the plan has for speakers with their name
// or role. A transcript without names gets those of the plan: by channel, or that of the only speaker.
func cast(given []transcript.Speaker, in plan.Ingest) []transcript.Speaker {
	speakers, known := slices.Clone(given), parties(in)
	taken := map[int]bool{} // channels that the plan has assigned
	for i, s := range speakers {
		k := slices.IndexFunc(known, func(k transcript.Speaker) bool { return strings.EqualFold(k.Name, s.Name) })
		if k < 0 && s.Role != transcript.NoRole {
			k = slices.IndexFunc(known, func(k transcript.Speaker) bool { return k.Role == s.Role })
		}
		if k >= 0 {
			speakers[i].Role, speakers[i].Channel = known[k].Role, known[k].Channel
			taken[i] = true
			known = slices.Delete(known, k, k+1)
		}
	}
	if shared := in.Channels == nil && in.Parties != nil; len(taken) == 0 && !shared {
		return name(speakers, known)
	}
	return apart(speakers, taken)
}

// name gives speakers without names those of the plan.
func name(speakers, known []transcript.Speaker) []transcript.Speaker {
	for i, s := range speakers {
		for _, k := range known {
			if k.Channel == s.Channel && (k.Channel != transcript.NoChannel || s.Name == transcript.DefaultSpeaker) {
				speakers[i] = k
			}
		}
	}
	return speakers
}

// apart removes the channel from speakers that the plan does not know, if a speaker that it knows has the channel.
func apart(speakers []transcript.Speaker, known map[int]bool) []transcript.Speaker {
	for i := range speakers {
		for k := range known {
			if !known[i] && speakers[i].Channel == speakers[k].Channel {
				speakers[i].Channel = transcript.NoChannel
			}
		}
	}
	return speakers
}

// parties lists the speakers in a plan.
func parties(in plan.Ingest) []transcript.Speaker {
	if in.Channels == nil && in.Parties != nil {
		return slices.Clone(in.Parties)
	}
	if in.Channels == nil {
		return []transcript.Speaker{in.Mixed}
	}
	var known []transcript.Speaker
	for _, c := range in.Channels {
		if !c.Ignore {
			known = append(known, c.Speaker)
		}
	}
	return known
}

package pipeline

import (
	"context"
	"time"

	"parley/internal/call/plan"
	"parley/internal/speech/asr"
	"parley/internal/speech/audio"
	"parley/internal/speech/vad"
	"parley/internal/words/fault"
	"parley/internal/words/sound"
	"parley/internal/words/transcript"
)

// Transcribe recognises a decoded recording as a plan asks: it finds speech, recognises it chunk by chunk, and merges
// all channels. keep stores the results of chunks; progress is reported in percent of the speech. Warnings say what is
// missing or was guessed.
func Transcribe(
	ctx context.Context, e Engine, d *audio.Decoded, p *plan.Plan, keep Artifacts, progress func(percent int),
) (*transcript.Transcript, []fault.Problem, error) {
	tracks, warnings, err := layout(d, p.Ingest)
	if err != nil {
		return nil, nil, err
	}
	found, err := find(d, tracks)
	if err != nil {
		return nil, nil, err
	}
	s := listening(d, tracks, p)
	s.chunks = chunks(found, len(tracks), e.Info.MaxChunk)
	h, err := recognize(ctx, e, s, len(tracks), keep, progress)
	if err != nil {
		return nil, nil, err
	}
	return assemble(p, d.Length, tracks, h.words), append(warnings, h.warnings...), nil
}

// listening returns how to read chunks and make their requests.
func listening(d *audio.Decoded, tracks []track, p *plan.Plan) speech {
	source := asr.Source{Rate: d.SourceRate, Call: len(tracks) > 1, Other: len(tracks) - 1}
	return speech{
		apart: len(tracks) > 1,
		read: func(segment sound.Segment, channel int) (*sound.PCM, error) {
			return tracks[channel].audio.Read(segment)
		},
		ask: func(asr.Chunk) asr.Request {
			return asr.Request{Source: source, Language: p.Recognition.Language, Model: p.Recognition.Model,
				Vocabulary: p.Recognition.Vocabulary}
		},
	}
}

// assemble merges the words of all tracks into a transcript, sorted by start.
func assemble(p *plan.Plan, length time.Duration, tracks []track, words [][]asr.Word) *transcript.Transcript {
	t := &transcript.Transcript{Language: p.Language, Length: length}
	spoken := make([][]transcript.Word, len(tracks))
	for i, tr := range tracks {
		t.Speakers = append(t.Speakers, tr.speaker)
		for _, w := range words[i] {
			w.Start, w.End = min(w.Start, length), min(w.End, length)
			spoken[i] = append(spoken[i], written(w, i, p.Formatting.Punctuation)...)
		}
	}
	t.Words = transcript.Merge(spoken...)
	return t
}

// block is how much audio is processed at a time, so that memory does not grow with the recording.
const block = 10 * time.Second

// blocks passes a track's samples to a function, in order, until it fails.
func blocks(d *audio.Decoded, t track, take func([]int16) error) error {
	for segment := range d.Blocks(block) {
		pcm, err := t.audio.Read(segment)
		if err == nil {
			err = take(pcm.Samples)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// always adapts a function of samples that never fails.
func always(take func([]int16)) func([]int16) error {
	return func(samples []int16) error { take(samples); return nil }
}

// find returns the segments with speech, on all tracks.
func find(d *audio.Decoded, tracks []track) (*vad.Result, error) {
	request := vad.Request{Kind: vad.KindOf(d.SourceRate, len(tracks))}
	for _, t := range tracks {
		envelope := vad.NewEnvelope(audio.Rate)
		envelope.Reserve(d.Length)
		if err := blocks(d, t, always(envelope.Add)); err != nil {
			return nil, err
		}
		request.Channels = append(request.Channels, envelope)
	}
	return vad.Find(&request), nil
}

// chunks cuts the speech of all tracks into segments that an engine accepts.
func chunks(found *vad.Result, tracks int, longest time.Duration) []asr.Chunk {
	segments := make([][]sound.Segment, tracks)
	for i := range segments {
		segments[i] = found.Chunks(i, longest)
	}
	return asr.Chunks(segments)
}

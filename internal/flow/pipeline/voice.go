package pipeline

import (
	"slices"

	"parley/internal/call/plan"
	"parley/internal/speech/audio"
	"parley/internal/speech/voice"
	"parley/internal/words/sound"
	"parley/internal/words/transcript"
)

// VoiceFeatures measures the voice features of each word on its speaker's channel if the plan asks for them; otherwise
// it removes them.
func VoiceFeatures(d *audio.Decoded, t *transcript.Transcript, p *plan.Plan) (*transcript.Transcript, error) {
	if !p.VoiceFeatures {
		return t, nil
	}
	tracks := make([]*audio.Track, len(t.Speakers))
	for i, s := range t.Speakers {
		tracks[i] = mix(d)
		if s.Channel != transcript.NoChannel && s.Channel < d.Channels {
			tracks[i] = d.Track(s.Channel)
		}
	}
	meter := voice.NewMeter(audio.Rate, d.SourceRate)
	out := *t
	out.Words = slices.Clone(t.Words)
	for i := range out.Words {
		w := &out.Words[i]
		if w.Kind != transcript.Spoken {
			continue
		}
		pcm, err := tracks[w.Speaker].Read(sound.Segment{Start: w.Start, End: w.End})
		if err != nil {
			return nil, err
		}
		w.Voice = meter.Measure(pcm)
	}
	return &out, nil
}

// unvoiced reports whether the plan asks for voice features that the words lack.
func unvoiced(t *transcript.Transcript, p *plan.Plan) bool {
	return p.VoiceFeatures && !slices.ContainsFunc(t.Words, func(w transcript.Word) bool { return w.Voice != nil })
}

// silenced returns a transcript without voice features, unless the plan asks for them.
func silenced(t *transcript.Transcript, p *plan.Plan) *transcript.Transcript {
	if p.VoiceFeatures || !slices.ContainsFunc(t.Words, func(w transcript.Word) bool { return w.Voice != nil }) {
		return t
	}
	out := *t
	out.Words = slices.Clone(t.Words)
	for i := range out.Words {
		out.Words[i].Voice = nil
	}
	return &out
}

package pipeline

import (
	"parley/internal/analysis/detect"
	"parley/internal/plan"
	"parley/internal/redact"
	"parley/internal/result"
	"parley/internal/sound"
	"parley/internal/transcript"
)

// unconcealed are words as they were heard or given. Nothing but conceal looks into them: what comes behind it cannot
// see, and so cannot keep, send or log, what was to be hidden.
type unconcealed struct{ words *transcript.Transcript }

// Concealed is what may be seen of a recording.
type Concealed struct {
	Transcript *transcript.Transcript // with replacements where something is redacted
	Beeps      []sound.Beep           // what is to be heard in place of parts of the recording
	Detections []result.Detection     // one for each detector asked for
}

// conceal finds what the plan's detectors look for, and takes out what is to be redacted.
func (u unconcealed) conceal(p *plan.Plan) *Concealed { return Conceal(u.words, p) }

// Conceal finds in words that are not formatted yet what the plan's detectors look for, and takes out what is to be
// redacted. It is to be called before anything else looks at the words.
func Conceal(t *transcript.Transcript, p *plan.Plan) *Concealed {
	regions := detected(t, p)
	hidden := hide(p, regions)
	c := &Concealed{Transcript: t, Detections: detections(p, regions)}
	if len(hidden) > 0 {
		c.Transcript, c.Beeps = redact.Words(t, hidden), redact.Beeps(t, hidden)
	}
	return c
}

// hide says what becomes of the regions whose detectors have a redactor.
func hide(p *plan.Plan, regions [][]detect.Region) []redact.Region {
	var all []redact.Region
	for i, d := range p.Detectors {
		if d.Redactor == nil {
			continue
		}
		var one redact.Region
		if text := d.Redactor.Transcript; text != nil {
			one.Replacement = &text.Replacement
		}
		if audio := d.Redactor.Audio; audio != nil {
			one.Tone = &redact.Tone{Frequency: float64(audio.Tone), Gain: audio.Gain}
		}
		for _, r := range regions[i] {
			one.First, one.Last = r.First, r.Last
			all = append(all, one)
		}
	}
	return all
}

package pipeline

import (
	"cmp"
	"slices"

	"parley/internal/analysis/detect"
	"parley/internal/analysis/redact"
	"parley/internal/call/plan"
	"parley/internal/call/result"
	"parley/internal/words/sound"
	"parley/internal/words/transcript"
)

// rawWords holds words before redaction. Only conceal reads them: later stages cannot see, and so cannot store, send
// or log, what was to be hidden.
type rawWords struct{ transcript *transcript.Transcript }

// Concealment is the result of redaction.
type Concealment struct {
	Transcript *transcript.Transcript // with placeholders for redacted words
	Beeps      []sound.Beep           // sounds that replace parts of the recording
	Detections []result.Detection     // one per detector in the plan
}

// conceal runs the plan's detectors and removes what is to be redacted. Detections made before in words that have been
// redacted since are kept.
func (w *words) conceal() *Concealment {
	clear := Conceal(w.said.transcript, w.plan)
	if w.baseline != nil {
		clear.remember(w.baseline.detections)
	}
	return clear
}

// Conceal runs the plan's detectors on unformatted words, and removes what is to be redacted. Call it before anything
// else reads the words.
func Conceal(t *transcript.Transcript, p *plan.Plan) *Concealment {
	regions := detected(t, p)
	hidden := hide(p, regions)
	c := &Concealment{Transcript: t, Detections: detections(p, regions)}
	if len(hidden) > 0 {
		c.Transcript, c.Beeps = redact.Words(t, hidden), redact.Beeps(t, hidden)
	}
	return c
}

// remember adds detections of an earlier run in words that have been redacted since, which can no longer be detected.
func (c *Concealment) remember(earlier []result.Detection) {
	for i := range c.Detections {
		d := &c.Detections[i]
		for _, e := range earlier {
			if e.Detector.ID != d.Detector.ID {
				continue
			}
			for _, o := range e.Occurrences {
				if o.Speaker < len(c.Transcript.Speakers) && c.hidden(o) {
					d.Occurrences = append(d.Occurrences, o)
				}
			}
		}
		slices.SortStableFunc(d.Occurrences, func(a, b detect.Occurrence) int { return cmp.Compare(a.Start, b.Start) })
	}
}

// hidden reports whether a placeholder replaces words of an occurrence.
func (c *Concealment) hidden(o detect.Occurrence) bool {
	return slices.ContainsFunc(c.Transcript.Words, func(w transcript.Word) bool {
		return w.Kind == transcript.Redacted && w.Start < o.End && w.End > o.Start
	}) && !slices.ContainsFunc(c.Detections, func(d result.Detection) bool { return slices.Contains(d.Occurrences, o) })
}

// hide returns how to redact the regions of detectors that have a redactor.
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

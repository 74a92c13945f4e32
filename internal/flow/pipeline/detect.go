package pipeline

import (
	"parley/internal/analysis/detect"
	"parley/internal/call/plan"
	"parley/internal/call/result"
	"parley/internal/words/list"
	"parley/internal/words/transcript"
)

// Detectors returns the detectors that a configuration can name.
func Detectors() []plan.Predictor {
	return list.Map(detect.Detectors(), func(d detect.Detector) plan.Predictor {
		return plan.Predictor{ID: d.ID, Name: d.Name, Version: d.Version}
	})
}

// detected returns the regions that each detector of a plan finds in the unformatted words.
func detected(spoken *transcript.Transcript, p *plan.Plan) [][]detect.Region {
	request := &detect.Request{FiguresOnly: !plan.English(p.Language)}
	for _, d := range p.Detectors {
		request.Detectors = append(request.Detectors,
			detect.Choice{Detector: d.Name, Level: detect.LevelOf(d.Parameters[detect.LevelParameter])})
	}
	return detect.Find(spoken, request)
}

// detections returns the published detections: each region once for every speaker with words in it; nil if the plan has
// no detector.
func detections(p *plan.Plan, regions [][]detect.Region) []result.Detection {
	var all []result.Detection
	for i, asked := range p.Detectors {
		d, _ := detect.ByName(asked.Name)
		found := result.Detection{Detector: d, Occurrences: []detect.Occurrence{}}
		found.Detector.ID, found.Detector.Version, found.Detector.Classes = asked.ID, asked.Version, nil
		for _, region := range regions[i] {
			found.Occurrences = append(found.Occurrences, region.Each()...)
		}
		all = append(all, found)
	}
	return all
}

package wire

import (
	"slices"

	"parley/internal/analysis/detect"
	"parley/internal/call/result"
	"parley/internal/words/list"
	"parley/internal/words/transcript"
)

// Prediction holds the results of classifiers and detectors.
type Prediction struct {
	Classifiers []Classifier `json:"classifiers,omitzero"`
	Detectors   []Detector   `json:"detectors,omitzero"`
}

// Detector is the result of one detector.
type Detector struct {
	DetectorID          string      `json:"detectorId"`
	DetectorName        string      `json:"detectorName"`
	DetectorVersion     string      `json:"detectorVersion"`
	DetectorDisplayName string      `json:"detectorDisplayName"`
	DetectorType        string      `json:"detectorType"`
	Detections          []Detection `json:"detections"`
}

// Detection holds the findings of one class.
type Detection struct {
	DetectorClass      int               `json:"detectorClass"`
	DetectorClassLabel string            `json:"detectorClassLabel"`
	DetectedSegments   []DetectedSegment `json:"detectedSegments"`
}

// DetectedSegment is a finding in one speaker's words.
type DetectedSegment struct {
	SpeakerName string   `json:"speakerName"`
	Occurrences []During `json:"occurrences"`
}

// During is a time interval.
type During struct {
	S int64 `json:"s"` // ms
	E int64 `json:"e"` // ms
}

// detectorType is the type of all built-in detectors: they find intervals of a conversation.
const detectorType = "region"

func newPrediction(t *transcript.Transcript, f result.Findings) *Prediction {
	if f.Detections == nil && f.Classifications == nil {
		return nil
	}
	p := &Prediction{Classifiers: newClassifications(f.Classifications)}
	if f.Detections != nil {
		p.Detectors = list.Map(f.Detections, func(d result.Detection) Detector {
			return Detector{d.Detector.ID, d.Detector.Name, d.Detector.Version, d.Detector.DisplayName, detectorType,
				newDetections(t, d.Occurrences)}
		})
	}
	return p
}

// newDetections groups the occurrences by class, in order of class number, and by speaker within each.
func newDetections(t *transcript.Transcript, occurrences []detect.Occurrence) []Detection {
	list := []Detection{}
	for _, o := range occurrences {
		if !slices.ContainsFunc(list, func(d Detection) bool { return d.DetectorClass == o.Class.Number }) {
			list = append(list, Detection{o.Class.Number, o.Class.Label, newSegments(t, occurrences, o.Class)})
		}
	}
	slices.SortFunc(list, func(a, b Detection) int { return a.DetectorClass - b.DetectorClass })
	return list
}

func newSegments(t *transcript.Transcript, occurrences []detect.Occurrence, class detect.Class) []DetectedSegment {
	var list []DetectedSegment
	for i, s := range t.Speakers {
		segment := DetectedSegment{SpeakerName: s.Name}
		for _, o := range occurrences {
			if o.Class == class && o.Speaker == i {
				segment.Occurrences = append(segment.Occurrences, During{ms(o.Start), ms(o.End)})
			}
		}
		if segment.Occurrences != nil {
			list = append(list, segment)
		}
	}
	return list
}

// DetectorDefinition describes a detector that a configuration can request.
type DetectorDefinition struct {
	Links               Links       `json:"_links"`
	DetectorID          string      `json:"detectorId"`
	DetectorName        string      `json:"detectorName"`
	DetectorVersion     string      `json:"detectorVersion"`
	DetectorDisplayName string      `json:"detectorDisplayName"`
	DetectorType        string      `json:"detectorType"`
	Classes             []Class     `json:"classes"`
	Parameters          []Parameter `json:"parameters"`
}

// DetectorDefinitions is the answer of GET /v3/definition/prediction/detectors.
type DetectorDefinitions struct {
	Links     Links                `json:"_links"`
	Detectors []DetectorDefinition `json:"detectors"`
}

// NewDetectorDefinition returns the description of a detector.
func NewDetectorDefinition(d detect.Detector) DetectorDefinition {
	levels := detect.Levels()
	return DetectorDefinition{
		Links:      self("definition", "prediction", "detectors", d.ID),
		DetectorID: d.ID, DetectorName: d.Name, DetectorVersion: d.Version, DetectorDisplayName: d.DisplayName,
		DetectorType: detectorType,
		Classes:      list.Map(d.Classes, func(c detect.Class) Class { return Class{c.Label, c.Number} }),
		Parameters: []Parameter{{
			Name: detect.LevelParameter, Optional: true, Type: "String", ValueSet: levels, DefaultValue: levels[0],
		}},
	}
}

// NewDetectorDefinitions returns the descriptions of all detectors.
func NewDetectorDefinitions(all []detect.Detector) DetectorDefinitions {
	return DetectorDefinitions{self("definition", "prediction", "detectors"), list.Map(all, NewDetectorDefinition)}
}

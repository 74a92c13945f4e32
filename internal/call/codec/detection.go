package codec

import (
	"time"

	"parley/internal/analysis/detect"
	"parley/internal/call/result"
)

// detection is the stored form of a result.Detection.
type detection struct {
	ID          string       `json:"id"`
	Name        string       `json:"name"`
	Version     string       `json:"version"`
	DisplayName string       `json:"displayName"`
	Occurrences []occurrence `json:"occurrences"`
}

// occurrence has times in nanoseconds.
type occurrence struct {
	Class   int           `json:"class"`
	Label   string        `json:"label"`
	Speaker int           `json:"speaker"`
	Start   time.Duration `json:"start"`
	End     time.Duration `json:"end"`
}

func newDetection(d result.Detection) detection {
	of := d.Detector
	return detection{of.ID, of.Name, of.Version, of.DisplayName,
		each(d.Occurrences, func(o detect.Occurrence) occurrence {
			return occurrence{o.Class.Number, o.Class.Label, o.Speaker, o.Start, o.End}
		})}
}

func (d detection) decode() result.Detection {
	return result.Detection{
		Detector: detect.Detector{ID: d.ID, Name: d.Name, Version: d.Version, DisplayName: d.DisplayName},
		Occurrences: each(d.Occurrences, func(o occurrence) detect.Occurrence {
			return detect.Occurrence{Class: detect.Class{Number: o.Class, Label: o.Label}, Speaker: o.Speaker,
				Start: o.Start, End: o.End}
		}),
	}
}

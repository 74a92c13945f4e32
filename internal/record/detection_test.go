package record

import (
	"os"
	"reflect"
	"testing"
	"time"

	"parley/internal/analysis/detect"
	"parley/internal/result"
)

func TestDetectionsStayReadable(t *testing.T) {
	o := analysed()
	o.Detections = []result.Detection{
		{Detector: detect.Detector{ID: "69629a8d-9e34-4bfa-a303-1639f383977a", Name: detect.PCI, Version: "1.0.0", DisplayName: "Payment cards"},
			Occurrences: []detect.Occurrence{{Class: detect.Class{Number: 1, Label: "pci"}, Speaker: 1, Start: 250 * time.Millisecond, End: 900 * time.Millisecond}}},
		{Detector: detect.Detector{ID: "c4a74bde-99a8-404a-a80c-5b9eb05f8aa4", Name: detect.SSN, Version: "1.2", DisplayName: "SSN"}, Occurrences: []detect.Occurrence{}},
	}
	c := codec(t)
	if os.Getenv("PARLEY_GOLDEN") == "write" {
		write(t, "result.detections.v2", c.EncodeResult(o))
	}
	if got, err := c.DecodeResult(read(t, "result.detections.v2")); err != nil || !reflect.DeepEqual(got, o) {
		t.Errorf("%v, %+v, want %+v", err, got, o)
	}
}

package api_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"parley/internal/testkit/servertest"
)

// detector returns the n-th detector in an item's prediction.
func detector(t *testing.T, item map[string]any, n int) map[string]any {
	t.Helper()
	return at(t, item, "prediction", "detectors").([]any)[n].(map[string]any)
}

// spoken returns a transcript of turns "Agent: words as they are said", each word 300 ms long.
func spoken(t *testing.T, turns ...string) servertest.Part {
	t.Helper()
	type word struct {
		M string `json:"m,omitempty"`
		S int64  `json:"s"`
		E int64  `json:"e"`
		W string `json:"w"`
	}
	var words []word
	at := int64(0)
	for _, turn := range turns {
		speaker, text, _ := strings.Cut(turn, ": ")
		words = append(words, word{"turn", at, at + 300, speaker})
		for w := range strings.FieldsSeq(text) {
			words = append(words, word{"", at, at + 300, w})
			at += 300
		}
	}
	data, err := json.Marshal(map[string]any{"words": words})
	if err != nil {
		t.Fatal(err)
	}
	return servertest.Field("transcript", string(data))
}

const card = "my visa card is four one one one one one one one one one one one one one one one"

func TestDetectorsSayWhereNumbersWereSaid(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	item := s.Await(t, s.Submit(t, sampleCall, spoken(t, "Agent: what is the card number", "Caller: "+card),
		servertest.Field("configuration",
			`{"prediction":{"detectors":[{"detectorName":"pci","parameters":[{"parameter":"detectionLevel","value":"numbersOnly"}]},{"detectorName":"SSN"}]},`+agentAndCaller+`}`)))
	if item["status"] != "finished" || item["warnings"] != nil {
		t.Fatalf("%v: %v %v", item["status"], item["errors"], item["warnings"])
	}
	pci, ssn := detector(t, item, 0), detector(t, item, 1)
	if pci["detectorName"] != "PCI" {
		t.Errorf("the first detector is %v", pci)
	}
	if got := fmt.Sprint(pci["detections"]); got != "[map[detectedSegments:[map[occurrences:[map[e:7500 s:2700]] "+
		"speakerName:Caller]] detectorClass:1 detectorClassLabel:pci]]" {
		t.Error(got)
	}
	if got := fmt.Sprint(ssn["detections"]); got != "[]" {
		t.Errorf("a social security number was found: %v", got)
	}
}

func TestDetectorsAreThereByTheirIDs(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	var names []string
	for _, d := range at(t, ok(t, s.Get(t, "/v3/definition/prediction/detectors")).JSON(t), "detectors").([]any) {
		d := d.(map[string]any)
		names = append(names, d["detectorName"].(string))
		if one := ok(t, s.Get(t, at(t, d, "_links", "self", "href").(string))).JSON(t); fmt.Sprint(one) != fmt.Sprint(
			d) {
			t.Errorf("%v is listed as %v", one, d)
		}
		id := s.Submit(t, recording, servertest.Field("configuration",
			fmt.Sprintf(`{"prediction":{"detectors":[{"detectorId":%q}]}}`, d["detectorId"])))
		if got := detector(t, s.Await(t, id), 0)["detectorId"]; got != d["detectorId"] {
			t.Errorf("detector %v answers for %v", got, d["detectorId"])
		}
	}
	if !slices.Equal(names, []string{"PCI", "SSN", "Number", "PII"}) {
		t.Error(names)
	}
	refused(t, s.Get(t, "/v3/definition/prediction/detectors/00000000-0000-0000-0000-000000000000"), 404, 80000)
}

func TestDetectorsInOtherLanguagesSayWhatTheyDoNotUnderstand(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	item := s.Await(t, s.Submit(t, recording, spoken(t, "Caller: "+card),
		servertest.Field("configuration",
			`{"speechModel":{"language":"es-ES"},"prediction":{"detectors":[{"detectorName":"PCI"}]}}`)))
	if warning := fmt.Sprint(item["warnings"]); !strings.Contains(warning, "English") ||
		!strings.Contains(warning, "/prediction/detectors") {
		t.Error(warning)
	}
	if got := fmt.Sprint(detector(t, item, 0)["detections"]); got != "[]" {
		t.Error(got)
	}
}

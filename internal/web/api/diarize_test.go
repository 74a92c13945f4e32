package api_test

import (
	"testing"

	"parley/internal/testkit/servertest"
	"parley/sample"
)

func TestSpeakersOfAMixedCallAreToldApart(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	id := s.Submit(t, servertest.File("media", sample.Name, sample.Call()),
		servertest.Field("configuration", `{"speechModel":{"features":["diarization"]}}`))
	item := s.Await(t, id)
	if item["status"] != "finished" {
		t.Fatalf("got %v", item)
	}
	transcript := item["transcript"].(map[string]any)
	turns, err := sample.Turns()
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]string{} // the reference's name of each speaker, in order of their first words
	right, wrong, speaker := 0, 0, ""
	for _, entry := range transcript["words"].([]any) {
		w := entry.(map[string]any)
		if w["m"] == "turn" {
			speaker = w["w"].(string)
			continue
		}
		at := (w["s"].(float64) + w["e"].(float64)) / 2 / 1000
		for _, turn := range turns {
			if at < turn.Start.Seconds() || at > turn.End.Seconds() {
				continue
			}
			if names[speaker] == "" {
				names[speaker] = turn.Speaker
			}
			if names[speaker] == turn.Speaker {
				right++
			} else {
				wrong++
			}
		}
	}
	if len(names) != 2 || names["Speaker 1"] == names["Speaker 2"] {
		t.Errorf("speakers: %v", names)
	}
	if right < 9*(right+wrong)/10 {
		t.Errorf("%d of %d words have the right speaker", right, right+wrong)
	}
}

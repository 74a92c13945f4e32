package api_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"parley/internal/testkit/servertest"
	"parley/internal/testkit/verify"
	"parley/sample"
)

// mixed returns the beginning of the sample call as a WAV file with channels mixed from its own.
func mixed(t *testing.T, layout string) servertest.Part {
	t.Helper()
	dir := t.TempDir()
	source, target := filepath.Join(dir, sample.Name), filepath.Join(dir, "mixed.wav")
	if err := os.WriteFile(source, sample.Call(), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("ffmpeg", "-nostdin", "-v", "error", "-i", source, "-t", "40", "-ar", "8000", "-af",
		"pan="+layout, target).CombinedOutput()
	if err != nil {
		t.Fatalf("ffmpeg (needs the package ffmpeg): %v\n%s", err, out)
	}
	body, err := os.ReadFile(target)
	if err != nil {
		t.Fatal(err)
	}
	return servertest.File("media", "call.wav", body)
}

// said returns who speaks when, in tenths of a second.
func said(t *testing.T, s *servertest.Server, id string) map[int]map[string]bool {
	t.Helper()
	when, who := map[int]map[string]bool{}, ""
	for _, w := range s.Get(t, "/v3/media/"+id+"/transcript").JSON(t)["transcript"].(map[string]any)["words"].([]any) {
		word := w.(map[string]any)
		if word["m"] == "turn" {
			who = word["w"].(string)
			continue
		}
		for at := int(word["s"].(float64)) / 100; at < int(word["e"].(float64))/100; at++ {
			if when[at] == nil {
				when[at] = map[string]bool{}
			}
			when[at][who] = true
		}
	}
	return when
}

// The same call with one channel per party is the reference for who speaks.
func TestTwoPartiesOfAMonoRecordingAreToldApartAndNamed(t *testing.T) {
	verify.Long(t)
	t.Parallel()
	const (
		track = `{"ingest":{"tracks":[{"trackIndex":0,"speakerName":"Caller"},{"trackIndex":0,"speakerName":"Agent"}]}}`
		sides = `{"ingest":{"stereo":{"left":{"speakerName":"Agent"},"right":{"speakerName":"Caller"}}},"speechModel":{"features":["diarization"]}}`
	)
	s := servertest.Start(t, servertest.Options{})
	apart := s.Submit(t, mixed(t, "stereo|c0=c0|c1=c1"), servertest.Field("configuration", sides))
	if item := s.Await(t, apart); item["status"] != "finished" {
		t.Fatalf("%v", item)
	}
	truth := said(t, s, apart)
	for name, parts := range map[string][]servertest.Part{
		"mono, by the track":        {mixed(t, "mono|c0=0.5*c0+0.5*c1"), servertest.Field("configuration", track)},
		"mono, described as stereo": {mixed(t, "mono|c0=0.5*c0+0.5*c1"), servertest.Field("configuration", sides)},
		"the same on both channels": {mixed(t, "stereo|c0=0.5*c0+0.5*c1|c1=0.5*c0+0.5*c1"),
			servertest.Field("configuration", sides)},
		"stereo, but said to be one": {mixed(t, "stereo|c0=c0|c1=c1"), servertest.Field("configuration", track)},
	} {
		id := s.Submit(t, parts...)
		if item := s.Await(t, id); item["status"] != "finished" || item["warnings"] != nil {
			t.Errorf("%s: %v, %v, %v", name, item["status"], item["errors"], item["warnings"])
			continue
		}
		right, all := 0, 0
		for at, who := range said(t, s, id) {
			for one := range who {
				if len(truth[at]) == 1 {
					all++
					if truth[at][one] {
						right++
					}
				}
			}
		}
		t.Logf("%s: %d of %d tenths of a second right", name, right, all)
		if all < 150 || right*100 < all*85 {
			t.Errorf("%s: %d of %d tenths of a second have the right speaker", name, right, all)
		}
	}
}

func TestMonoDescribedAsStereoFailsWithTheRemedyWithoutDiarization(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	item := s.Await(t, s.Submit(t, recording, sides))
	problem := item["errors"].([]any)[0].(map[string]any)
	if item["status"] != "failed" || problem["code"] != 15004.0 ||
		!strings.Contains(problem["error"].(string), "diarization") {
		t.Errorf("%v", item)
	}
}

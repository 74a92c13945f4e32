package main

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"parley/internal/call/wire"
	"parley/internal/testkit/servertest"
	"parley/sample"
)

const (
	// A test card number, spelled out.
	cardNumber = `{"w":"four","s":1900,"e":1960},{"w":"zero","s":1960,"e":2020},{"w":"one","s":2020,"e":2080},{"w":"two","s":2080,"e":2140},{"w":"eight","s":2140,"e":2200},
		{"w":"eight","s":2200,"e":2260},{"w":"eight","s":2260,"e":2320},{"w":"eight","s":2320,"e":2380},{"w":"eight","s":2380,"e":2440},{"w":"eight","s":2440,"e":2500},
		{"w":"eight","s":2500,"e":2560},{"w":"eight","s":2560,"e":2620},{"w":"one","s":2620,"e":2680},{"w":"eight","s":2680,"e":2740},{"w":"eight","s":2740,"e":2800},
		{"w":"one","s":2800,"e":2860}`
	someWords = `{"words":[{"m":"turn","w":"Agent","s":0,"e":300},{"w":"Hello","s":0,"e":300},{"w":".","m":"punc","s":300,"e":300},
		{"m":"turn","w":"Caller","s":400,"e":2900},{"w":"My","s":400,"e":500},{"w":"wonderful","s":500,"e":900},{"w":"phone","s":900,"e":1300},{"w":".","m":"punc","s":1300,"e":1300},
		{"w":"My","s":1300,"e":1400},{"w":"credit","s":1400,"e":1600},{"w":"card","s":1600,"e":1800},{"w":"is","s":1800,"e":1900},` + cardNumber + `]}`
	someGroup    = `{"keywords":["phone*","my * phone","bill"]}`
	someCategory = `{"query":"WHERE \"Caller\" SAYS \"phone\" AND metadata:plan = 'gold'"}`
	someMetadata = `{"extended":{"plan":"gold"}}`
	someRequest  = `{"metrics":[{"metricGroupName":"talk-time-and-rate"}],"speakerSentiments":true,"spotting":{"groups":[{"groupName":"g"}]},
		"categories":[{"categoryName":"c"}],"prediction":{"detectors":[{"detectorName":"PCI","redactor":{"transcript":{"replacement":"[redacted]"}}}]},
		"publish":{"callbacks":[]},"priority":"low"}`
)

// files writes files into a folder and returns its path.
func files(t *testing.T, contents map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range contents {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func analyzing(t *testing.T, contents map[string]string) (*analyzeCommand, wire.Item) {
	t.Helper()
	dir := files(t, contents)
	c := &analyzeCommand{Transcript: filepath.Join(dir, "transcript"), Definitions: dir}
	if contents["configuration.json"] != "" {
		c.Configuration = filepath.Join(dir, "configuration.json")
	}
	if contents["metadata.json"] != "" {
		c.Metadata = filepath.Join(dir, "metadata.json")
	}
	m, err := c.media()
	if err != nil {
		t.Fatal(err)
	}
	given, warnings, err := c.given()
	if err != nil {
		t.Fatal(err)
	}
	p, err := c.plan()
	if err != nil {
		t.Fatal(err)
	}
	item, err := analyze(t.Context(), m, given, p, warnings)
	if err != nil {
		t.Fatal(err)
	}
	return c, item
}

// TestAnalyzeFindsWhatAServerFinds compares every section of the media item.
func TestAnalyzeFindsWhatAServerFinds(t *testing.T) {
	_, item := analyzing(t, map[string]string{
		"transcript": someWords, "configuration.json": someRequest, "metadata.json": someMetadata,
		"spotting/groups/g.json": someGroup, "categories/c.json": someCategory,
	})
	body, err := wire.Marshal(wire.NewMedia(item))
	if err != nil {
		t.Fatal(err)
	}
	var here map[string]any
	if err := json.Unmarshal(body, &here); err != nil {
		t.Fatal(err)
	}
	s := servertest.Start(t, servertest.Options{})
	for path, definition := range map[string]string{"spotting/groups/g": someGroup, "categories/c": someCategory} {
		if a := s.Do(t, http.MethodPut, "/v3/definition/"+path,
			strings.NewReader(definition)); a.Status != http.StatusOK {
			t.Fatal(a)
		}
	}
	there := s.Await(t, s.Submit(t, servertest.File("media", sample.Name, sample.Call()),
		servertest.Field("transcript", someWords),
		servertest.Field("configuration", someRequest), servertest.Field("metadata", someMetadata)))
	for _, section := range []string{"spotting", "categories", "prediction", "speakerSentiments", "transcript"} {
		if there[section] == nil || !reflect.DeepEqual(here[section], there[section]) {
			t.Errorf("%s:\nhere  %v\nthere %v", section, here[section], there[section])
		}
	}
	if strings.Contains(string(body), `"eight"`) || !strings.Contains(string(body), "[redacted]") {
		t.Errorf("the card number is still there: %s", body)
	}
}

func TestAnalyzeRunsEverythingWithoutAConfiguration(t *testing.T) {
	_, item := analyzing(t, map[string]string{"transcript": "agent: hello\ncaller: my phone is great",
		"spotting/groups/g.json": someGroup, "categories/c.json": someCategory})
	var report strings.Builder
	if err := writeReport(&report, item); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"caller: My phone is great.\n", "talk-time-and-rate\n", "speakerSentiments\n",
		"- groupName: g, spotted: true, score: 0.3333\n", "categoryName  categoryValue\n",
		"caller       0:00.8 phone\n", "the transcript has no times",
	} {
		if !strings.Contains(report.String(), want) {
			t.Errorf("%q is not in the report:\n%s", want, report.String())
		}
	}
}

func TestAnalyzeSaysWhereTheDefinitionsAreThatItNeeds(t *testing.T) {
	dir := files(t, map[string]string{"group": `{"spotting":{"groups":[{"groupName":"g"}]}}`,
		"all": `{"categories":[{"allCategories":true}]}`, "wrong": `{"spoting":1}`,
		"bad/spotting/groups/g.json": `{"keywords":["a*b"]}`})
	for _, c := range []struct{ configuration, definitions, want string }{
		{"group", "", filepath.Join("spotting", "groups", "g.json") + " with --definitions"},
		{"all", "", "--definitions"},
		{"group", dir, `keyword group "g": open `}, {"group", filepath.Join(dir, "bad"), "g.json: /keywords/0"},
		{"wrong", "", `wrong: /spoting`},
	} {
		_, err := (&analyzeCommand{Configuration: filepath.Join(dir, c.configuration),
			Definitions: c.definitions}).plan()
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s, %q: %v, want %q in it", c.configuration, c.definitions, err, c.want)
		}
	}
}

func TestAReportHasNoNumberForWhatIsNotKnown(t *testing.T) {
	report := func(transcript string) string {
		t.Helper()
		_, item := analyzing(t, map[string]string{"transcript": transcript,
			"configuration.json": `{"metrics":[{"metricGroupName":"sentiment"},
			{"metricGroupName":"talk-time-and-rate"},{"metricGroupName":"talk-style-tone-and-volume"}]}`})
		var b strings.Builder
		if err := writeReport(&b, item); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	mono := report("hello my phone is great")
	stereo := report(`{"turns":[],"words":[{"m":"turn","w":"Agent","s":0,"e":300},{"w":"Hello","s":0,"e":300},{"m":"turn","w":"Caller","s":400,"e":2900},{"w":"great","s":400,"e":900}]}`)
	for _, c := range []struct {
		report, metric string
		known          bool
	}{
		{mono, "agent-talk-ratio", false}, {mono, "silence-ratio", true}, {mono, "call-sentiment", true},
		{mono, "agent-sentiment", false},
		{mono, "caller-voice-dynamism-std-dev-score", false}, {stereo, "agent-talk-ratio", true},
		{stereo, "caller-voice-dynamism-std-dev-score", false},
	} {
		_, after, found := strings.Cut(c.report, " "+c.metric+" ")
		value, _, _ := strings.Cut(strings.TrimSpace(after), "\n")
		if !found || (value != "n/a") != c.known {
			t.Errorf("%s is %q, known: %v", c.metric, value, c.known)
		}
	}
}

// TestAReportOfTheDeepestMetadataIsWritten nests metadata as deep as it may be.
func TestAReportOfTheDeepestMetadataIsWritten(t *testing.T) {
	deep := strings.Repeat(`{"extended":`, 100) + "1" + strings.Repeat("}", 100)
	_, item := analyzing(t, map[string]string{"transcript": "hello", "metadata.json": deep})
	if err := writeReport(io.Discard, item); err != nil {
		t.Error(err)
	}
}

package api_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"parley/internal/analysis/talk"
	"parley/internal/testkit/servertest"
	"parley/sample"
)

const (
	allMetrics = `"metrics":[{"metricGroupName":"talk-time-and-rate"},{"metricGroupName":"overtalk"},{"metricGroupName":"sentiment"},
		{"metricGroupName":"talk-style-tone-and-volume"}],"speakerSentiments":true`
	agentAndCaller = `"ingest":{"stereo":{"left":{"speakerName":"Agent"},"right":{"speakerName":"Caller"}}}`
	voiced         = `"speechModel":{"features":["voiceFeatures"]}`
)

var sampleCall = servertest.File("media", sample.Name, sample.Call())

// saidInSample returns the sample call's text as a transcript with times: the words of each turn are spread evenly over
// it.
func saidInSample(t *testing.T) servertest.Part {
	t.Helper()
	turns, err := sample.Turns()
	if err != nil {
		t.Fatal(err)
	}
	type word struct {
		M string `json:"m,omitempty"`
		S int64  `json:"s"`
		E int64  `json:"e"`
		W string `json:"w"`
	}
	var words []word
	for _, turn := range turns {
		texts := strings.Fields(turn.Text)
		from, each := turn.Start.Milliseconds(), (turn.End-turn.Start).Milliseconds()/int64(len(texts))
		words = append(words, word{"turn", from, turn.End.Milliseconds(), turn.Speaker})
		for i, text := range texts {
			start := from + int64(i)*each
			bare := strings.TrimRight(text, ".,?!")
			words = append(words, word{"", start, start + each, bare})
			if bare != text {
				words = append(words, word{"punc", start + each, start + each, text[len(bare):]})
			}
		}
	}
	data, err := json.Marshal(map[string]any{"transcript": map[string]any{"words": words}})
	if err != nil {
		t.Fatal(err)
	}
	return servertest.Field("transcript", string(data))
}

// measured returns the metrics of an item by name, and the names of their groups.
func measured(t *testing.T, item map[string]any) (values map[string]float64, groups []string) {
	t.Helper()
	values = map[string]float64{}
	list, _ := item["metrics"].([]any)
	for _, g := range list {
		groups = append(groups, at(t, g, "metricGroupName").(string))
		for _, m := range at(t, g, "metricValues").([]any) {
			values[at(t, m, "metricName").(string)] = at(t, m, "metricValue").(float64)
		}
	}
	return values, groups
}

// voices counts the words of an item that have voice features.
func voices(t *testing.T, item map[string]any) (n int) {
	t.Helper()
	for _, w := range at(t, item, "transcript", "words").([]any) {
		word := w.(map[string]any)
		if frq, _ := word["frq"].([]any); len(frq) > 0 && word["v"] != nil {
			n++
		}
	}
	return n
}

func TestTheSampleCallHasAllMetrics(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	id := s.Submit(t, sampleCall, saidInSample(t),
		configured("{"+strings.Join([]string{allMetrics, agentAndCaller, voiced}, ",")+"}"))
	item := s.Await(t, id)
	values, groups := measured(t, item)
	if want := talk.GroupNames(); !slices.Equal(groups, want) {
		t.Errorf("groups %v, want %v; %v", groups, want, item["warnings"])
	}
	if len(values) != len(talk.Names()) {
		t.Errorf("%d metrics", len(values))
	}
	for _, g := range talk.Definitions {
		for _, m := range g.Metrics {
			v, there := values[m.Name]
			if !there || math.IsNaN(v) || m.Unit == "ratio" && strings.HasSuffix(m.Name, "-ratio") &&
				!strings.Contains(m.Name, "rate") && (v < 0 || v > 1) {
				t.Errorf("%s is %v", m.Name, v)
			}
		}
	}
	for _, name := range []string{"agent-talk-ratio", "caller-talk-ratio", "agent-talk-rate", "agent-average-streak",
		"caller-sentiment",
		"agent-relative-voice-volume-energy", "caller-voice-dynamism-std-dev-score",
		"agent-intra-call-change-in-pitch"} {
		if values[name] == 0 {
			t.Errorf("%s is 0", name)
		}
	}
	if n := voices(t, item); n < 100 {
		t.Errorf("%d words have voice features", n)
	}
	mood := at(t, item, "speakerSentiments").([]any)
	if len(mood) != 2 || at(t, mood[0], "speakerName") != "Agent" || at(t, mood[1], "speakerName") != "Caller" {
		t.Fatalf("sentiments %v", mood)
	}
	last := -1.
	for _, one := range at(t, mood[1], "sentimentValues").([]any) {
		from, to, v := at(t, one, "s").(float64), at(t, one, "e").(float64), at(t, one, "v").(float64)
		if from < last || to <= from || v < -1 || v > 1 {
			t.Errorf("a sentence from %v to %v scores %v", from, to, v)
		}
		last = from
	}
	if last < 0 {
		t.Error("the caller has no sentence")
	}
}

func TestSentimentIsKnownInEnglishOnly(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Recognizer: servertest.NewGate()})
	french := func(features string) string {
		return fmt.Sprintf(`{"speechModel":{"language":"fr-FR","features":[%s]},%s,%s}`, features, allMetrics,
			agentAndCaller)
	}
	words := servertest.Field("transcript",
		`{"transcript":{"words":[{"m":"turn","w":"Agent","s":0,"e":400},{"w":"terrible","s":0,"e":400},
		{"m":"turn","w":"Caller","s":500,"e":900},{"w":"excellent","s":500,"e":900}]}}`)
	item := s.Await(t, s.Submit(t, stereo, words, configured(french(""))))
	values, _ := measured(t, item)
	if len(values) != len(talk.Names()) || values["call-sentiment"] != 0 || values["caller-sentiment"] != 0 ||
		values["agent-talk-ratio"] == 0 {
		t.Errorf("%d metrics: %v", len(values), values)
	}
	for _, who := range at(t, item, "speakerSentiments").([]any) {
		if list := at(t, who, "sentimentValues").([]any); len(list) != 0 {
			t.Errorf("sentences %v", list)
		}
	}
	warned := fmt.Sprint(item["warnings"])
	for _, about := range []string{"sentiment is 0 for languages other than English", "sentiment is available in English only",
		"talk-style-tone-and-volume is 0 without voiceFeatures"} {
		if !strings.Contains(warned, about) {
			t.Errorf("no warning %q: %s", about, warned)
		}
	}
	if a := s.Post(t, stereo, words, configured(french(`"voiceFeatures"`))); a.Status != 400 || a.Code(t) != 10603 {
		t.Errorf("voice features of French: %v", a)
	}
}

func TestReprocessingAddsAndRemovesMetricsAndVoices(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	id := s.Submit(t, sampleCall, saidInSample(t), configured("{"+agentAndCaller+"}"))
	plain := s.Await(t, id)
	if plain["metrics"] != nil || plain["speakerSentiments"] != nil || voices(t, plain) != 0 {
		t.Fatalf("what nobody asked for: %v", plain["metrics"])
	}
	again := func(parts ...string) map[string]any {
		ok(t, reprocess(t, s.Client, id, configured("{"+strings.Join(append(parts, agentAndCaller), ",")+"}")))
		return s.Await(t, id)
	}
	full := again(allMetrics, voiced)
	values, _ := measured(t, full)
	if len(values) != len(talk.Names()) || values["agent-relative-voice-volume-energy"] == 0 || voices(t, full) < 100 ||
		full["speakerSentiments"] == nil {
		t.Errorf("added: %d metrics, %d voices; %v", len(values), voices(t, full), full["errors"])
	}
	some := again(`"metrics":[{"metricGroupName":"overtalk"}]`)
	if values, groups := measured(t, some); len(values) != len(talk.Definitions[0].Metrics) ||
		!slices.Equal(groups, []string{"overtalk"}) || voices(t, some) != 0 || some["speakerSentiments"] != nil {
		t.Errorf("some: %v, %d voices, sentiments %v", groups, voices(t, some), some["speakerSentiments"])
	}
	if none := again(); none["metrics"] != nil || transcriptOf(t, none) != transcriptOf(t, plain) {
		t.Errorf("removed: %v", none["metrics"])
	}
}

func TestMetricsAreListedWithWhatTheySay(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	n := 0
	for _, g := range at(t, ok(t, s.Get(t, "/v3/definition/metrics")).JSON(t), "metricGroups").([]any) {
		for _, m := range at(t, g, "metrics").([]any) {
			if at(t, m, "metricName") == "" || at(t, m, "metricDescription") == "" || at(t, m, "metricUnit") == "" {
				t.Errorf("%v", m)
			}
			n++
		}
	}
	if n != len(talk.Names()) {
		t.Errorf("%d metrics", n)
	}
}

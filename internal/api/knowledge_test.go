package api_test

import (
	"slices"
	"strings"
	"testing"

	"parley/internal/servertest"
)

const knowledge = `"knowledge":{"enableDiscovery":true,"enableExternalDataSources":true}`

func TestTheSampleCallHasKeywordsAndTopics(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	id := s.Submit(t, sampleCall, saidInSample(t), configured("{"+strings.Join([]string{knowledge, agentAndCaller}, ",")+"}"))
	item := s.Await(t, id)
	if !slices.Contains(codes(item["warnings"]), 95017) {
		t.Errorf("nothing says that there are no external data sources: %v", item["warnings"])
	}
	keywords, topics := at(t, item, "knowledge", "keywords").([]any), at(t, item, "knowledge", "topics").([]any)
	if len(keywords) < 10 || len(topics) == 0 {
		t.Fatalf("%d keywords, %d topics", len(keywords), len(topics))
	}
	var words []string
	for _, w := range at(t, item, "transcript", "words").([]any) {
		if word := w.(map[string]any); word["m"] == nil {
			words = append(words, strings.ToLower(word["w"].(string)))
		}
	}
	said := strings.Join(words, " ")
	for _, k := range keywords {
		for _, m := range at(t, k, "mentions").([]any) {
			if name := at(t, m, "speakerName"); name != "Agent" && name != "Caller" {
				t.Errorf("%v is said by %v", k, name)
			}
			for _, o := range at(t, m, "occurrences").([]any) {
				exact := strings.ToLower(at(t, o, "exact").(string))
				if !strings.Contains(said, exact) || at(t, o, "e").(float64) < at(t, o, "s").(float64) {
					t.Errorf("%q is not in the transcript: %v", exact, o)
				}
			}
		}
	}
	for _, topic := range topics {
		sub, again := at(t, topic, "subtopics").([]any), at(t, topic, "subTopics").([]any)
		if len(sub) == 0 || len(sub) != len(again) || at(t, sub[0], "name") == "" || len(at(t, topic, "keywords").([]any)) < 2 {
			t.Errorf("topic %v", topic)
		}
	}
}

func TestKnowledgeIsForEnglishAndOnlyWhenAskedFor(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	refused(t, s.Post(t, sampleCall, saidInSample(t), configured(`{"speechModel":{"language":"es-US"},`+knowledge+`}`)), 400, 40004, "es-US")
	item := s.Await(t, s.Submit(t, sampleCall, saidInSample(t)))
	if _, there := item["knowledge"]; there {
		t.Error("knowledge that nobody asked for")
	}
}

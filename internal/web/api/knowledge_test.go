package api_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"parley/internal/testkit/servertest"
)

const knowledge = `"knowledge":{"enableDiscovery":true,"enableExternalDataSources":true}`

func TestTheSampleCallHasKeywordsAndTopics(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	id := s.Submit(t, sampleCall, saidInSample(t),
		configured("{"+strings.Join([]string{knowledge, agentAndCaller}, ",")+"}"))
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
		if len(sub) == 0 || len(sub) != len(again) || at(t, sub[0], "name") == "" ||
			len(at(t, topic, "keywords").([]any)) < 2 {
			t.Errorf("topic %v", topic)
		}
	}
}

func TestEntitiesAreFoundAndToldAsSaid(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	words := strings.Fields("my name is jennifer smith i live in chicago and i paid two hundred forty dollars at six p m")
	var list []string
	for i, w := range words {
		list = append(list, fmt.Sprintf(`{"w":%q,"s":%d,"e":%d}`, w, 100*i, 100*i+90))
	}
	id := s.Submit(t, recording, servertest.Field("transcript", `{"words":[`+strings.Join(list, ",")+`]}`),
		configured(`{"entity":{"enableEntityExtraction":true}}`))
	var got []string
	item := s.Await(t, id)
	for _, e := range at(t, item, "entities").([]any) {
		one := fmt.Sprint(at(t, e, "type"), " ", at(t, e, "text"))
		if formatted, ok := e.(map[string]any)["formattedText"]; ok {
			one += fmt.Sprint(" = ", formatted)
		}
		if money, ok := e.(map[string]any)["money"]; ok {
			one += fmt.Sprint(" ", at(t, money, "whole"), " ", at(t, money, "centi"))
		}
		got = append(got, fmt.Sprint(one, " ", at(t, e, "s"), "-", at(t, e, "e")))
	}
	want := "person jennifer smith 300-490; location chicago 800-890; money two hundred forty dollars = $240.00 240 " +
		"0 1200-1590; time six p m = 6:00 PM 1700-1990"
	if strings.Join(got, "; ") != want {
		t.Errorf("%q, want %q; %v", strings.Join(got, "; "), want, item["warnings"])
	}
	refused(t, s.Post(t, recording,
		configured(`{"speechModel":{"language":"es-US"},"entity":{"enableEntityExtraction":true}}`), saidInSample(t)),
		400, 10603, "entity")
}

func TestKnowledgeIsForEnglishAndOnlyWhenAskedFor(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	refused(t, s.Post(t, sampleCall, saidInSample(t), configured(`{"speechModel":{"language":"es-US"},`+knowledge+`}`)),
		400, 40004, "es-US")
	item := s.Await(t, s.Submit(t, sampleCall, saidInSample(t)))
	if _, there := item["knowledge"]; there {
		t.Error("knowledge that nobody asked for")
	}
}

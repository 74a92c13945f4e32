package main

import (
	"strings"
	"testing"
)

func TestTopicsAreWellFormed(t *testing.T) {
	topics, err := readTopics("topics.txt")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, one := range topics {
		if one.Topic == "" || one.Name == "" || len(one.words) < 3 || seen[one.Topic+one.Name] {
			t.Errorf("%s / %s has %d members", one.Topic, one.Name, len(one.words))
		}
		seen[one.Topic+one.Name] = true
		for _, w := range one.words {
			if w == "" || w != strings.ToLower(w) {
				t.Errorf("%s: member %q", one.Name, w)
			}
		}
	}
	if len(topics) > 255 {
		t.Errorf("%d subtopics do not fit into a byte", len(topics))
	}
}

func TestWordsBelowAnAnchorBelongToItsSubtopic(t *testing.T) {
	n := &wordNet{lemmas: map[string]*lemma{
		"dog":    {counts: map[byte]float64{'n': 9}, senses: []string{"1"}},
		"poodle": {counts: map[byte]float64{'n': 1}, senses: []string{"2"}},
		"cat":    {counts: map[byte]float64{'n': 9}, senses: []string{"3"}},
	}, nouns: map[string]*synset{"1": {}, "2": {above: []string{"1"}}, "3": {}}}
	dogs := topic{words: []string{"kennel"}, senses: []anchor{{word: "dog", sense: 1}}}
	s := &space{words: make([]string, similar)}
	members, err := (topics{dogs}).members(n, s)
	if err != nil {
		t.Fatal(err)
	}
	if len(members["dog"]) != 1 || len(members["poodle"]) != 1 || len(members["kennel"]) != 1 ||
		len(members["cat"]) != 0 || members["poodle"][0].Weight >= members["kennel"][0].Weight {
		t.Errorf("%v", members)
	}
	dogs.senses[0].sense = 2
	if _, err := (topics{dogs}).members(n, s); err == nil {
		t.Error("a sense that WordNet does not have is taken")
	}
}

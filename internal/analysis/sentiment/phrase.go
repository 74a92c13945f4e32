package sentiment

import (
	"fmt"
	"strconv"
	"strings"
)

// phrases is a trie of phrases and their valences, which replace those of their words.
type phrases struct {
	next  map[string]*phrases
	ends  bool
	value float64
}

// readPhrases reads lines of a valence and a phrase, in which "a|b" stands for either word, "a|" for a or nothing and
// "a_b" for two words. If two lines give the same phrase, the first wins.
func readPhrases(lines string) (*phrases, error) {
	root := &phrases{}
	for n, line := range strings.Split(lines, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		number, phrase, _ := strings.Cut(line, " ")
		value, err := strconv.ParseFloat(number, 64)
		if err != nil || phrase == "" {
			return nil, fmt.Errorf("phrases, line %d: %q is not a valence and a phrase", n+1, line)
		}
		root.add(slotsOf(phrase), nil, value)
	}
	return root, nil
}

// slotsOf returns the alternatives of each slot of a phrase, split into words.
func slotsOf(phrase string) [][][]string {
	var slots [][][]string
	for _, place := range strings.Fields(phrase) {
		var choices [][]string
		for _, choice := range strings.Split(place, "|") {
			_, words := tokensOf(strings.ReplaceAll(choice, "_", " "))
			choices = append(choices, words)
		}
		slots = append(slots, choices)
	}
	return slots
}

// add inserts a path for every combination of the alternatives of slots, after the words chosen so far.
func (p *phrases) add(slots [][][]string, chosen []string, value float64) {
	if len(slots) == 0 {
		p.insert(chosen, value)
		return
	}
	for _, words := range slots[0] {
		p.add(slots[1:], append(chosen[:len(chosen):len(chosen)], words...), value)
	}
}

func (p *phrases) insert(words []string, value float64) {
	at := p
	for _, w := range words {
		if at.next == nil {
			at.next = map[string]*phrases{}
		}
		if at.next[w] == nil {
			at.next[w] = &phrases{}
		}
		at = at.next[w]
	}
	if !at.ends && at != p {
		at.ends, at.value = true, value
	}
}

// longest returns the length in words and the valence of the longest phrase at the beginning of words; n is 0 if there
// is none.
func (p *phrases) longest(words []string) (n int, value float64) {
	at := p
	for i, w := range words {
		if at = at.next[w]; at == nil {
			break
		}
		if at.ends {
			n, value = i+1, at.value
		}
	}
	return n, value
}

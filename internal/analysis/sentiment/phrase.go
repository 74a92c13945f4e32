package sentiment

import (
	"fmt"
	"strconv"
	"strings"
)

// phrases is a tree of words: what each phrase says, whatever its words say alone.
type phrases struct {
	next  map[string]*phrases
	ends  bool
	value float64
}

// readPhrases reads lines of a valence and a phrase, in which "a|b" stands for either word and "a|" for a or
// nothing. Of two lines for one phrase the first counts.
func readPhrases(lines string) (*phrases, error) {
	root := &phrases{next: map[string]*phrases{}}
	for n, line := range strings.Split(lines, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		number, phrase, _ := strings.Cut(line, " ")
		value, err := strconv.ParseFloat(number, 64)
		if err != nil || phrase == "" {
			return nil, fmt.Errorf("phrases, line %d: %q is no valence and phrase", n+1, line)
		}
		root.add(strings.Fields(phrase), nil, value)
	}
	return root, nil
}

// add makes a way for every choice among the alternatives of slots, behind the words chosen already.
func (p *phrases) add(slots, chosen []string, value float64) {
	if len(slots) == 0 {
		p.insert(chosen, value)
		return
	}
	for _, word := range strings.Split(slots[0], "|") {
		_, words := tokensOf(word)
		p.add(slots[1:], append(chosen[:len(chosen):len(chosen)], words...), value)
	}
}

func (p *phrases) insert(words []string, value float64) {
	at := p
	for _, w := range words {
		if at.next[w] == nil {
			at.next[w] = &phrases{next: map[string]*phrases{}}
		}
		at = at.next[w]
	}
	if !at.ends && at != p {
		at.ends, at.value = true, value
	}
}

// longest returns how many words the longest phrase takes that words begin with, and what it says; 0: there is none.
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

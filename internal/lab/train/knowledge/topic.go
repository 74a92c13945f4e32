package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"parley/internal/analysis/knowledge"
)

// topic is a line of topics.txt.
type topic struct {
	knowledge.Subtopic
	words  []string // members, which are also the examples for the vectors
	senses []anchor
}

// anchor is a sense of a WordNet noun with all its hyponyms, or all synsets in its field.
type anchor struct {
	word  string
	sense int
	field bool
}

type topics []topic

func readTopics(path string) (topics, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var all topics
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(line, "|")
		if len(f) != 3 {
			return nil, fmt.Errorf("topics: line %q has %d fields, want 3", line, len(f))
		}
		t := topic{Subtopic: knowledge.Subtopic{Topic: strings.TrimSpace(f[0]), Name: strings.TrimSpace(f[1])}}
		for _, m := range strings.Split(f[2], ",") {
			if err := t.add(strings.TrimSpace(m)); err != nil {
				return nil, err
			}
		}
		all = append(all, t)
	}
	return all, nil
}

func (t *topic) add(member string) error {
	word, sense, ok := strings.Cut(member, "#")
	if !ok {
		t.words = append(t.words, strings.ReplaceAll(word, "-", " "))
		return nil
	}
	n, err := strconv.Atoi(sense)
	bare, field := strings.CutPrefix(word, ";")
	t.senses = append(t.senses, anchor{bare, n, field})
	return err
}

func (ts topics) subtopics() []knowledge.Subtopic {
	var all []knowledge.Subtopic
	for _, t := range ts {
		all = append(all, t.Subtopic)
	}
	return all
}

const (
	deepest     = 7   // maximum number of levels below an anchor
	belowFirst  = .9  // weight of hyponyms of an anchor for words with a single sense
	eachLevel   = .97 // factor per level
	general     = 600 // number of most frequent words, which get no subtopic by their vectors
	common      = 3000
	alike       = .6 // minimum cosine with the examples for a word to belong to them
	alikeCommon = .7 // the same for common words
	ofAlike     = .8 // weight of such a word, multiplied by its cosine
	least       = .4 // smaller weights are dropped
)

// members returns the subtopics of each lemma, by decreasing weight.
func (ts topics) members(n *wordNet, s *space) (map[string][]knowledge.Membership, error) {
	weights := map[string]map[int]float64{}
	note := func(word string, i int, w float64) {
		if weights[word] == nil {
			weights[word] = map[int]float64{}
		}
		weights[word][i] = max(weights[word][i], w)
	}
	for i, t := range ts {
		for _, w := range t.words {
			note(w, i, 1)
		}
		below, err := n.below(t.senses)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.Name, err)
		}
		for word, l := range n.lemmas {
			shares := n.shares(word)
			sum := 0.
			for k, offset := range l.senses {
				sum += shares[k] * below[offset]
			}
			if sum > 0 {
				total := l.counts['n'] + l.counts['v'] + l.counts['a']
				note(word, i, sum*math.Sqrt(l.counts['n']/total))
			}
		}
	}
	for w, i := range ts.alike(s) {
		note(w, i.subtopic, ofAlike*i.cosine)
	}
	return chosen(weights), nil
}

// likeness is the subtopic with the examples most similar to a word.
type likeness struct {
	subtopic int
	cosine   float64
}

// alike returns the words similar to the examples of a subtopic.
func (ts topics) alike(s *space) map[string]likeness {
	found := map[string]likeness{}
	for i, t := range ts {
		examples, mean := s.examples(t.words)
		for rank, w := range s.words[general:similar] {
			needed := alike
			if rank < common {
				needed = alikeCommon
			}
			if cos := s.near(w, examples, mean); cos >= needed && cos > found[w].cosine && plain(w) {
				found[w] = likeness{i, cos}
			}
		}
	}
	return found
}

// near returns the similarity of a word to the mean of examples, or 0 if it is not similar to any of them.
func (s *space) near(word string, examples [][]float64, mean []float64) float64 {
	row := s.rows[word]
	if row == nil || len(examples) < 3 {
		return 0
	}
	if !slices.ContainsFunc(examples, func(e []float64) bool { return dot(row, e) >= alike }) {
		return 0
	}
	return dot(row, mean)
}

// examples returns the vectors of words, and their mean.
func (s *space) examples(words []string) (rows [][]float64, mean []float64) {
	mean = make([]float64, dimensions)
	for _, w := range words {
		if r := s.rows[w]; r != nil {
			rows = append(rows, r)
			for k := range mean {
				mean[k] += r[k]
			}
		}
	}
	return rows, unit(mean)
}

// below returns the weight of each synset that is an anchor or a hyponym of one.
func (n *wordNet) below(anchors []anchor) (map[string]float64, error) {
	roots := map[string]float64{}
	fields := map[string]bool{}
	for _, a := range anchors {
		l := n.lemmas[a.word]
		if l == nil || a.sense < 1 || a.sense > len(l.senses) {
			return nil, fmt.Errorf("WordNet has no noun sense %s#%d", a.word, a.sense)
		}
		if a.field {
			fields[l.senses[a.sense-1]] = true
			continue
		}
		roots[l.senses[a.sense-1]] = belowFirst
	}
	found := map[string]float64{}
	for offset, s := range n.nouns {
		w := n.under(offset, roots, deepest)
		if slices.ContainsFunc(s.fields, func(f string) bool { return fields[f] }) {
			w = max(w, belowFirst)
		}
		if w > 0 {
			found[offset] = w
		}
	}
	return found, nil
}

// under returns the weight of the nearest root above a synset.
func (n *wordNet) under(offset string, roots map[string]float64, levels int) float64 {
	if w := roots[offset]; w > 0 || levels == 0 {
		return w
	}
	best := 0.
	for _, above := range n.nouns[offset].above {
		best = max(best, eachLevel*n.under(above, roots, levels-1))
	}
	return best
}

// chosen keeps the subtopics of each word with the highest weights.
func chosen(weights map[string]map[int]float64) map[string][]knowledge.Membership {
	all := map[string][]knowledge.Membership{}
	for word, of := range weights {
		order := slices.SortedFunc(maps.Keys(of), func(a, b int) int {
			return cmp.Or(cmp.Compare(of[b], of[a]), cmp.Compare(a, b))
		})
		for _, i := range order[:min(most, len(order))] {
			if of[i] >= least {
				all[word] = append(all[word], knowledge.Membership{Subtopic: i, Weight: uint8(math.Round(15 * of[i]))})
			}
		}
	}
	return all
}

// print prints the members of subtopics that are in use.
func (ts topics) print(w io.Writer, members map[string][]knowledge.Membership, s *space, prefix string) {
	for i, t := range ts {
		if !strings.HasPrefix(t.Name, prefix) && prefix != "all" {
			continue
		}
		fmt.Fprintf(w, "%s / %s:", t.Topic, t.Name)
		for _, word := range s.words[:20_000] {
			for _, m := range members[word] {
				if m.Subtopic == i {
					fmt.Fprintf(w, " %s/%d", word, m.Weight)
				}
			}
		}
		fmt.Fprintln(w)
	}
}

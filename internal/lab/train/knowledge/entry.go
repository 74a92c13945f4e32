package main

import (
	"math"
	"slices"
	"strings"

	"parley/internal/analysis/knowledge"
)

const most = 3 // maximum number of words of a phrase; names may have one more

// entries returns all words in use, and their fixed phrases.
func entries(n *wordNet, s *space, said *talk, members map[string][]knowledge.Membership) []knowledge.Entry {
	var all []knowledge.Entry
	for _, w := range s.words {
		if plain(w) {
			e := knowledge.Entry{Lemma: w, Rarity: rarity(w, s, said), Topics: members[w]}
			if l := n.lemmas[w]; l != nil {
				e.Noun, e.Verb, e.Adj = knowledge.Quantize(l.counts['n']), knowledge.Quantize(l.counts['v']),
					knowledge.Quantize(l.counts['a'])
				e.Proper = l.written != w && l.counts['v'] == 0 && l.counts['a'] == 0
			}
			all = append(all, e)
		}
	}
	for w, l := range n.lemmas {
		_, known := s.rank[w]
		if plain(w) && !known && l.counts['n']+l.counts['v']+l.counts['a'] > 2 {
			all = append(all, knowledge.Entry{Lemma: w, Rarity: 255, Topics: members[w],
				Noun: knowledge.Quantize(l.counts['n']),
				Verb: knowledge.Quantize(l.counts['v']), Adj: knowledge.Quantize(l.counts['a'])})
		}
		if n.fixed(w, l, s) {
			all = append(all, knowledge.Entry{Lemma: w, Noun: 1, Compound: true, Proper: l.written != w,
				Topics: members[w]})
		}
	}
	for w, topics := range members { // phrases of topics.txt that are not in WordNet
		if l := n.lemmas[w]; strings.Contains(w, " ") && (l == nil || !n.fixed(w, l, s)) && !strings.Contains(w, "-") {
			all = append(all, knowledge.Entry{Lemma: w, Noun: 1, Compound: true, Topics: topics})
		}
	}
	return all
}

func plain(w string) bool {
	return len(w) > 1 && !strings.ContainsFunc(w, func(r rune) bool { return (r < 'a' || r > 'z') && r != '\'' }) &&
		!strings.HasPrefix(w, "'")
}

// fixed reports whether a noun of several words is likely to occur in speech.
func (n *wordNet) fixed(w string, l *lemma, s *space) bool {
	parts := strings.Fields(w)
	longest := most
	if l.written != w {
		longest++
	}
	if len(l.senses) == 0 || len(parts) < 2 || len(parts) > longest {
		return false
	}
	if !slices.ContainsFunc(l.senses, func(offset string) bool { return !n.nouns[offset].living }) {
		return false
	}
	return !slices.ContainsFunc(parts, func(p string) bool {
		rank, known := s.rank[p]
		return !plain(p) && len(p) > 1 || !known || rank > 50_000
	})
}

// rarity returns the rarity of a word, from the geometric mean of its share of written texts (estimated from its rank
// by Zipf's law) and its share of conversations.
func rarity(w string, s *space, said *talk) uint8 {
	written := .1 / float64(s.rank[w]+1)
	heard := (said.counts[w] + .3) / said.all
	return uint8(min(255, math.Round(-40*(.6*math.Log10(written)+.4*math.Log10(heard)))))
}

package main

import (
	"parley/internal/lab/corpus"
)

// question asks for calls, in terms that every engine can express.
type question struct {
	Phrases [][]string // each must occur: a word, or words that follow each other in one turn
	Prefix  string     // a word must begin so; empty: no condition
	Not     string     // this word must not occur; empty: no condition
	Above   int        // the score must exceed it; -1: no condition
	Agent   bool       // words of the agent only
}

// kind is a kind of question: its name and a function that returns its n-th question.
type kind struct {
	name string
	ask  func(n int) question
}

// kinds returns the kinds of questions about a corpus.
func kinds(c *corpus.Corpus) []kind {
	frequent := plainWords(c, 600)
	word := func(rank int) string { return frequent[rank] }
	rare := func(n int) string { return c.Word(corpus.Vocabulary/4 + n*97%(corpus.Vocabulary/2)) }
	some := func(n int) string { return word(250 + n%100) } // in a third of the calls
	all := func(phrases ...[]string) question { return question{Phrases: phrases, Above: -1} }
	one := func(word string) []string { return []string{word} }
	return []kind{
		{"rare word", func(n int) question { return all(one(rare(n))) }},
		{"common word", func(n int) question { return all(one(word(n % 120))) }},
		{"common and rare word", func(n int) question { return all(one(word(n%120)), one(rare(n))) }},
		{"rare phrase", func(n int) question { return all([]string{word(250 + n%300), word(150 + 7*n%300)}) }},
		{"common phrase", func(n int) question { return all(commonPhrases[n%len(commonPhrases)]) }},
		{"prefix of a rare word", func(n int) question { return question{Prefix: rare(n)[:4], Above: -1} }},
		{"word, not another", func(n int) question {
			return question{Phrases: [][]string{one(some(n))}, Not: word(80 + n%100), Above: -1}
		}},
		{"word, score > 5", func(n int) question { return question{Phrases: [][]string{one(some(n))}, Above: 5} }},
		{"agent says a word", func(n int) question {
			return question{Phrases: [][]string{one(some(n))}, Above: -1, Agent: true}
		}},
	}
}

var commonPhrases = [][]string{
	{"thank", "you", "for", "calling"}, {"may", "i", "have", "your", "order", "number"}, {"cancel", "my", "account"},
}

// plainWords returns the n most frequent words that consist of letters alone.
func plainWords(c *corpus.Corpus, n int) (words []string) {
	for rank := 0; len(words) < n; rank++ {
		if w := c.Word(rank); plain(w) == w {
			words = append(words, w)
		}
	}
	return words
}

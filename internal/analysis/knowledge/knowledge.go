// Package knowledge says what a conversation is about: keywords and key phrases with their relevance and where they
// are said, and topics with subtopics and the words that speak for them. English.
//
// A key phrase is a run of nouns and adjectives or a fixed phrase of the lexicon; what it counts is how often it is
// said in its own right (the C-value of Frantzi, Ananiadou and Mima, "Automatic recognition of multi-word terms",
// International Journal on Digital Libraries 3, 2000) and how rare its words are elsewhere. Topics are those of
// WordNet's senses (Fellbaum, 1998) and of word vectors, gathered by the list in the folder train. Words need no
// capitals or marks. Redacted words, and words in [brackets], are never a part of anything found.
//
// It does not find names, amounts or dates (package entity), looks nothing up elsewhere, and knows nothing of
// other calls: the relevance of a word depends on this call and on English in general.
package knowledge

import "parley/internal/words/transcript"

// Request says what is known.
type Request struct {
	Lexicon *Lexicon
}

// Found is what a conversation is about; both lists have the most relevant first.
type Found struct {
	Keywords []transcript.Keyword
	Topics   []Topic
}

// Topic is a subject of a conversation.
type Topic struct {
	Name      string
	Relevance float64 // 0..1
	Subtopics []Score
	Keywords  []transcript.Keyword // what speaks for it
}

// Score is a subtopic, 0..1.
type Score struct {
	Name  string
	Score float64
}

// Find returns what a conversation is about.
func Find(t *transcript.Transcript, r *Request) *Found {
	c := collect(t, &reader{lexicon: r.Lexicon, noise: readNoise(noiseLines), terms: map[string]*term{}})
	c.rank()
	return &Found{Keywords: c.keywords(), Topics: c.topics()}
}

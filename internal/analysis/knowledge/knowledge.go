// Package knowledge finds what an English conversation is about: keywords and key phrases with their relevance and
// places, and topics with their subtopics and supporting keywords.
//
// A key phrase is a run of nouns and adjectives or a fixed phrase of the lexicon. Its score depends on how often it is
// said outside longer phrases (the C-value of Frantzi, Ananiadou and Mima, "Automatic recognition of multi-word terms",
// International Journal on Digital Libraries 3, 2000) and on how rare its words are in general. Topics come from
// WordNet's senses (Fellbaum, 1998) and from word vectors, grouped by the list in the folder train. Capitals and
// punctuation are not required. Redacted words, and words in [brackets], are never part of a result.
//
// The package does not find names, amounts or dates (package entity), does not use external sources, and does not
// compare calls: the relevance of a word depends on this call and on English in general.
package knowledge

import "parley/internal/words/transcript"

// Request is the input of Find other than the transcript.
type Request struct {
	Lexicon *Lexicon
}

// Result holds the keywords and topics of a conversation, the most relevant first.
type Result struct {
	Keywords []transcript.Keyword
	Topics   []Topic
}

// Topic is a subject of a conversation.
type Topic struct {
	Name      string
	Relevance float64 // 0..1
	Subtopics []Score
	Keywords  []transcript.Keyword // the keywords that support it
}

// Score is the score of a subtopic, 0..1.
type Score struct {
	Name  string
	Score float64
}

// Find returns the keywords and topics of a conversation.
func Find(t *transcript.Transcript, r *Request) *Result {
	c := collect(t, &reader{lexicon: r.Lexicon, noise: readNoise(noiseLines), terms: map[string]*term{}})
	c.rank()
	return &Result{Keywords: c.keywords(), Topics: c.topics()}
}

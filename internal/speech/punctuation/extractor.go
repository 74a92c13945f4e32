package punctuation

// Extractor returns the features of a text for the trainer.
type Extractor struct{ s *sentence }

// NewExtractor prepares the features of one speaker's tokens.
func NewExtractor(tokens []Token) Extractor { return Extractor{newSentence(tokens)} }

// Features appends hashes of the features of the mark after token i, for a sentence that starts at token first.
func (e Extractor) Features(first, i int, f []uint32) []uint32 {
	return e.s.within(first, i, e.s.from(first, e.s.around(i, f)))
}

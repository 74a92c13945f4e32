package punctuation

// Extractor gives the features of a text to the trainer.
type Extractor struct{ s *sentence }

// NewExtractor prepares the features of one speaker's tokens.
func NewExtractor(tokens []Token) Extractor { return Extractor{newSentence(tokens)} }

// Features appends what the mark behind token i depends on when its sentence began at token first, as
// hashes.
func (e Extractor) Features(first, i int, f []uint32) []uint32 {
	return e.s.within(first, i, e.s.from(first, e.s.around(i, f)))
}

package tagger

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"io"
	"sync"
)

//go:embed lexicon.tsv.gz
var packedLexicon []byte

//go:embed model.bin.gz
var packedModel []byte

// Load returns the built-in tagger. It is read once per process and shared.
func Load() (*Tagger, error) { return builtIn() }

var builtIn = sync.OnceValues(func() (*Tagger, error) {
	lexicon, err := BuiltInLexicon()
	if err != nil {
		return nil, err
	}
	return Read(bytes.NewReader(packedModel), lexicon)
})

// BuiltInLexicon reads the built-in lexicon.
func BuiltInLexicon() (*Lexicon, error) { return ReadLexicon(bytes.NewReader(packedLexicon)) }

// Read reads the weights of a tagger: one byte per tag for each row, compressed with gzip.
func Read(r io.Reader, l *Lexicon) (*Tagger, error) {
	unpacked, err := gzip.NewReader(r)
	if err != nil {
		return nil, fmt.Errorf("tagger: %w", err)
	}
	g := &Tagger{lexicon: l, rows: make([]row, rowsAll)}
	buffer := make([]byte, int(tags))
	for i := range g.rows {
		if _, err := io.ReadFull(unpacked, buffer); err != nil {
			return nil, fmt.Errorf("tagger: %w", err)
		}
		for t, b := range buffer {
			g.rows[i][t] = int8(b)
		}
	}
	return g, nil
}

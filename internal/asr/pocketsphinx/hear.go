package pocketsphinx

import (
	"fmt"
	"io"
	"os"
	"time"

	"parley/internal/asr"
)

// hear returns the words of the utterance that the search has taken: of conversations those that its lattice speaks for, once
// the language models are mixed as they should be. Where there is no lattice, and of what is read aloud, they are the search's own.
func (d *decoder) hear(length time.Duration, s settings) []asr.Word {
	if !s.vote {
		return d.words(length)
	}
	l, err := d.lattice()
	if err != nil {
		return d.words(length)
	}
	return d.elected(l, length, s)
}

// elected returns the words that most paths of a lattice have.
func (d *decoder) elected(l *lattice, length time.Duration, s settings) []asr.Word {
	predict := d.language.predictor()
	l.prune(s.scales, predict)
	var words []asr.Word
	for _, h := range l.expand(s.scales, predict).elect() {
		start := d.frame(h.start, length)
		words = append(words, asr.Word{Text: spoken(h.word), Start: start, End: max(start, d.frame(h.end, length)), Confidence: h.share})
	}
	return words
}

// lattice reads the lattice of the utterance from a pipe, as it is what callers said.
func (d *decoder) lattice() (*lattice, error) {
	dag := d.lib.lattice(d.ps)
	if dag == 0 {
		return nil, fmt.Errorf("no lattice")
	}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	written := make(chan struct{})
	go func() {
		defer close(written)
		defer w.Close()
		d.lib.writeLattice(dag, fmt.Sprintf("/dev/fd/%d", w.Fd()))
	}()
	l, err := readLattice(r)
	io.Copy(io.Discard, r) // what was not read holds the writer up
	<-written
	return l, err
}

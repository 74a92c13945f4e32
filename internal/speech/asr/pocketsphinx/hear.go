package pocketsphinx

import (
	"fmt"
	"io"
	"os"
	"time"

	"parley/internal/speech/asr"
	"parley/internal/words/sound"
)

// hear returns the words of the utterance just searched. For conversations these are the words elected from the
// lattice, rescored with correctly interpolated language models. Without a lattice, and for read speech, they are the
// words of the search itself.
func (d *decoder) hear(pcm *sound.PCM, s settings) []asr.Word {
	if !s.vote {
		return d.words(pcm.Duration())
	}
	l, err := d.lattice()
	if err != nil {
		return d.words(pcm.Duration())
	}
	graphs := []*graph{d.graph(l, s)}
	if second := d.again(pcm, s); second != nil {
		graphs = append(graphs, d.graph(second, s))
	}
	return d.elected(pcm.Duration(), graphs...)
}

// again searches audio from a dull telephone line a second time, without prediction and adaptation, and returns that
// lattice; nil for other lines. The two searches make their errors in different words.
func (d *decoder) again(pcm *sound.PCM, s settings) *lattice {
	if !s.telephone || !d.features.Dull(pcm) {
		return nil
	}
	s.telephone, s.transform = false, nil
	if d.utter(pcm, s) != nil {
		return nil
	}
	l, err := d.lattice()
	if err != nil {
		return nil
	}
	return l
}

// graph rescores the paths of a lattice.
func (d *decoder) graph(l *lattice, s settings) *graph {
	predict := d.language.predictor()
	l.prune(s.scales, predict)
	return l.expand(s.scales, predict)
}

// elected returns the words by majority of the graphs' paths.
func (d *decoder) elected(length time.Duration, graphs ...*graph) []asr.Word {
	var words []asr.Word
	for _, h := range elect(graphs...) {
		words = append(words, d.word(spoken(h.word), h.start, h.end, length, h.share))
	}
	return words
}

// lattice reads the lattice of the utterance through a pipe, not a file, because it contains what callers said.
func (d *decoder) lattice() (*lattice, error) {
	dag := d.lib.lattice(d.ps)
	if dag == 0 {
		return nil, fmt.Errorf("the utterance has no lattice")
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
	io.Copy(io.Discard, r) // unread data would block the writer
	<-written
	return l, err
}

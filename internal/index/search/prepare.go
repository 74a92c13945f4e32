package search

import (
	"context"
	"math/bits"
	"runtime"
	"slices"
	"sync"

	"parley/internal/index/search/posting"
	"parley/internal/index/search/tokenfile"
	"parley/internal/words/phrase"
)

// prepared is a call as it goes into the index, as far as it can be made without the transaction that writes it.
type prepared struct {
	source  *tokenfile.Source
	numbers []uint32 // of the words
	unknown []int    // words whose number the writer did not remember yet; numbers has 0
	tokens  []byte   // the token file; nil where there are unknown words, as is call
	call    posting.Call
}

// prepare makes what goes into the index of a call. Several may be prepared at once, and while the writer works.
func (g *generation) prepare(source *tokenfile.Source, with *distinct) *prepared {
	p := &prepared{source: source}
	p.numbers, p.unknown = g.remembered(source.Words)
	if len(p.unknown) == 0 {
		p.complete(with)
	}
	return p
}

// complete makes what needs the numbers of all words.
func (p *prepared) complete(with *distinct) {
	p.tokens = tokenfile.EncodeNumbers(p.source, p.numbers)
	p.call = with.call(p.source, p.numbers)
}

// remembered returns the numbers of words, and where those are whose number the writer does not remember.
func (g *generation) remembered(words []string) (numbers []uint32, unknown []int) {
	numbers = make([]uint32, len(words))
	g.words.RLock()
	defer g.words.RUnlock()
	for i, word := range words {
		n, plain := tokenfile.Plain(word)
		if !plain {
			n = g.known[word]
		}
		if numbers[i] = n; n == 0 {
			unknown = append(unknown, i)
		}
	}
	return numbers, unknown
}

// ahead prepares entries on other processors, a few ahead of where they are used. ended waits for what is under way; it
// is called when ctx has ended or everything was used.
func (w *writer) ahead(ctx context.Context, entries []entry) (ready []chan *prepared, ended func()) {
	ready = make([]chan *prepared, len(entries))
	for i := range ready {
		ready[i] = make(chan *prepared) // unbuffered: what nobody takes is not made far ahead
	}
	var group sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for first := range workers {
		group.Go(func() {
			var with distinct
			for i := first; i < len(entries); i += workers {
				if entries[i].words == nil {
					continue
				}
				select {
				case ready[i] <- w.g.prepare(entries[i].words(), &with):
				case <-ctx.Done():
					return
				}
			}
		})
	}
	return ready, group.Wait
}

// distinct finds the different words and pairs of words of one call after another.
type distinct struct {
	plain          map[uint32]bool // numbers of this call that are not the lexicon's
	seen           []int32         // of each of the lexicon's: the call, counted from 1, that had it last
	calls          int32
	pairs, triples hashes
}

// call returns what a segment is to know of a call.
func (d *distinct) call(s *tokenfile.Source, numbers []uint32) (c posting.Call) {
	d.calls++
	clear(d.plain)
	c.Words = make([]posting.Word, 0, len(numbers)/2)
	for _, p := range s.Parts {
		switch p.Field {
		case phrase.Title:
			c.Title = different(s.Words[p.From:p.To])
		case phrase.Description:
			c.Description = different(s.Words[p.From:p.To])
		}
		for i := p.From; i < p.To; i++ {
			if d.first(numbers[i]) {
				c.Words = append(c.Words, posting.Word{Number: numbers[i], Text: s.Words[i]})
			}
			if i > p.From {
				d.pairs.add(posting.PairHash(numbers[i-1], numbers[i]))
			}
			if i > p.From+1 {
				d.triples.add(posting.TripleHash(numbers[i-2], numbers[i-1], numbers[i]))
			}
		}
	}
	c.Pairs, c.Triples = d.pairs.take(len(numbers)), d.triples.take(len(numbers))
	return c
}

// first reports whether a number is met for the first time in this call.
func (d *distinct) first(n uint32) bool {
	if !tokenfile.Listed(n) {
		if d.plain == nil {
			d.plain = map[uint32]bool{}
		}
		met := d.plain[n]
		d.plain[n] = true
		return !met
	}
	if int(n) >= len(d.seen) {
		d.seen = append(d.seen, make([]int32, int(n)+1+len(d.seen)/2-len(d.seen))...)
	}
	before := d.seen[n]
	d.seen[n] = d.calls
	return before != d.calls
}

// hashes is a set of hashes, a bit for each.
type hashes [posting.Hashes / 64]uint64

func (h *hashes) add(hash uint32) { h[hash/64] |= 1 << (hash % 64) }

// take returns the hashes, ascending, and forgets them.
func (h *hashes) take(about int) []uint32 {
	all := make([]uint32, 0, about)
	for i, w := range h {
		for ; w != 0; w &= w - 1 {
			all = append(all, uint32(i*64+bits.TrailingZeros64(w)))
		}
		h[i] = 0
	}
	return all
}

// different returns the different words of some.
func different(words []string) []string { return slices.Compact(slices.Sorted(slices.Values(words))) }

package search

import (
	"context"
	"math/bits"
	"runtime"
	"slices"
	"sync"

	"parley/internal/index/search/posting"
	"parley/internal/index/tokenfile"
	"parley/internal/words/phrase"
)

// callData is the index data of a call, as far as it can be made outside of the writing transaction.
type callData struct {
	source  *tokenfile.Source
	numbers []uint32 // of the words
	unknown []int    // indices of words that are not in the writer's cache; their numbers are 0
	tokens  []byte   // the token file; nil if there are unknown words, as is call
	call    posting.Call
}

// prepare makes the index data of a call. Calls may run concurrently with each other and with the writer.
func (g *generation) prepare(source *tokenfile.Source, with *wordSet) *callData {
	p := &callData{source: source}
	p.numbers, p.unknown = g.remembered(source.Words)
	if len(p.unknown) == 0 {
		p.complete(with)
	}
	return p
}

// complete makes the parts that need the numbers of all words.
func (p *callData) complete(with *wordSet) {
	p.tokens = tokenfile.EncodeNumbers(p.source, p.numbers)
	p.call = with.call(p.source, p.numbers)
}

// remembered returns the cached numbers of words, and the indices of words that are not in the cache.
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

// ahead prepares entries on other processors, a few ahead of their use. Call ended when ctx has ended or all entries
// were used; it waits for the goroutines.
func (w *writer) ahead(ctx context.Context, entries []entry) (ready []chan *callData, ended func()) {
	ready = make([]chan *callData, len(entries))
	for i := range ready {
		ready[i] = make(chan *callData) // unbuffered, which limits how far ahead entries are made
	}
	var group sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for first := range workers {
		group.Go(func() {
			var with wordSet
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

// wordSet finds the distinct words and word pairs of one call after another.
type wordSet struct {
	plain          map[uint32]bool // numbers of this call outside the lexicon
	seen           []int32         // for each lexicon number, the last call that had it, counted from 1
	calls          int32
	pairs, triples hashes
}

// call returns the index data of a call.
func (d *wordSet) call(s *tokenfile.Source, numbers []uint32) (c posting.Call) {
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

// first reports whether a number occurs for the first time in this call.
func (d *wordSet) first(n uint32) bool {
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

// hashes is a bit set of hashes.
type hashes [posting.Hashes / 64]uint64

func (h *hashes) add(hash uint32) { h[hash/64] |= 1 << (hash % 64) }

// take returns the hashes in ascending order and clears the set.
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

// different returns the distinct words.
func different(words []string) []string { return slices.Compact(slices.Sorted(slices.Values(words))) }

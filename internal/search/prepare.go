package search

import (
	"context"
	"runtime"
	"sync"

	"parley/internal/search/tokenfile"
)

// prepared is a call as it goes into the index, as far as it can be made without the transaction that writes it.
type prepared struct {
	owner   int64 // number of the account
	source  *tokenfile.Source
	numbers []uint32  // of the words
	unknown []int     // words whose number the writer did not remember yet; numbers has 0
	tokens  []byte    // the token file; nil where there are unknown words
	texts   [3]string // for FTS5
	lexemes []string  // for PostgreSQL
}

// prepare makes what goes into the index of a call. Several may be prepared at once, and while the writer works.
func (g *generation) prepare(owner int64, source *tokenfile.Source) *prepared {
	p := &prepared{owner: owner, source: source}
	p.numbers, p.unknown = g.remembered(source.Words)
	if len(p.unknown) == 0 {
		p.tokens = tokenfile.EncodeNumbers(source, p.numbers)
	}
	if g.postgres {
		p.lexemes = tsvector(owner, source)
	} else {
		p.texts = texts(owner, source)
	}
	return p
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

// ahead prepares entries on other processors, a few ahead of where they are used. ended waits for what is under way; it is called
// when ctx has ended or everything was used.
func (w *writer) ahead(ctx context.Context, entries []entry) (ready []chan *prepared, ended func()) {
	ready = make([]chan *prepared, len(entries))
	for i := range ready {
		ready[i] = make(chan *prepared) // unbuffered: what nobody takes is not made far ahead
	}
	var group sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for first := range workers {
		group.Go(func() {
			for i := first; i < len(entries); i += workers {
				if entries[i].words == nil {
					continue
				}
				select {
				case ready[i] <- w.g.prepare(w.accounts[entries[i].account], entries[i].words()):
				case <-ctx.Done():
					return
				}
			}
		})
	}
	return ready, group.Wait
}

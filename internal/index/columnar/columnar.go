// Package columnar answers questions about many calls: statements of the query language, and conditions that are tried
// on stored calls. It reads them from the segments of package callindex, so that an answer includes everything published
// before the question was asked and nothing that was deleted.
//
// Evaluation goes in steps, cheapest first: required words are looked up, conditions on fields are evaluated on
// columns, and only the remaining calls are read and evaluated word by word. It does not use SQL.
//
// The package does not know HTTP, and does not write results.
package columnar

import (
	"time"

	"parley/internal/call/codec"
	"parley/internal/host/fair"
	"parley/internal/index/callindex"
	"parley/internal/storage/store"
)

// Config configures an Index.
type Config struct {
	Store   *store.Store
	Codec   *codec.Codec
	Calls   *callindex.Index
	Timeout time.Duration // per statement; 0: 30 s
	Count   time.Duration // for counting the total beyond a page; 0: 1 s
}

// Index answers questions. It is safe for concurrent use.
type Index struct {
	Config
	questions, exports *fair.Room
	listedFirst        int
	remembered         remembered // distributions
}

// New returns an index.
func New(c Config) *Index {
	if c.Timeout == 0 {
		c.Timeout = 30 * time.Second
	}
	if c.Count == 0 {
		c.Count = time.Second
	}
	return &Index{Config: c, questions: fair.NewRoom(questions), exports: fair.NewRoom(exports),
		listedFirst: listedFirst}
}

// part is the calls of a segment that a question sees.
type part = callindex.Part

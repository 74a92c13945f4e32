package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis/analyzer/custom"
	"github.com/blevesearch/bleve/v2/analysis/token/lowercase"
	"github.com/blevesearch/bleve/v2/analysis/tokenizer/unicode"
	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/blevesearch/bleve/v2/index/scorch/mergeplan"
	"github.com/blevesearch/bleve/v2/mapping"
	"github.com/blevesearch/bleve/v2/search/query"
	"golang.org/x/sync/errgroup"
)

// bleveIndex is an index of Bleve. It stores no texts, because the transcripts are elsewhere. It has one field for each
// speaker.
type bleveIndex struct {
	setup
	index bleve.Index
}

// bleveCall is a call as Bleve gets it.
type bleveCall struct {
	Number int    `json:"number"`
	Score  int    `json:"score"`
	Agent  string `json:"agent"`
	Caller string `json:"caller"`
}

var bleveSpeakers = []string{"agent", "caller"}

func openBleve(_ context.Context, s setup) (engine, error) {
	m, err := bleveMapping()
	if err != nil {
		return nil, err
	}
	index, err := bleve.NewUsing(filepath.Join(s.Dir, "bleve"), m, scorch.Name, scorch.Name, map[string]any{
		// As its documentation of the persister advises for bulk loading.
		"scorchPersisterOptions": map[string]any{"numPersisterWorkers": 2, "maxSizeInMemoryMergePerWorker": 60_000_000},
		"scorchMergePlanOptions": map[string]any{"floorSegmentFileSize": 10_000_000},
	})
	return &bleveIndex{s, index}, err
}

// bleveMapping returns the mapping of a call: words with positions, lower-cased, without stop words.
func bleveMapping() (mapping.IndexMapping, error) {
	m := bleve.NewIndexMapping()
	err := m.AddCustomAnalyzer("words", map[string]any{"type": custom.Name, "tokenizer": unicode.Name,
		"token_filters": []string{lowercase.Name}})
	if err != nil {
		return nil, err
	}
	call := bleve.NewDocumentStaticMapping()
	for _, name := range bleveSpeakers {
		words := bleve.NewTextFieldMapping()
		words.Analyzer, words.Store, words.IncludeInAll, words.DocValues = "words", false, false, false
		call.AddFieldMappingsAt(name, words)
	}
	for _, name := range []string{"number", "score"} {
		number := bleve.NewNumericFieldMapping()
		number.Store, number.IncludeInAll = false, false
		call.AddFieldMappingsAt(name, number)
	}
	m.DefaultMapping = call
	return m, nil
}

func (e *bleveIndex) Version(context.Context) (string, error) {
	info, ok := debug.ReadBuildInfo()
	if ok {
		for _, m := range info.Deps {
			if strings.HasSuffix(m.Path, "/bleve/v2") {
				return "Bleve " + m.Version, nil
			}
		}
	}
	return "Bleve", nil
}

// Build indexes in batches of a thousand calls, and merges all segments at the end. While one batch is written to disk,
// another one is analyzed.
func (e *bleveIndex) Build(ctx context.Context) (took, work time.Duration, err error) {
	watch := startWatch()
	group := errgroup.Group{}
	group.SetLimit(writers)
	err = eachBatch(e.Documents, 1000, func(batch []document) error {
		b := e.index.NewBatch()
		for _, d := range batch {
			if err := b.Index(bleveID(d.Number), bleveCall(d)); err != nil {
				return err
			}
		}
		group.Go(func() error { return e.index.Batch(b) })
		return ctx.Err()
	})
	if err := errors.Join(err, group.Wait()); err != nil {
		return 0, 0, err
	}
	internal, err := e.index.Advanced()
	if err != nil {
		return 0, 0, err
	}
	s, ok := internal.(*scorch.Scorch)
	if !ok {
		return 0, 0, errors.New("the index is not of the type scorch")
	}
	if err := s.ForceMerge(ctx, &mergeplan.SingleSegmentMergePlanOptions); err != nil {
		return 0, 0, err
	}
	took, work = watch.elapsed()
	return took, work, nil
}

// bleveID returns the id of a call. Ids sort like numbers.
func bleveID(number int) string { return fmt.Sprintf("%09d", number) }

// Bytes waits until the index has deleted the files that it no longer needs, for ten seconds at most.
func (e *bleveIndex) Bytes(context.Context) (size int64, err error) {
	const quiet = 4 // polls without a change
	for poll, unchanged := 0, 0; poll < 20 && unchanged < quiet; poll++ {
		time.Sleep(500 * time.Millisecond)
		now := sizeOf(e.Dir, "*")
		if unchanged++; now != size {
			size, unchanged = now, 0
		}
	}
	return size, nil
}

func (e *bleveIndex) Newest(ctx context.Context, q question, limit int) ([]int, error) {
	r := e.request(q, limit)
	r.SortBy([]string{"-_id"})
	found, err := e.index.SearchInContext(ctx, r)
	if err != nil {
		return nil, err
	}
	numbers := make([]int, len(found.Hits))
	for i, hit := range found.Hits {
		if numbers[i], err = strconv.Atoi(hit.ID); err != nil {
			return nil, err
		}
	}
	return numbers, nil
}

func (e *bleveIndex) Count(ctx context.Context, q question) (int, error) {
	found, err := e.index.SearchInContext(ctx, e.request(q, 0))
	if err != nil {
		return 0, err
	}
	return int(found.Total), nil
}

// request returns a question without relevance.
func (e *bleveIndex) request(q question, limit int) *bleve.SearchRequest {
	r := bleve.NewSearchRequestOptions(e.query(q), limit, 0, false)
	r.Score = "none"
	return r
}

func (e *bleveIndex) query(q question) query.Query {
	var all []query.Query
	for _, words := range q.Phrases {
		all = append(all, said(q.Agent, func(field string) query.Query {
			if len(words) == 1 {
				t := bleve.NewTermQuery(words[0])
				t.SetField(field)
				return t
			}
			return bleve.NewPhraseQuery(words, field)
		}))
	}
	if q.Prefix != "" {
		all = append(all, said(q.Agent, func(field string) query.Query {
			p := bleve.NewPrefixQuery(q.Prefix)
			p.SetField(field)
			return p
		}))
	}
	if q.Above >= 0 {
		above, inclusive := float64(q.Above), false
		n := bleve.NewNumericRangeInclusiveQuery(&above, nil, &inclusive, nil)
		n.SetField("score")
		all = append(all, n)
	}
	if q.Not != "" {
		b := bleve.NewBooleanQuery()
		b.AddMust(all...)
		b.AddMustNot(said(q.Agent, func(field string) query.Query {
			t := bleve.NewTermQuery(q.Not)
			t.SetField(field)
			return t
		}))
		return b
	}
	if len(all) == 1 {
		return all[0]
	}
	return bleve.NewConjunctionQuery(all...)
}

// said returns a condition on the words of the agent, or of any speaker.
func said(agent bool, on func(field string) query.Query) query.Query {
	if agent {
		return on(bleveSpeakers[0])
	}
	return bleve.NewDisjunctionQuery(on(bleveSpeakers[0]), on(bleveSpeakers[1]))
}

func (e *bleveIndex) Delete(_ context.Context, number int) error {
	return e.index.Delete(bleveID(number))
}

func (e *bleveIndex) Memory(context.Context) (int64, error) { return ownMemory() }

func (e *bleveIndex) Close() error { return e.index.Close() }

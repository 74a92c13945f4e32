package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"parley/internal/index/columnar"
	"parley/internal/lab/bench"
	"parley/internal/lab/corpus"
	"parley/internal/query"
	"parley/internal/storage/store"
	"parley/internal/words/media"
)

// parley is Parley's index of calls on SQLite, as a server opens it.
type parley struct {
	bench.Generated
	calls  *corpus.Corpus
	stored *bench.Indexed  // nil: not yet
	pages  *columnar.Index // answers pages without totals
	totals *columnar.Index
}

func openParley(_ context.Context, s setup) (engine, error) {
	return &parley{calls: newCorpus(s.Words), Generated: bench.Generated{
		URL: "sqlite://" + filepath.Join(s.Dir, "parley.db"), Dir: s.Dir, Calls: s.Calls, Words: s.Words}}, nil
}

func (p *parley) Version(context.Context) (string, error) { return "this version", nil }

// Build writes the stored calls into segments. A server has stored them before, with the recordings.
func (p *parley) Build(ctx context.Context) (took, work time.Duration, err error) {
	if p.stored, err = p.Index(ctx, p.calls, bench.Analytic, func(string, int64, int64) {}); err != nil {
		return 0, 0, err
	}
	c := columnar.Config{Store: p.stored.DB, Codec: p.stored.Codec, Calls: p.stored.Segments, Timeout: time.Hour}
	c.Count = 1
	p.pages = columnar.New(c)
	c.Count = time.Hour
	p.totals = columnar.New(c)
	return p.stored.Index, p.stored.Work, nil
}

func (p *parley) Bytes(context.Context) (int64, error) { return p.Size("segment=*"), nil }

func (p *parley) Newest(ctx context.Context, q question, limit int) ([]int, error) {
	answer, err := p.ask(ctx, p.pages, fmt.Sprintf(`SELECT mediaId FROM media WHERE %s LIMIT %d`, p.text(q), limit))
	if err != nil {
		return nil, err
	}
	numbers := make([]int, len(answer.Rows))
	for i, row := range answer.Rows {
		numbers[i] = numberOf(p.calls, media.ID(row[0].(string)))
	}
	return numbers, nil
}

func (p *parley) Count(ctx context.Context, q question) (int, error) {
	answer, err := p.ask(ctx, p.totals, `SELECT count(*) FROM media WHERE `+p.text(q))
	if err != nil {
		return 0, err
	}
	return int(answer.Rows[0][0].(float64)), nil
}

func (p *parley) ask(ctx context.Context, x *columnar.Index, statement string) (*columnar.Answer, error) {
	s, err := query.Parse(statement, nil)
	if err != nil {
		return nil, err
	}
	return x.Ask(ctx, p.stored.Owner, s.Select, columnar.Page{})
}

// text returns the condition of a question.
func (p *parley) text(q question) string {
	says := `* SAYS "`
	if q.Agent {
		says = `agent SAYS "`
	}
	var all []string
	for _, words := range q.Phrases {
		all = append(all, says+strings.Join(words, " ")+`"`)
	}
	if q.Prefix != "" {
		all = append(all, says+q.Prefix+`*"`)
	}
	if q.Not != "" {
		all = append(all, `NOT `+says+q.Not+`"`)
	}
	if q.Above >= 0 {
		all = append(all, fmt.Sprintf(`metadata:score > %d`, q.Above))
	}
	return strings.Join(all, " AND ")
}

// Delete deletes the call with everything that the database has of it, not only from the index.
func (p *parley) Delete(ctx context.Context, number int) error {
	return p.stored.DB.Update(ctx, func(tx *store.Tx) error {
		_, err := tx.DeleteMedia(p.stored.Owner, p.calls.Call(number).ID)
		return err
	})
}

func (p *parley) Memory(context.Context) (int64, error) { return ownMemory() }

func (p *parley) Close() error {
	if p.stored == nil {
		return nil
	}
	return p.stored.Close()
}

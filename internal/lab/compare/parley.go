package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"parley/internal/index/callindex"
	"parley/internal/index/columnar"
	"parley/internal/lab/bench"
	"parley/internal/lab/corpus"
	"parley/internal/query"
	"parley/internal/storage/blob/disk"
	"parley/internal/storage/store"
	"parley/internal/words/account"
	"parley/internal/words/media"
)

// parley is Parley's index of calls on SQLite, as a server opens it.
type parley struct {
	bench.Generated
	calls    *corpus.Corpus
	db       *store.Store
	blobs    *disk.Store
	segments *callindex.Index
	closing  func() error
	pages    *columnar.Index // answers pages without totals
	totals   *columnar.Index
	owner    account.ID
}

func openParley(_ context.Context, s setup) (engine, error) {
	return &parley{calls: newCorpus(s.Words), closing: func() error { return nil }, Generated: bench.Generated{
		URL: "sqlite://" + filepath.Join(s.Dir, "parley.db"), Dir: s.Dir, Calls: s.Calls, Words: s.Words}}, nil
}

func (p *parley) Version(context.Context) (string, error) { return "this version", nil }

// Build writes the stored calls into segments. A server has stored them before, with the recordings.
func (p *parley) Build(ctx context.Context) (took, work time.Duration, err error) {
	db, codec, err := p.Open(ctx)
	if err != nil {
		return 0, 0, err
	}
	p.db = db
	if p.blobs, err = disk.Open(disk.Config{Dir: p.Dir}); err != nil {
		return 0, 0, err
	}
	if p.segments, p.closing, err = p.Segments(ctx, db, codec, p.blobs, "index"); err != nil {
		return 0, 0, err
	}
	p.owner, err = p.Store(ctx, db, codec, p.calls, bench.Analytic, func(string, int64, int64) {})
	if err != nil {
		return 0, 0, err
	}
	watch := startWatch()
	if err := p.segments.CaughtUp(ctx, func(int64) {}); err != nil {
		return 0, 0, err
	}
	took, work = watch.elapsed()
	c := columnar.Config{Store: db, Codec: codec, Calls: p.segments, Timeout: time.Hour}
	c.Count = 1
	p.pages = columnar.New(c)
	c.Count = time.Hour
	p.totals = columnar.New(c)
	return took, work, nil
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
	return x.Ask(ctx, p.owner, s.Select, columnar.Page{})
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
	return p.db.Update(ctx, func(tx *store.Tx) error {
		_, err := tx.DeleteMedia(p.owner, p.calls.Call(number).ID)
		return err
	})
}

func (p *parley) Memory(context.Context) (int64, error) { return ownMemory() }

func (p *parley) Close() (err error) {
	err = p.closing()
	if p.blobs != nil {
		err = errors.Join(err, p.blobs.Close())
	}
	if p.db != nil {
		err = errors.Join(err, p.db.Close())
	}
	return err
}

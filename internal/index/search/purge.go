package search

import (
	"context"
	"database/sql"
	"time"

	"parley/internal/storage/sqlrow"
)

// The words of a deleted or changed call must not stay in the files of the index: the next purge removes its entries
// from segments. A purge rewrites whole segments, so the indexer waits restTimes its duration before the next one.
const restTimes = 10

// tidy purges the generations, unless the last purge was too recent.
func (i *indexer) tidy(ctx context.Context) (bool, error) {
	began := time.Now()
	if began.Before(i.rests) {
		return false, nil
	}
	for _, name := range i.state.names() {
		g, err := i.generation(ctx, name)
		if err != nil {
			return false, err
		}
		if err := g.purge(ctx, i.with); err != nil {
			return false, err
		}
	}
	i.rests = time.Now().Add(restTimes * time.Since(began))
	return false, nil
}

// purge removes dead calls from the segments and from the write-ahead log. Like put, it is called only by the process
// with the lease, and never concurrently.
func (g *generation) purge(ctx context.Context, with database) error {
	g.using.RLock()
	defer g.using.RUnlock()
	if g.clean {
		return nil
	}
	some, err := g.withDead(ctx)
	if err != nil {
		return err
	}
	for _, s := range some {
		if err := g.rewrite(ctx, with, s); err != nil {
			return err
		}
	}
	g.clean, err = g.truncate(ctx)
	return err
}

// staleSegment is a segment with dead calls, and its account.
type staleSegment struct {
	account int64
	segment
}

func (g *generation) withDead(ctx context.Context) (some []staleSegment, err error) {
	err = g.read.Tx(ctx, nil, func(ctx context.Context, tx *sql.Tx) error {
		rows := sqlrow.Of(tx.QueryContext(ctx, `SELECT account, id, low, high, size FROM `+g.table("segment")+
			` WHERE id IN (SELECT segment FROM `+g.table("dead")+`)`))
		some, err = sqlrow.All(rows, func(row sqlrow.Row) (h staleSegment, err error) {
			err = row.Scan(&h.account, &h.id, &h.low, &h.high, &h.calls)
			return h, err
		})
		return err
	})
	return some, wrap("dead calls", err)
}

func (g *generation) rewrite(ctx context.Context, with database, h staleSegment) error {
	return g.update(ctx, with, func(w *writer) error {
		if err := w.rewrite(h.account, []segment{h.segment}); err != nil {
			return err
		}
		_, err := w.tx.ExecContext(w.ctx, `DELETE FROM `+g.table("account")+` WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM `+
			g.table("call")+` WHERE account = $1)`, h.account)
		return wrap("forget accounts", err)
	})
}

// truncate empties SQLite's write-ahead log, which holds earlier versions of pages. It returns false if a reader still
// needs the log.
func (g *generation) truncate(ctx context.Context) (bool, error) {
	if g.postgres {
		return true, nil
	}
	var busy, pages, moved int
	err := g.write.Row(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`, nil, &busy, &pages, &moved)
	return busy == 0, wrap("truncate", err)
}

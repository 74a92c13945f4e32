package store

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"parley/internal/storage/sqldb"
)

// Limits of a shared commit.
const (
	mostInBatch = 256
	batchTime   = 10 * time.Millisecond
	batchLimit  = 10 * time.Minute // for all of its transactions, which SQLite runs in this process
)

// group lets concurrent transactions share one commit, and thus one fsync. Each runs in a savepoint of a common
// transaction, in its caller's goroutine, one after another. The last one to leave, with no other caller waiting,
// commits for all; while it waits for the disk, the next batch forms. A single caller commits immediately.
type group struct {
	db      *sqldb.DB
	waiting atomic.Int64 // callers inside or about to enter
	mu      sync.Mutex   // held by the caller inside
	batch   *batch       // the open transaction, nil for none
}

// batch is one shared transaction.
type batch struct {
	ctx   context.Context
	tx    *sql.Tx
	over  func() // releases ctx
	size  int
	began time.Time
	done  chan struct{} // closed when the batch has ended
	err   error         // why it was not committed; valid after done
}

// update runs f in a shared transaction and returns when it is durable. An error of f undoes f only.
func (g *group) update(ctx context.Context, f func(*sql.Tx) error) error {
	b, err := g.join(ctx, f)
	if err != nil {
		return err
	}
	<-b.done
	return b.err
}

func (g *group) join(ctx context.Context, f func(*sql.Tx) error) (*batch, error) {
	g.waiting.Add(1)
	g.mu.Lock()
	defer g.leave() // even if f panics
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if g.batch == nil {
		whole, tx, over, err := g.db.Begin(sqldb.Patient(context.WithoutCancel(ctx), batchLimit))
		if err != nil {
			return nil, err
		}
		g.batch = &batch{ctx: whole, tx: tx, over: over, began: time.Now(), done: make(chan struct{})}
	}
	return g.batch, g.batch.run(f)
}

func (g *group) leave() {
	last := g.waiting.Add(-1) == 0
	if b := g.batch; b != nil && (last || b.err != nil || b.size >= mostInBatch || time.Since(b.began) >= batchTime) {
		b.end()
		g.batch = nil
	}
	g.mu.Unlock()
}

// run runs f in a savepoint, which is rolled back if f fails or panics.
func (b *batch) run(f func(*sql.Tx) error) (err error) {
	if _, err := b.tx.ExecContext(b.ctx, `SAVEPOINT one`); err != nil {
		return b.fail(err)
	}
	completed := false
	defer func() {
		if !completed {
			b.undo()
		}
	}()
	if err := f(b.tx); err != nil {
		return err
	}
	if _, err := b.tx.ExecContext(b.ctx, `RELEASE one`); err != nil {
		return b.fail(err)
	}
	completed = true
	b.size++
	return nil
}

// undo rolls back to the savepoint. That fails if SQLite has already rolled back the whole transaction (for example
// because the disk is full).
func (b *batch) undo() {
	if _, err := b.tx.ExecContext(b.ctx, `ROLLBACK TO one; RELEASE one`); err != nil {
		b.fail(err)
	}
}

// fail marks the whole batch as failed. The other transactions in it run again; the one that caused the failure gets
// the error.
func (b *batch) fail(err error) error {
	if b.err == nil {
		b.err = fmt.Errorf("%w: %w", errBatch, err)
	}
	return err
}

// end commits, or rolls back a failed batch, and wakes all its callers.
func (b *batch) end() {
	if b.err != nil || b.size == 0 {
		b.tx.Rollback()
	} else {
		b.err = b.tx.Commit()
	}
	b.over()
	close(b.done)
}

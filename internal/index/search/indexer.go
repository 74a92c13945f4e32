package search

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"github.com/google/uuid"

	"parley/internal/index/tokenfile"
	"parley/internal/storage/store"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

const (
	batchSize  = 1000                   // recordings per transaction
	idle       = 300 * time.Millisecond // polling interval for changes
	pauseError = 2 * time.Second        // after an error
	pauseLock  = 5 * time.Second        // between attempts to become the indexer
)

// Run keeps the index up to date until ctx ends. Of all processes that run it on one database, one does the work and
// the others wait for it to end. Run creates a new generation if there is none that this program can use.
func (x *Index) Run(ctx context.Context) {
	for ctx.Err() == nil {
		lease, err := x.engine.lock(ctx)
		switch {
		case err != nil:
			x.failed(ctx, err)
			sleep(ctx, pauseError)
		case lease == nil:
			x.Pulse.Beat() // another process is the indexer
			sleep(ctx, pauseLock)
		default:
			x.work(ctx, lease)
			lease.end()
		}
	}
}

func sleep(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}

func (x *Index) failed(ctx context.Context, err error) {
	if ctx.Err() == nil {
		x.Pulse.Fail(err)
		x.Log.LogAttrs(ctx, slog.LevelWarn, "the search index cannot be updated", slog.Any("error", err))
	}
}

// work indexes until ctx ends or an error occurs; the caller then acquires the lease again, since it may be lost.
func (x *Index) work(ctx context.Context, l *lease) {
	i := &indexer{Index: x, with: l.writer}
	if err := i.begin(ctx); err != nil {
		x.failed(ctx, err)
		sleep(ctx, pauseError)
		return
	}
	for ctx.Err() == nil {
		more, err := i.step(ctx)
		if err != nil {
			x.failed(ctx, err)
			sleep(ctx, pauseError)
			return
		}
		if l.renew != nil {
			if err := l.renew(ctx); err != nil {
				x.failed(ctx, err)
				return
			}
		}
		x.Pulse.Beat()
		if !more {
			sleep(ctx, idle)
		}
	}
}

// indexer is the only process that writes.
type indexer struct {
	*Index
	with  database
	state State
	rests time.Time // no purge before this time
}

// begin checks the present state. If the current generation has a different number of recordings than the database, for
// example after only the database was restored from a backup, it is rebuilt.
func (i *indexer) begin(ctx context.Context) error {
	status, err := i.Status(ctx)
	if err != nil {
		return err
	}
	i.state = status.State
	for _, name := range i.state.names() { // another process may have assigned word numbers
		if g, err := i.generation(ctx, name); err == nil {
			g.forget()
		}
	}
	if g, err := i.generation(ctx, i.state.Current); err == nil {
		n, err := g.count(ctx)
		if err == nil && (n > status.Recordings+status.Waiting || n < status.Recordings-status.Waiting) {
			i.Log.LogAttrs(ctx, slog.LevelWarn, "the search index belongs to another database and is rebuilt",
				slog.Int64("indexed", n), slog.Int64("recordings", status.Recordings))
			i.state.Current = ""
		}
	}
	return i.repair(ctx)
}

// step does a part of the work and reports whether there is more.
func (i *indexer) step(ctx context.Context) (more bool, err error) {
	for _, do := range []func(context.Context) (bool, error){i.asked, i.drain, i.build, i.tidy} {
		did, err := do(ctx)
		if damaged(err) || errors.Is(err, errAbsent) {
			i.Log.LogAttrs(ctx, slog.LevelWarn, "the search index is corrupt and is rebuilt",
				slog.Any("error", err))
			i.state.Current, i.state.Next, i.state.Cursor = "", "", ""
			return true, i.repair(ctx)
		}
		if err != nil {
			return false, err
		}
		more = more || did
	}
	return more, nil
}

// repair begins a new generation if none is usable, and removes unused ones.
func (i *indexer) repair(ctx context.Context) error {
	for _, name := range []*string{&i.state.Current, &i.state.Next} {
		if *name == "" {
			continue
		}
		if _, err := i.generation(ctx, *name); errors.Is(err, errAbsent) || damaged(err) {
			*name = ""
		} else if err != nil {
			return err
		}
	}
	if i.state.Current == "" && i.state.Next == "" {
		return i.renew(ctx)
	}
	return errors.Join(i.save(ctx), i.discard(ctx, i.state.names()...))
}

// renew begins a new generation.
func (i *indexer) renew(ctx context.Context) error {
	name := strings.ReplaceAll(uuid.NewString(), "-", "")[:12]
	if err := i.engine.create(ctx, name); err != nil {
		return err
	}
	i.state.Next, i.state.Cursor, i.state.Done = name, "", 0
	err := i.Store.Update(ctx, func(tx *store.Tx) (err error) {
		if i.state.Total, err = tx.CountSearchable(); err != nil {
			return err
		}
		return saveState(tx, i.state)
	})
	if err != nil {
		return err
	}
	return i.discard(ctx, i.state.names()...)
}

func (i *indexer) save(ctx context.Context) error {
	return i.Store.Update(ctx, func(tx *store.Tx) error { return saveState(tx, i.state) })
}

// asked handles a request to rebuild the index.
func (i *indexer) asked(ctx context.Context) (bool, error) {
	request, err := store.Read(ctx, i.Store, func(tx *store.Tx) ([]byte, error) { return tx.Setting(requestSetting) })
	if fault.Is(err, fault.NotFound) || err == nil && string(request) == i.state.Asked {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	i.state.Asked = string(request)
	return true, i.renew(ctx)
}

// drain applies changes.
func (i *indexer) drain(ctx context.Context) (bool, error) {
	var changes []store.Change
	var items []store.Indexable
	err := i.Store.View(ctx, func(tx *store.Tx) (err error) {
		if changes, err = tx.Changes("", batchSize); err != nil {
			return err
		}
		ids := make([]media.ID, len(changes))
		for n, c := range changes {
			ids[n] = c.Media
		}
		items, err = tx.Indexable(ids)
		return err
	})
	if err != nil || len(changes) == 0 {
		return false, err
	}
	entries := i.entries(ctx, items)
	there := map[media.ID]bool{}
	for _, e := range entries {
		there[e.media] = true
	}
	for _, c := range changes {
		if !there[c.Media] {
			entries = append(entries, entry{media: c.Media}) // deleted, or not searchable
		}
	}
	for _, name := range i.state.names() {
		if err := i.put(ctx, name, entries); err != nil {
			return false, err
		}
	}
	err = i.Store.Update(ctx, func(tx *store.Tx) error { return tx.TakenOver(changes) })
	return len(changes) == batchSize, err
}

func (i *indexer) put(ctx context.Context, name string, entries []entry) error {
	g, err := i.generation(ctx, name)
	if err != nil {
		return err
	}
	return g.put(ctx, i.with, entries)
}

// entries converts recordings to index entries.
func (i *indexer) entries(ctx context.Context, items []store.Indexable) []entry {
	entries := make([]entry, len(items))
	for n, item := range items {
		entries[n] = entry{item.Media, item.Account, func() *tokenfile.Source {
			source, err := i.source(ctx, item)
			if err != nil { // an unreadable item has no words; it must not block the others
				i.unreadable(ctx, err)
				source = &tokenfile.Source{}
			}
			return source
		}}
	}
	return entries
}

// build adds a batch of existing recordings to the generation under construction, newest first.
func (i *indexer) build(ctx context.Context) (bool, error) {
	if i.state.Next == "" {
		return false, nil
	}
	var ids []media.ID
	var items []store.Indexable
	err := i.Store.View(ctx, func(tx *store.Tx) (err error) {
		if ids, err = tx.SearchableMedia(i.state.Cursor, batchSize); err != nil {
			return err
		}
		// Recordings that are present were added as changes, and later changes follow the same way.
		missing, err := i.missing(ctx, ids)
		if err == nil {
			items, err = tx.Indexable(missing)
		}
		return err
	})
	if err != nil {
		return false, err
	}
	entries := i.entries(ctx, items)
	if err := i.put(ctx, i.state.Next, entries); err != nil {
		return false, err
	}
	if len(ids) == batchSize {
		i.state.Cursor = ids[len(ids)-1]
		i.state.Done += int64(len(ids))
		return true, i.save(ctx)
	}
	i.state = State{Format: format, Current: i.state.Next, Asked: i.state.Asked}
	if err := i.save(ctx); err != nil {
		return false, err
	}
	return false, i.discard(ctx, i.state.Current)
}

// missing returns which of the given recordings are not in the generation under construction.
func (i *indexer) missing(ctx context.Context, ids []media.ID) (missing []media.ID, err error) {
	g, err := i.generation(ctx, i.state.Next)
	if err != nil {
		return nil, err
	}
	there, err := g.there(ctx, ids)
	for _, id := range ids {
		if !there[id] {
			missing = append(missing, id)
		}
	}
	return missing, err
}

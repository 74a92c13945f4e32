package search

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"parley/internal/host/fair"
	"parley/internal/index/search/fulltext"
	"parley/internal/index/tokenfile"
	"parley/internal/storage/store"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

const (
	// patience bounds how long one query may evaluate recordings that the index lacks.
	patience = 20 * time.Second
	// listedFirst is the number of recordings matching the other conditions that are evaluated before the index is
	// used: a condition such as externalId leaves few.
	listedFirst = 1000
	// mostChanges bounds the pending changes that a query holds in memory; with more, it does not use the index.
	mostChanges = 100_000
	// longest is the time limit of a query.
	longest = 30 * time.Second
)

// queries bounds concurrent queries, each of which holds a connection to the database and one to the index. Half of the
// connections are left for other work.
var queries = fair.Limits{All: 4, Each: 2, Queue: 100}

var errTooLong = errors.New("search: the query timed out")

// Search returns the recordings of an account that match a query and a filter, in the filter's order, up to its limit.
// It sees all recordings as of one snapshot of the database. Unavailable if the index is being built and the query
// would take too long without it, Exhausted if too many queries of the account are waiting.
func (x *Index) Search(
	ctx context.Context, a account.ID, q *fulltext.Query, f store.MediaFilter,
) (found []media.Media, err error) {
	if f.Limit <= 0 {
		f.Limit = 100
	}
	f.Searchable = true
	leave, err := x.room.Enter(ctx, string(a))
	if errors.Is(err, fair.ErrFull) {
		return nil, fault.New(fault.Exhausted, fault.CodeConcurrent,
			"the account has %d queries running and %d waiting, which is the limit; send the next one when one of "+
				"them is answered", queries.Each, queries.Queue)
	}
	if err != nil {
		return nil, err
	}
	defer leave()
	ctx, cancel := context.WithTimeoutCause(ctx, longest, errTooLong)
	defer cancel()
	err = fair.Work(fair.With(ctx, x.Processors, string(a)), func(yield func() error) error {
		return x.Store.View(ctx, func(tx *store.Tx) error {
			s := &search{x: x, ctx: ctx, tx: tx, account: a, query: q, filter: f, began: time.Now(), yield: yield}
			// Take the database snapshot first: everything that is not pending in it is then in the index.
			if err := s.prepare(); err != nil {
				return err
			}
			found, err = s.run()
			return err
		})
	})
	if err != nil && context.Cause(ctx) == errTooLong {
		err = fault.New(fault.Invalid, fault.CodeQueryLimit,
			"the query took longer than %s and was stopped; search for rarer words, or restrict the dates", longest)
	}
	return found, err
}

// search is one query in progress.
type search struct {
	x       *Index
	ctx     context.Context
	tx      *store.Tx
	account account.ID
	query   *fulltext.Query
	filter  store.MediaFilter
	began   time.Time
	yield   func() error // called frequently; returns the error that ends the query
	state   State

	index   *snapshot         // nil: no usable index
	program *fulltext.Program // compiled with the words of the index
	horizon media.ID          // the index has the recordings that are not older
	waiting []media.ID        // recordings that the index lacks or has in an old version, sorted
	file    tokenfile.File
	last    media.ID // see listed
}

// prepare reads the state of the index.
func (s *search) prepare() error {
	state, err := loadState(s.tx)
	if err != nil {
		return err
	}
	changes, err := s.tx.Changes(s.account, mostChanges+1)
	if err != nil {
		return err
	}
	s.waiting = make([]media.ID, len(changes))
	for i, c := range changes {
		s.waiting[i] = c.Media
	}
	s.state = state
	return nil
}

// run answers with the index, or without it if that fails.
func (s *search) run() ([]media.Media, error) {
	name, horizon := s.state.use()
	if name == "" || len(s.waiting) > mostChanges {
		return s.listed(s.filter, 0)
	}
	g, err := s.x.generation(s.ctx, name)
	if err == nil {
		var found []media.Media
		err = g.view(s.ctx, string(s.account), func(index *snapshot) (err error) {
			s.index, s.horizon = index, horizon
			if s.program, err = s.query.Compile(index); err != nil {
				return err
			}
			found, err = s.indexed()
			return err
		})
		if err == nil {
			return found, nil
		}
	}
	if _, ok := errors.AsType[*fault.Error](err); ok || s.ctx.Err() != nil {
		return nil, err
	}
	s.x.Log.LogAttrs(s.ctx, slog.LevelWarn, "the query runs without the search index", slog.Any("error", err))
	s.index = nil
	return s.listed(s.filter, 0)
}

// indexed answers with the available index.
func (s *search) indexed() ([]media.Media, error) {
	f := s.filter
	var found []media.Media
	if f.Status != "" || f.ExternalID != "" || len(f.Fields) > 0 {
		var err error
		if found, err = s.listed(f, s.x.listedFirst); err != nil || s.last == "" {
			return found, err
		}
		f = behind(f, s.last)
		if f.Limit -= len(found); f.Limit <= 0 {
			return found, nil
		}
	}
	rest, err := s.merged(f)
	return append(found, rest...), err
}

// behind restricts a filter to items after the given one in its order.
func behind(f store.MediaFilter, id media.ID) store.MediaFilter {
	if f.Ascending {
		f.After = id
	} else {
		f.Before = id
	}
	return f
}

// listed lists the recordings that pass the filter and evaluates them one by one: at most `most` of them, or all if it
// is 0. If it stops early, s.last is the last one evaluated.
func (s *search) listed(f store.MediaFilter, most int) (found []media.Media, err error) {
	limit := f.Limit
	s.last = ""
	for judged := 0; ; {
		f.Limit = 250
		items, err := s.tx.ListMedia(s.account, f)
		if err != nil {
			return nil, err
		}
		matching, err := s.judge(items)
		if err != nil {
			return nil, err
		}
		found = append(found, matching...)
		if len(found) >= limit {
			return found[:limit], nil
		}
		if len(items) < f.Limit {
			return found, nil
		}
		f = behind(f, items[len(items)-1].ID)
		if judged += len(items); most > 0 && judged >= most {
			s.last = items[len(items)-1].ID
			return found, nil
		}
	}
}

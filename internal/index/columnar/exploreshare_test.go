package columnar_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"parley/internal/host/fair"
	"parley/internal/host/memory"
	"parley/internal/index/columnar"
	"parley/internal/lab/corpus"
	"parley/internal/query"
	"parley/internal/testkit/storetest"
	"parley/internal/words/account"
	"parley/internal/words/fault"
)

// everything asks for all parts of an exploration.
func everything(c query.Condition) columnar.Exploration {
	return columnar.Exploration{Condition: c, Rows: 10, Counts: true, Values: 5,
		Facets:    []query.Field{{Space: query.Metadata, Path: []string{"team"}}},
		Histogram: &columnar.Scale{Zone: time.UTC}}
}

func TestExpensiveExplorationsOfOneAccountHoldUpNoOther(t *testing.T) {
	s, _, small, refused := busyShop(t, func(ctx context.Context, x *columnar.Index, a account.ID) error {
		_, err := x.Explore(ctx, a, everything(parse(t, expensive).Where))
		return err
	})
	if !fault.Is(refused, fault.Exhausted) || fault.ProblemsOf(refused)[0].Code != fault.CodeConcurrent {
		t.Errorf("what is too much ends with %v", refused)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if found, err := s.index.Explore(ctx, small, everything(nil)); err != nil || found.Total != 2 || len(found.Rows) != 2 {
		t.Errorf("%+v, %v", found, err)
	}
	if words, _, err := s.index.Words(ctx, small, "t", 5); err != nil || len(words) == 0 {
		t.Errorf("%v, %v", words, err)
	}
	if all, err := s.index.Distributions(ctx, small, nil); err != nil || all.Calls != 2 {
		t.Errorf("%+v, %v", all, err)
	}
}

func TestAnExplorationEndsWithItsContextAndItsTime(t *testing.T) {
	db := storetest.SQLite(t)
	s := open(t, db)
	a := storetest.Account(t, db, "a").ID
	c := corpus.New(corpus.Config{Words: 30})
	for n := range 100 {
		s.publish(a, c.Call(n), true, 0)
	}
	where := parse(t, `NOT (* SAYS "`+c.Word(3)+`")`).Where
	asks := map[string]func(ctx context.Context) error{
		"explore": func(ctx context.Context) error {
			_, err := s.index.Explore(ctx, a, everything(where))
			return err
		},
		"words": func(ctx context.Context) error {
			_, _, err := s.index.Words(ctx, a, "", 5)
			return err
		},
		"values": func(ctx context.Context) error {
			_, _, err := s.index.FieldValues(ctx, a, query.Field{Space: query.Metadata, Path: []string{"team"}}, "", 5)
			return err
		},
		"distributions": func(ctx context.Context) error {
			_, err := s.index.Distributions(ctx, a, where)
			return err
		},
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for name, ask := range asks {
		if err := ask(gone); err != context.Canceled {
			t.Errorf("%s, a client that has left: %v", name, err)
		}
	}
	s.index.Timeout = 1
	for name, ask := range asks {
		if err := ask(t.Context()); !fault.Is(err, fault.Invalid) || fault.ProblemsOf(err)[0].Code != fault.CodeQueryLimit {
			t.Errorf("%s, out of time: %v", name, err)
		}
	}
}

// limit is a meter with a number of free bytes.
type limit struct{ free, held int64 }

var errFull = errors.New("no memory left")

func (l *limit) Take(bytes int64) error {
	if l.held+bytes > l.free {
		return errFull
	}
	l.held += bytes
	return nil
}

func (l *limit) Give(bytes int64) { l.held -= bytes }

// Values and words that are counted take memory of the request; afterwards it holds what it shows.
func TestExplorationsTakeTheMemoryOfTheirRequest(t *testing.T) {
	db := storetest.SQLite(t)
	s := open(t, db)
	a := storetest.Account(t, db, "a").ID
	c := corpus.New(corpus.Config{Words: 30})
	for n := range 100 {
		s.publish(a, c.Call(n), true, 0)
	}
	s.index.Calls.Processors = fair.NewProcessors(1) // one goroutine takes at a time
	titles := everything(nil)
	titles.Facets = []query.Field{{Space: query.Media, Path: []string{"title"}}}
	for name, ask := range map[string]func(ctx context.Context) error{
		"explore": func(ctx context.Context) error {
			_, err := s.index.Explore(ctx, a, titles)
			return err
		},
		"words": func(ctx context.Context) error {
			_, _, err := s.index.Words(ctx, a, "", 5)
			return err
		},
		"values": func(ctx context.Context) error {
			_, _, err := s.index.FieldValues(ctx, a, titles.Facets[0], "", 5)
			return err
		},
	} {
		if err := ask(memory.With(t.Context(), &limit{free: 10_000})); !errors.Is(err, errFull) {
			t.Errorf("%s with little memory: %v", name, err)
		}
		enough := &limit{free: 1 << 20}
		if err := ask(memory.With(t.Context(), enough)); err != nil || enough.held > 60_000 {
			t.Errorf("%s holds %d bytes: %v", name, enough.held, err)
		}
	}
}

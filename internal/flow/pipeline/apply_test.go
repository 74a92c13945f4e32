package pipeline

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"strings"
	"testing"
	"time"

	"parley/internal/call/codec"
	"parley/internal/call/plan"
	"parley/internal/call/result"
	"parley/internal/storage/job"
	"parley/internal/storage/store"
	"parley/internal/testkit/storetest"
	"parley/internal/words/account"
	"parley/internal/words/media"
	"parley/internal/words/transcript"
)

// applied is a database with published calls, half of them with the word yes, and a category to apply.
type applied struct {
	t     *testing.T
	p     *Pipeline
	owner account.ID
	ids   []media.ID
	apply store.Apply
}

func newApplied(t *testing.T, db *store.Store, calls int) *applied {
	t.Helper()
	codec, err := codec.New()
	if err != nil {
		t.Fatal(err)
	}
	a := &applied{t: t, p: &Pipeline{Store: db, Codec: codec, Log: slog.New(slog.DiscardHandler)},
		owner: storetest.Account(t, db, "a").ID}
	for n := range calls {
		m := storetest.Media(t, db, a.owner)
		a.ids = append(a.ids, m.ID)
		a.publish(m.ID, []string{"yes", "no"}[n%2])
	}
	a.apply, err = BeginApply(t.Context(), db, a.owner, "c", `* SAYS "yes"`)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func (a *applied) publish(id media.ID, word string) {
	a.t.Helper()
	open := &result.Open{Transcript: &transcript.Transcript{Speakers: []transcript.Speaker{{Name: "A"}},
		Words: []transcript.Word{{Text: word, End: time.Second}}, Length: time.Second}}
	storetest.Update(a.t, a.p.Store, func(tx *store.Tx) error {
		if err := tx.PutResult(id, store.Result{Version: 1, Result: a.p.Codec.EncodeResult(open)}); err != nil {
			return err
		}
		return tx.PutAnalytic(a.owner, id, false)
	})
}

// claim claims the job.
func (a *applied) claim() job.Job {
	a.t.Helper()
	jobs, err := a.p.Store.Queue().Claim(a.t.Context(), job.Claims{Worker: "w", Kinds: []string{KindApply}, Most: 1})
	if err != nil || len(jobs) != 1 {
		a.t.Fatal(jobs, err)
	}
	return jobs[0]
}

// check checks that every item has the category once if its words match, and not otherwise.
func (a *applied) check(words map[media.ID]string) {
	a.t.Helper()
	err := a.p.Store.View(a.t.Context(), func(tx *store.Tx) error {
		for n, id := range a.ids {
			kept, err := tx.Result(a.owner, id)
			if err != nil {
				return err
			}
			open, err := a.p.Codec.DecodeResult(kept.Result)
			if err != nil {
				return err
			}
			want := n%2 == 0
			if word, changed := words[id]; changed {
				want = word == "yes"
			}
			if len(open.Categories) != 1 || open.Categories[0].Matched != want {
				a.t.Errorf("item %d: %+v, want %v", n, open.Categories, want)
			}
		}
		last, err := tx.LastApply(a.owner, "c")
		if last.Status != store.ApplyFinished || last.Done != int64(len(a.ids)) || last.Finished.IsZero() {
			a.t.Errorf("%+v", last)
		}
		return err
	})
	if err != nil {
		a.t.Fatal(err)
	}
}

// TestAnotherWorkerGoesOnWhereApplyingACategoryWasInterrupted stops the first worker after its first batch, by taking
// its lease away.
func TestAnotherWorkerGoesOnWhereApplyingACategoryWasInterrupted(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.Store) {
		a := newApplied(t, db, 2*together+5)
		first := a.claim()
		apply, err := a.p.beginApply(t.Context(), first)
		if err != nil {
			t.Fatal(err)
		}
		program, err := (&Analyst{}).compile(apply.Condition)
		if err != nil {
			t.Fatal(err)
		}
		place, err := a.p.applySome(t.Context(), first, apply, program, "")
		if err != nil || place != a.ids[together-1] {
			t.Fatal(place, err)
		}
		if _, err := db.Queue().VoidLeases(t.Context()); err != nil {
			t.Fatal(err)
		}
		second := a.claim()
		if _, err := a.p.applySome(t.Context(), first, apply, program, place); !errors.Is(err, job.ErrLost) {
			t.Errorf("the first worker goes on: %v", err)
		}
		if err := a.p.Apply(t.Context(), first); !errors.Is(err, job.ErrLost) {
			t.Errorf("the first worker begins again: %v", err)
		}
		if err := a.p.Apply(t.Context(), second); err != nil {
			t.Fatal(err)
		}
		a.check(nil)
		if _, err := BeginApply(t.Context(), db, a.owner, "c", "*"); err != nil {
			t.Errorf("once more: %v", err)
		}
	})
}

// A category that is applied to many calls must not make the index of calls refuse questions.
func TestApplyingACategoryWaitsForTheIndexOfCalls(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.Store) {
		a := newApplied(t, db, together+10)
		a.p.lag = lag{together, 0}
		indexed := func() {
			t.Helper()
			storetest.Update(t, db, func(tx *store.Tx) error {
				x, err := tx.CallIndex(a.owner, store.CallIndex{}, len(a.ids))
				if err != nil {
					return err
				}
				c := store.SegmentChange{Account: a.owner, Version: x.Version, Indexed: x.Waiting}
				for _, s := range x.Segments {
					r := store.Renewal{Segment: s.ID}
					for _, call := range x.Touched {
						r.Calls = append(r.Calls, call.Revision)
					}
					c.Renewed = append(c.Renewed, r)
				}
				if len(x.Segments) == 0 {
					c.Added = []store.Segment{{ID: "s", Account: a.owner}}
				}
				_, err = tx.ChangeSegments(c)
				return err
			})
		}
		j := a.claim()
		for turn, done := range []int64{0, together, together + 10} {
			if err := a.p.Apply(t.Context(), j); err != nil {
				t.Fatal(err)
			}
			last, err := store.Read(t.Context(), db, func(tx *store.Tx) (store.Apply, error) { return tx.LastApply(a.owner, "c") })
			if err != nil || last.Done != done {
				t.Fatalf("turn %d: %+v, %v; want %d done", turn, last, err, done)
			}
			if turn < 2 {
				indexed()
				j = a.claim()
			}
		}
		a.check(nil)
	})
}

// Calls whose category stays as it is keep their results, and need not be indexed again.
func TestApplyingACategoryTwiceChangesNothing(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.Store) {
		a := newApplied(t, db, 3)
		changes := func() map[media.ID]int64 {
			t.Helper()
			all, err := store.Read(t.Context(), db, func(tx *store.Tx) (map[media.ID]int64, error) {
				return tx.Revisions(a.owner, a.ids)
			})
			if err != nil {
				t.Fatal(err)
			}
			return all
		}
		published := changes()
		if err := a.p.Apply(t.Context(), a.claim()); err != nil {
			t.Fatal(err)
		}
		applied := changes()
		if _, err := BeginApply(t.Context(), db, a.owner, "c", a.apply.Condition); err != nil {
			t.Fatal(err)
		}
		if err := a.p.Apply(t.Context(), a.claim()); err != nil {
			t.Fatal(err)
		}
		if again := changes(); !maps.Equal(again, applied) || maps.Equal(applied, published) {
			t.Errorf("published %v, applied %v, applied again %v", published, applied, again)
		}
		a.check(nil)
	})
}

func TestWhatChangesMeanwhileIsJudgedAsItIsThen(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.Store) {
		a := newApplied(t, db, 3)
		j := a.claim()
		read := store.AnalyticItem{Media: a.ids[0], Change: 1}
		a.publish(a.ids[0], "no")
		storetest.Update(t, db, func(tx *store.Tx) error {
			replaced, err := tx.ReplaceResult(a.owner, read, []byte("stale"))
			if replaced {
				t.Error("a result was replaced that is not the one that was read")
			}
			return err
		})
		if _, err := BeginApply(t.Context(), db, a.owner, "c", "*"); err == nil {
			t.Error("a category is applied twice at a time")
		}
		if err := a.p.Apply(t.Context(), j); err != nil {
			t.Fatal(err)
		}
		a.check(map[media.ID]string{a.ids[0]: "no"})
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := BeginApply(gone, db, a.owner, "c", "*"); err == nil {
			t.Error("asked for with a context that has ended")
		}
	})
}

// expiring is a context that ends after the first call of Err.
type expiring struct {
	context.Context
	asked int
}

func (e *expiring) Err() error {
	if e.asked++; e.asked > 1 {
		return context.Canceled
	}
	return nil
}

// TestAWorkerThatEndsStopsJudgingWithinACall evaluates one call with an expensive condition.
func TestAWorkerThatEndsStopsJudgingWithinACall(t *testing.T) {
	codec, err := codec.New()
	if err != nil {
		t.Fatal(err)
	}
	long := &transcript.Transcript{Speakers: []transcript.Speaker{{Name: "A"}, {Name: "B"}}, Length: 3 * time.Hour}
	for n := range 30_000 {
		long.Words = append(long.Words,
			transcript.Word{Text: "a", Start: time.Duration(n) * time.Second / 3,
				End: time.Duration(n+1) * time.Second / 3})
	}
	condition := `* SAYS ("` + strings.Repeat("a ", 40) + `" || "` + strings.Repeat("* a ", 20) + `")`
	program, err := (&Analyst{}).compile(condition)
	if err != nil {
		t.Fatal(err)
	}
	p := &Pipeline{Codec: codec, Log: slog.New(slog.DiscardHandler)}
	item := &store.Analytic{Result: codec.EncodeResult(&result.Open{Transcript: long})}
	if _, err := p.judgeOne(&expiring{Context: t.Context()}, "c", program, item); !errors.Is(err, context.Canceled) {
		t.Errorf("applying a category: %v", err)
	}
	asked := &plan.Plan{Categories: []plan.Category{{Name: "c", Query: condition}}}
	if _, _, err := (&Analyst{}).Categorize(&expiring{Context: t.Context()}, &media.Media{}, long, result.Findings{},
		asked); !errors.Is(err, context.Canceled) {
		t.Errorf("the categories of a plan: %v", err)
	}
}

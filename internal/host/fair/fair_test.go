package fair_test

import (
	"cmp"
	"context"
	"errors"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"parley/internal/host/fair"
)

// enter requests admission in the background and returns a channel that receives the leave function on admission.
func enter(t *testing.T, r *fair.Room, account string) <-chan func() {
	admitted := make(chan func(), 1)
	go func() {
		leave, err := r.Enter(t.Context(), account)
		if err == nil {
			admitted <- leave
		}
	}()
	synctest.Wait()
	return admitted
}

// runs reports how many were admitted.
func runs(all []<-chan func()) (n int) {
	synctest.Wait()
	for _, one := range all {
		n += len(one)
	}
	return n
}

func TestThereIsRoomForAnotherAccountWhateverOneAsksFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := fair.NewRoom(fair.Limits{All: 8, Each: 4, Queue: 5000})
		ask := func(account string, n int) (all []<-chan func()) {
			for range n {
				all = append(all, enter(t, r, account))
			}
			return all
		}
		for _, account := range []struct {
			name string
			want int
		}{{"a", 4}, {"b", 2}, {"c", 1}} {
			if got := runs(ask(account.name, 50)); got != account.want {
				t.Errorf("of %s %d run, want %d", account.name, got, account.want)
			}
		}
		if got := runs(ask("small", 1)); got != 1 {
			t.Error("there is no room for a fourth account")
		}
	})
}

func TestRoomGoesToTheAccountsInTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := fair.NewRoom(fair.Limits{All: 1, Each: 1, Queue: 10})
		first := <-enter(t, r, "a")
		flood := []<-chan func(){enter(t, r, "a"), enter(t, r, "a")}
		small := enter(t, r, "b")
		first()
		leave := <-small
		if runs(flood) != 0 {
			t.Fatal("two run at once")
		}
		leave()
		leave() // a second call does nothing
		if runs(flood) != 1 || len(flood[0]) != 1 {
			t.Errorf("of the flood %d run", runs(flood))
		}
	})
}

func TestMoreThanTheQueueHoldsIsRefusedAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := fair.NewRoom(fair.Limits{All: 2, Each: 1, Queue: 3})
		for range 4 {
			enter(t, r, "a")
		}
		if _, err := r.Enter(t.Context(), "a"); !errors.Is(err, fair.ErrFull) {
			t.Errorf("a fifth: %v", err)
		}
		if len(enter(t, r, "b")) != 1 {
			t.Error("another account has to wait")
		}
	})
}

func TestWhoeverStopsWaitingLeavesNothingBehind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := fair.NewRoom(fair.Limits{All: 1, Each: 1, Queue: 1})
		leave := <-enter(t, r, "a")
		gone := errors.New("gone")
		ctx, cancel := context.WithCancelCause(t.Context())
		refused := make(chan error)
		go func() { _, err := r.Enter(ctx, "a"); refused <- err }()
		synctest.Wait()
		cancel(gone)
		if err := <-refused; !errors.Is(err, gone) {
			t.Error(err)
		}
		next := enter(t, r, "a") // there is room in the queue again
		leave()
		if runs([]<-chan func(){next}) != 1 {
			t.Error("the next one has no room")
		}
	})
}

// Under random load, no limit is exceeded, and everything is free in the end.
func TestRoomNeverHasMoreThanItsLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limits := fair.Limits{All: rapid.IntRange(1, 6).Draw(t, "all"), Each: rapid.IntRange(1, 4).Draw(t, "each"),
			Queue: 100}
		r := fair.NewRoom(limits)
		var mu sync.Mutex
		running, total := map[string]int{}, 0
		var all sync.WaitGroup
		for n := range rapid.IntRange(1, 30).Draw(t, "n") {
			account := strconv.Itoa(n % 3)
			all.Go(func() {
				leave, err := r.Enter(context.Background(), account)
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				running[account]++
				total++
				if total > limits.All || running[account] > limits.Each {
					t.Errorf("%d run, of one account %d", total, running[account])
				}
				running[account]--
				total--
				mu.Unlock()
				leave()
			})
		}
		all.Wait()
	})
}

// work holds a place for a duration and calls Yield every millisecond.
func work(
	ctx context.Context, p *fair.Processors, account string, takes time.Duration,
) (spent time.Duration, err error) {
	place, err := p.Take(ctx, account)
	if err != nil {
		return 0, err
	}
	defer place.Give()
	for spent < takes {
		time.Sleep(time.Millisecond)
		spent += time.Millisecond
		if err := cmp.Or(place.Yield(ctx), context.Cause(ctx)); err != nil {
			return spent, err
		}
	}
	return spent, nil
}

// flood runs the given number of busy goroutines for an account until end is called.
func flood(t *testing.T, p *fair.Processors, account string, n int) (end func()) {
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	for range n {
		all.Go(func() { work(ctx, p, account, time.Hour) })
	}
	return func() { cancel(); all.Wait() }
}

func TestSmallWorkOfAnotherAccountWaitsForASliceAtMost(t *testing.T) {
	for _, processors := range []int{1, 2, 16} {
		synctest.Test(t, func(t *testing.T) {
			p := fair.NewProcessors(processors)
			defer flood(t, p, "flood", 200)()
			for range 10 {
				time.Sleep(100 * time.Millisecond)
				began := time.Now()
				if _, err := work(t.Context(), p, "small", 20*time.Millisecond); err != nil {
					t.Fatal(err)
				}
				if took := time.Since(began); took > 20*time.Millisecond+2*fair.Slice {
					t.Fatalf("with %d processors 20 ms of work took %v", processors, took)
				}
			}
		})
	}
}

func TestAccountsThatWantAllHaveAlikeWhateverTheyStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		p := fair.NewProcessors(2)
		var mu sync.Mutex
		used := map[string]time.Duration{}
		var all sync.WaitGroup
		for account, n := range map[string]int{"one": 2, "many": 50} {
			for range n {
				all.Go(func() {
					spent, _ := work(ctx, p, account, time.Hour)
					mu.Lock()
					used[account] += spent
					mu.Unlock()
				})
			}
		}
		all.Wait()
		if total := used["one"] + used["many"]; total < 19*time.Second {
			t.Errorf("of 20 s %v were used", total)
		}
		if used["one"] < 9*time.Second || used["many"] < 9*time.Second {
			t.Errorf("used: %v", used)
		}
	})
}

func TestAnAccountHasAllProcessorsWhileNobodyElseWantsOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := fair.NewProcessors(4)
		began := time.Now()
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() { work(t.Context(), p, "a", time.Second) })
		}
		all.Wait()
		if took := time.Since(began); took > 2100*time.Millisecond {
			t.Errorf("8 s of work on 4 processors took %v", took)
		}
	})
}

// An account that was idle for a long time is not compensated for unused time.
func TestTimeThatWasNotUsedIsNotMadeUpFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := fair.NewProcessors(1)
		defer flood(t, p, "old", 1)()
		time.Sleep(time.Minute)
		began := time.Now()
		if _, err := work(t.Context(), p, "new", time.Second); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took < 1800*time.Millisecond || took > 2100*time.Millisecond {
			t.Errorf("a second of half a processor took %v", took)
		}
	})
}

func TestWorkThatEndsWhileItWaitsHoldsNoPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := fair.NewProcessors(1)
		ended := errors.New("ended")
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, ended)
		defer cancel()
		var all sync.WaitGroup
		for n := range 20 {
			all.Go(func() {
				if _, err := work(ctx, p, strconv.Itoa(n%3), time.Hour); !errors.Is(err, ended) {
					t.Error(err)
				}
			})
		}
		all.Wait()
		began := time.Now()
		if _, err := work(t.Context(), p, "next", time.Millisecond); err != nil ||
			time.Since(began) > 2*time.Millisecond {
			t.Errorf("the next has to wait %v: %v", time.Since(began), err)
		}
	})
}

// Time that an account used while no other account wanted a processor does not count against it later.
func TestTimeThatNobodyElseWantedIsNotHeldAgainstAnAccount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := fair.NewProcessors(1)
		work(t.Context(), p, "old", time.Minute)
		defer flood(t, p, "new", 3)()
		time.Sleep(time.Second)
		began := time.Now()
		work(t.Context(), p, "old", 500*time.Millisecond)
		if took := time.Since(began); took > 1100*time.Millisecond {
			t.Errorf("half a second of half a processor took %v", took)
		}
	})
}

// Thousands of accounts share as fairly as a few, and idle ones are forgotten.
func TestThousandsOfAccountsShareOneProcessor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := fair.NewProcessors(1)
		began := time.Now()
		var all sync.WaitGroup
		for n := range 2000 {
			all.Go(func() { work(t.Context(), p, strconv.Itoa(n), time.Millisecond) })
		}
		all.Wait()
		if took := time.Since(began); took > 2010*time.Millisecond {
			t.Errorf("2 s of work took %v", took)
		}
	})
}

func TestWhatIsKeptFreeIsForOtherAccounts(t *testing.T) {
	for keep, want := range map[fair.Keep][3]int{fair.Half: {2, 1, 0}, fair.Last: {2, 1, 0}, fair.Nothing: {3, 0, 0}} {
		synctest.Test(t, func(t *testing.T) {
			limits := fair.Limits{All: 3, Each: 3, Queue: 10, Keep: keep}
			r := fair.NewRoom(limits)
			for i, account := range []string{"a", "b", "c"} {
				var all []<-chan func()
				for range 5 {
					all = append(all, enter(t, r, account))
				}
				if got := runs(all); got != want[i] {
					t.Errorf("keep %d: of %s %d run, want %d", keep, account, got, want[i])
				}
			}
		})
	}
}

// whole holds a place for a duration without yielding.
func whole(ctx context.Context, p *fair.Processors, account string, takes time.Duration) error {
	place, err := p.Take(ctx, account)
	if err != nil {
		return err
	}
	defer place.Give()
	time.Sleep(takes)
	return nil
}

// However long a slice lasts, other accounts wait for at most two.
func TestASliceThatDoesNotEndHoldsUpNoOtherAccount(t *testing.T) {
	for _, processors := range []int{1, 2, 16} {
		synctest.Test(t, func(t *testing.T) {
			p := fair.NewProcessors(processors)
			var all sync.WaitGroup
			for range 10 * processors {
				all.Go(func() { whole(t.Context(), p, "huge", 10*time.Second) })
			}
			for n := range 20 {
				time.Sleep(time.Duration(n) * 13 * time.Millisecond)
				for _, kind := range []func() error{
					func() error { return whole(t.Context(), p, "small", 20*time.Millisecond) },
					func() error { _, err := work(t.Context(), p, "another", 20*time.Millisecond); return err },
				} {
					began := time.Now()
					if err := kind(); err != nil {
						t.Fatal(err)
					}
					if took := time.Since(began); took > 20*time.Millisecond+3*fair.Slice {
						t.Fatalf("with %d processors 20 ms of work took %v", processors, took)
					}
				}
			}
			all.Wait()
		})
	}
}

// Loans are repaid: an account with long slices gets no more processor time than before, and accounts with short slices
// share equally.
func TestALentPlaceIsPaidBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := fair.NewProcessors(2)
		var running, most atomic.Int64
		huge := func() {
			place, err := p.Take(t.Context(), "huge")
			if err != nil {
				return
			}
			defer place.Give()
			most.Store(max(most.Load(), running.Add(1)))
			defer running.Add(-1)
			time.Sleep(100 * time.Millisecond)
		}
		var all sync.WaitGroup
		for range 20 {
			all.Go(huge)
		}
		for range 50 {
			whole(t.Context(), p, "small", 7*time.Millisecond)
			time.Sleep(3 * time.Millisecond)
		}
		all.Wait()
		if most.Load() > 2 {
			t.Errorf("%d ran at once of the account whose slices last too long", most.Load())
		}
		began := time.Now()
		for range 4 {
			all.Go(func() { work(t.Context(), p, "next", 100*time.Millisecond) })
		}
		all.Wait()
		if took := time.Since(began); took < 190*time.Millisecond {
			t.Errorf("400 ms of work on two processors took %v", took)
		}
	})
}

// Most of another account's waiting happens outside of places, so one place stays free while that account is present.
func TestABusyAccountLeavesAProcessorFreeWhileAnotherIsPresent(t *testing.T) {
	for _, c := range []struct{ processors, beside, alone int }{{1, 1, 1}, {2, 1, 2}, {16, 15, 16}} {
		synctest.Test(t, func(t *testing.T) {
			p := fair.NewProcessors(c.processors)
			defer flood(t, p, "busy", 40)()
			small := func() {
				if err := whole(t.Context(), p, "small", time.Millisecond); err != nil {
					t.Fatal(err)
				}
			}
			time.Sleep(time.Second)
			for n := range 10 {
				small()
				time.Sleep(2 * fair.Slice)
				if busy := p.Held("busy"); busy != c.beside {
					t.Fatalf("of %d processors the busy account has %d beside another one, want %d", c.processors, busy,
						c.beside)
				}
				time.Sleep(time.Duration(n) * 250 * time.Millisecond)
			}
			if busy := p.Held("busy"); busy != c.alone {
				t.Errorf("of %d processors the busy account has %d alone, want %d", c.processors, busy, c.alone)
			}
		})
	}
}

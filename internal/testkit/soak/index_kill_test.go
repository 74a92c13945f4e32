package soak

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"parley/internal/call/codec"
	"parley/internal/index/callindex"
	"parley/internal/storage/job"
	"parley/internal/storage/store"
	"parley/internal/terminal/client"
	"parley/internal/testkit/pgtest"
	"parley/internal/testkit/s3test"
	"parley/internal/testkit/verify"
)

// The size of the law.
const (
	accountsOfLaw = 3
	askersOfLaw   = 2
	firstCalls    = 600 // of an account, before the first server is killed: enough for segments to merge
)

// What a job of an account may leave for later, until it is four minutes old.
const (
	mostWaiting = 64  // calls that are in no segment
	mostTouched = 500 // calls with newer values, as a category that is applied leaves them
)

// TestAnswersAreRightWhileServersThatIndexAreKilled kills servers that share PostgreSQL and S3, at random times, while
// they build and merge segments, apply categories and answer, and while calls are published, changed and deleted. Each
// answer is that of looking at every call, as of a moment between the question and the answer.
func TestAnswersAreRightWhileServersThatIndexAreKilled(t *testing.T) {
	verify.Long(t)
	kills := 6
	if soaking() {
		kills = 200
	}
	w := newIndexTown(t)
	ctx, cancel := context.WithCancel(t.Context())
	stop, end := context.WithCancel(ctx)
	var running sync.WaitGroup
	defer running.Wait() // also where the test breaks off
	defer cancel()
	for _, a := range w.accounts {
		running.Go(func() { w.write(ctx, stop, a) })
	}
	for n := range askersOfLaw {
		running.Go(func() { w.ask(stop, rand.New(rand.NewPCG(uint64(n), 3))) })
	}
	for w.killed < kills && !w.failed() {
		w.kill(t, kills-w.killed)
	}
	end()
	running.Wait()
	if !w.failed() {
		w.settle(t)
	}
	for _, what := range slices.Sorted(maps.Keys(w.problems)) {
		t.Errorf("%s (%d times)", what, w.problems[what])
	}
	t.Logf("%d kills of servers: %v", w.killed, w.counts)
}

// indexTown is the law with its servers.
type indexTown struct {
	indexLaw
	accounts []*lawAccount
	random   *rand.Rand
	pause    sync.RWMutex // held while nothing may change
	dir      string
	flags    []string
	events   *events
	all      []*indexNode
	killed   int
}

// indexNode is a server with the number of its place, whose process changes.
type indexNode struct {
	*node
	number int
	role   string
	data   string
	doomed atomic.Bool // it was killed, or is about to be
}

// excused reports whether a server may refuse with this error: it is killed, or says that it is unavailable.
func (n *indexNode) excused(err error) bool {
	if n.doomed.Load() {
		return true
	}
	refused, ok := errors.AsType[*client.Error](err)
	return ok && refused.Status == http.StatusServiceUnavailable
}

func newIndexTown(t *testing.T) *indexTown {
	t.Helper()
	database := pgtest.URL(t)
	log := create(t, filepath.Join(t.TempDir(), "s3.log"))
	bucket := s3test.URL(s3test.Start(t, log).Address)
	w := &indexTown{dir: t.TempDir(), events: newEvents(), random: rand.New(rand.NewPCG(1, 1)),
		flags: []string{"--database", database, "--blobs", bucket, "--engines", "1"}}
	w.problems, w.counts = map[string]int{}, map[string]int{}
	admin := []string{"--database", database, "--data", filepath.Join(w.dir, "admin")}
	firstToken(t, admin...)
	var err error
	if w.codec, err = codec.New(); err != nil {
		t.Fatal(err)
	}
	if w.db, err = store.OpenExisting(t.Context(), store.Config{URL: database}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.db.Close() })
	for n := range accountsOfLaw {
		w.accounts = append(w.accounts, w.newAccount(t, n, admin))
	}
	for n, role := range []string{"all", "all", "api"} {
		place := &indexNode{number: n, role: role, data: filepath.Join(w.dir, fmt.Sprint("node-", n))}
		w.all = append(w.all, place)
		w.start(t, n)
	}
	if !eventually(before(t, time.Now().Add(settling)), func() bool { return w.idle(t.Context(), mostWaiting) }) {
		t.Fatalf("the first calls are not in segments\n%s", w.events.tail())
	}
	return w
}

// newAccount creates an account with calls.
func (w *indexTown) newAccount(t *testing.T, n int, admin []string) *lawAccount {
	t.Helper()
	name := fmt.Sprint("law-", n)
	a := &lawAccount{indexLaw: &w.indexLaw, number: n, random: rand.New(rand.NewPCG(uint64(n), 2)), used: map[int]bool{}}
	run(t, append([]string{"account", "create", name}, admin...)...)
	a.token = run(t, append([]string{"token", "create", "--account", name}, admin...)...)
	there, err := store.Read(t.Context(), w.db, (*store.Tx).Accounts)
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range there {
		if one.Name == name {
			a.id = one.ID
		}
	}
	first, err := newRule(a.random)
	if err != nil {
		t.Fatal(err)
	}
	a.history.begin(&indexVersion{rules: []rule{first}})
	a.history.end()
	for range firstCalls / 60 {
		if err := a.publish(t.Context(), 60); err != nil {
			t.Fatal(err)
		}
	}
	return a
}

// start starts the server of a place.
func (w *indexTown) start(t *testing.T, place int) {
	t.Helper()
	old := w.all[place]
	n := &indexNode{number: place, role: old.role, data: old.data}
	n.node = start(t, w.events, append([]string{"--data", n.data, "--role", n.role}, w.flags...)...)
	w.all[place] = n
	w.mu.Lock()
	defer w.mu.Unlock()
	w.nodes = append(w.nodes, n)
}

// write changes an account until stop ends. It completes what it has begun then, so that the outcome is known.
func (w *indexTown) write(ctx, stop context.Context, a *lawAccount) {
	for stop.Err() == nil {
		w.pause.RLock()
		err := a.act(ctx)
		w.pause.RUnlock()
		if err != nil && ctx.Err() == nil {
			w.problem("a change of account %s: %v", a.id, err)
			return
		}
		w.count("changes")
		wait(stop, time.Duration(a.random.Int64N(int64(150*time.Millisecond))))
	}
}

// ask asks servers that stand until ctx ends.
func (w *indexTown) ask(ctx context.Context, random *rand.Rand) {
	for ctx.Err() == nil {
		a := w.accounts[random.IntN(len(w.accounts))]
		q, err := a.question(random)
		if err != nil {
			w.problem("%v", err)
			return
		}
		if n := w.standing(random); n != nil {
			w.check(ctx, n, a, q)
		}
		wait(ctx, time.Duration(random.Int64N(int64(50*time.Millisecond))))
	}
}

func (w *indexTown) failed() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.problems) > 0
}

// kill kills one server or some, at most so many, lets those that stand answer while nothing changes, and starts others
// in their places.
func (w *indexTown) kill(t *testing.T, most int) {
	t.Helper()
	victims := w.victims(t)
	victims = victims[:min(len(victims), most)]
	w.mu.Lock()
	w.nodes = slices.DeleteFunc(w.nodes, func(n *indexNode) bool { return slices.Contains(victims, n) })
	standing := slices.Clone(w.nodes)
	w.mu.Unlock()
	for _, n := range victims {
		n.doomed.Store(true)
		n.node.kill()
		w.killed++
	}
	w.interrupted(t, victims)
	if len(standing) > 0 {
		w.calm(t, standing, 2)
	}
	for _, n := range victims {
		if w.random.IntN(4) == 0 { // another machine, without copies of segments
			w.all[n.number].data = filepath.Join(w.dir, fmt.Sprintf("node-%d-%d", n.number, w.killed))
		}
		w.start(t, n.number)
	}
}

// victims waits for the time of the next kill, and returns who is killed: half of the times one that holds a job of an
// index or a category, in the course of that, otherwise anyone or all at any time.
func (w *indexTown) victims(t *testing.T) []*indexNode {
	t.Helper()
	if w.random.IntN(2) == 0 {
		var holder *indexNode
		busy := before(t, time.Now().Add(3*time.Second))
		eventually(busy, func() bool { holder = w.holder(t); return holder != nil })
		wait(t.Context(), time.Duration(w.random.Int64N(int64(40*time.Millisecond))))
		if holder != nil {
			return []*indexNode{holder}
		}
	}
	wait(t.Context(), time.Duration(w.random.Int64N(int64(1500*time.Millisecond))))
	all := slices.Clone(w.all)
	w.random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:[]int{1, 1, 1, 1, 1, 1, 1, 2, 2, 3}[w.random.IntN(10)]]
}

// held returns the jobs of indexes and categories that a process holds, by the end of its name.
func (w *indexTown) held(t *testing.T) map[string][]job.Job {
	t.Helper()
	list, err := w.db.Queue().List(t.Context(), job.Filter{State: job.Running})
	if err != nil {
		t.Fatal(err)
	}
	held := map[string][]job.Job{}
	for _, j := range list {
		_, pid, _ := strings.Cut(j.Worker, "/")
		held[pid] = append(held[pid], j)
	}
	return held
}

// holder returns a server that holds a job; nil if none does.
func (w *indexTown) holder(t *testing.T) *indexNode {
	t.Helper()
	held := w.held(t)
	for _, n := range w.all {
		if len(held[fmt.Sprint(n.command.Process.Pid)]) > 0 && !n.doomed.Load() {
			return n
		}
	}
	return nil
}

// interrupted counts the jobs that servers held when they were killed.
func (w *indexTown) interrupted(t *testing.T, killed []*indexNode) {
	t.Helper()
	held := w.held(t)
	for _, n := range killed {
		for _, j := range held[fmt.Sprint(n.command.Process.Pid)] {
			w.count("interrupted jobs " + j.Kind)
		}
	}
}

// calm asks servers some questions about each account while nothing changes.
func (w *indexTown) calm(t *testing.T, nodes []*indexNode, questions int) {
	t.Helper()
	w.pause.Lock()
	defer w.pause.Unlock()
	for _, a := range w.accounts {
		for range questions {
			q, err := a.question(w.random)
			if err != nil {
				t.Fatal(err)
			}
			for _, n := range nodes {
				limit := before(t, time.Now().Add(settling))
				if !eventually(limit, func() bool { return w.check(t.Context(), n, a, q) || w.failed() }) {
					t.Fatalf("node %d does not answer: %s\n%s", n.number, q, w.events.tail())
				}
			}
		}
	}
}

// idle reports whether no job of an index or a category is left, and fewer calls of an account than some wait for one.
func (w *indexTown) idle(ctx context.Context, most int64) bool {
	for _, kind := range []string{callindex.Kind, "apply"} {
		left, err := w.db.Queue().List(ctx, job.Filter{Kind: kind})
		if err != nil || len(left) > 0 {
			return false
		}
	}
	waiting, err := store.Read(ctx, w.db, (*store.Tx).CountWaitingCalls)
	return err == nil && waiting < accountsOfLaw*most
}

// settle lets the servers do what is left, and compares all of them and a new one with every call.
func (w *indexTown) settle(t *testing.T) {
	t.Helper()
	if !eventually(before(t, time.Now().Add(settling)), func() bool { return w.idle(t.Context(), mostWaiting+mostTouched) }) {
		left, err := w.db.Queue().List(t.Context(), job.Filter{})
		t.Fatalf("jobs are left: %+v, %v\n%s", left, err, w.events.tail())
	}
	for _, a := range w.accounts {
		if v := a.history.last(); v.settled != v.late {
			if err := a.awaitRule(t.Context()); err != nil {
				t.Error(err)
			}
		}
		state, err := store.Read(t.Context(), w.db, func(tx *store.Tx) (store.CallIndex, error) {
			return tx.CallIndex(a.id, store.CallIndex{Version: -1}, 10_000)
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("account %s: %d calls, %d changes of its %d segments, %d calls wait, %d tombstones", a.id,
			len(a.history.last().calls), state.Version, len(state.Segments), len(state.Waiting), len(state.Tombstones))
	}
	w.all = append(w.all, &indexNode{number: len(w.all), role: "api", data: filepath.Join(w.dir, "new")})
	w.start(t, len(w.all)-1)
	w.calm(t, w.all, 40)
}

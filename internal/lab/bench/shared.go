package bench

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"parley/internal/call/codec"
	"parley/internal/index/callindex"
	"parley/internal/index/columnar"
	"parley/internal/lab/corpus"
	"parley/internal/query"
	"parley/internal/storage/job"
	"parley/internal/storage/sqldb"
	"parley/internal/storage/store"
	"parley/internal/words/account"
	"parley/internal/words/media"
)

// Shared is a benchmark of the index of calls where several servers share PostgreSQL and S3. All servers are in this
// process, each with its own connections, whose bytes are counted.
type Shared struct {
	Generated                  // URL is that of an empty PostgreSQL database
	Bucket     string          // address of an empty place in S3, for s3.Open, whose endpoint has http
	Distinct   int             // calls that are generated; further ones are copies of them in the database
	Nodes      int             // servers that build and merge segments, while the calls are stored and after that
	Delays     []time.Duration // of each request to S3, for servers that have just started
	Deletions  int             // calls that are deleted, one at a time
	MergeCalls int             // calls of each of the segments that are merged for the cost of a merge
}

// SharedResult is the result of Shared.
type SharedResult struct {
	Load      time.Duration // until all calls were stored
	Build     SharedCost    // of all servers until all calls were in segments, with the work of generating and storing
	First     int64         // how often a call was put into its first segment
	Ever      int64         // segments that were ever in force
	Segments  int           // in force
	Bytes     int64         // of these
	Waiting   int           // calls that are in no segment, because they are too few
	Unindexed int64         // bytes of these calls in the database

	Answers   []FirstAnswer // of a server that has just started, for each delay
	Memory    int64         // live memory of a server for the calls in bytes, except for decrypted parts of segments
	Anonymous int64         // growth of this process's anonymous memory meanwhile

	Merge   SharedCost // of a merge
	Merged  int        // calls in it
	Delete  time.Duration
	Deleted FirstAnswer // of a server that starts after the deletions, without a delay
	Purge   SharedCost  // until no segment has words of a deleted call
}

// FirstAnswer is what the first answer of a server costs that has just started.
type FirstAnswer struct {
	Delay   time.Duration
	Took    time.Duration // from the connections to the database to the answer
	Traffic Traffic
	Next    time.Duration // of the answer to a question about fields of all calls after that
	Further Traffic       // for that
}

// SharedCost is what work on segments costs.
type SharedCost struct {
	Took    time.Duration
	Work    time.Duration // processor time of this process
	Files   int64         // of segments that were stored; each has two
	Stored  int64         // bytes of these
	Traffic Traffic
}

// Memory of the servers.
const (
	sharedBlocks = 256 << 20 // for decrypted parts of segments, as package server has it
	fewBlocks    = 1 << 16   // the same, where memory is measured
	someCopies   = 2 << 30   // of segments on the disk of a server that builds
	allCopies    = 1 << 40
)

// Run stores the calls while servers build segments, and measures.
func (b Shared) Run(ctx context.Context, progress Progress) (f SharedResult, err error) {
	db, codec, err := b.Open(ctx)
	if err != nil {
		return f, err
	}
	defer db.Close()
	s := &sharing{Shared: b, db: db, codec: codec, progress: progress, result: &f,
		calls: corpus.New(corpus.Config{Words: b.Words, Every: 30 * time.Second})}
	for _, do := range []func(context.Context) error{s.build, s.count, s.first, s.remember, s.merge, s.remove, s.purge} {
		if err := do(ctx); err != nil {
			return f, err
		}
	}
	return f, nil
}

// sharing is a Shared in progress.
type sharing struct {
	Shared
	db       *store.Store // with a connection that is not counted
	codec    *codec.Codec
	calls    *corpus.Corpus
	owner    account.ID
	progress Progress
	result   *SharedResult
}

// mostLeft is how many calls are stored after the segments are built, at most, so that questions read them from the
// database: too few for a segment.
const mostLeft = 40

// build stores the calls while servers build segments.
func (s *sharing) build(ctx context.Context) (err error) {
	left := min(mostLeft, s.Calls/10)
	began := time.Now()
	s.result.Build, err = s.together(ctx, func(ctx context.Context) (err error) {
		generated := s.Generated
		generated.Calls = min(s.Calls-left, s.Distinct)
		s.owner, err = generated.Store(ctx, s.db, s.codec, s.calls, Analytic, s.progress)
		if err == nil {
			err = s.copy(ctx, s.Calls-left)
		}
		s.result.Load = time.Since(began)
		return err
	})
	if err != nil {
		return err
	}
	return s.add(ctx, s.db, s.codec, s.calls, s.owner, s.Calls-left, left, Analytic, s.progress)
}

// together runs servers that build segments, meanwhile f, and returns when nothing is left to do, with the cost of it.
// The servers are closed then.
func (s *sharing) together(ctx context.Context, f func(context.Context) error) (cost SharedCost, err error) {
	began, before := time.Now(), ProcessorTime()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var running sync.WaitGroup
	var nodes []*sharedNode
	defer func() {
		stop()
		running.Wait()
		for _, n := range nodes {
			err = errors.Join(err, n.close())
		}
	}()
	for number := range s.Nodes {
		name := fmt.Sprint("builder-", number)
		n, err := s.node(ctx, s.codec, sharedNodeConfig{name: name, copies: someCopies, blocks: sharedBlocks})
		if err != nil {
			return cost, err
		}
		nodes = append(nodes, n)
		running.Go(func() { n.run(ctx, name) })
	}
	if err := f(ctx); err != nil {
		return cost, err
	}
	idle, err := s.idle(ctx)
	cost.Took, cost.Work = idle.Sub(began), ProcessorTime()-before
	for _, n := range nodes {
		cost.Traffic = cost.Traffic.plus(n.traffic())
		cost.Files += n.blobs.segments.Load()
		cost.Stored += n.blobs.bytes.Load()
	}
	return cost, err
}

// Nothing is left to do when no job is found so often in a row, for longer than servers take to notice that there is
// something to do.
const (
	look  = 100 * time.Millisecond
	quiet = 15

	countEvery = 5 * time.Second // of the calls that wait, which takes long if they are many
)

// idle waits until servers have no jobs, and returns since when they have none.
func (s *sharing) idle(ctx context.Context) (since time.Time, err error) {
	tick := time.NewTicker(look)
	defer tick.Stop()
	since = time.Now()
	counted := time.Time{}
	for seen := 0; seen < quiet; seen++ {
		left, err := s.db.Queue().List(ctx, job.Filter{Kind: callindex.Kind, Limit: 1})
		switch {
		case err != nil:
			return since, err
		case len(left) > 0 && left[0].State == job.Dead:
			return since, errors.New("index of calls: " + left[0].LastError)
		case len(left) > 0:
			since, seen = time.Now(), 0
			if since.Sub(counted) < countEvery {
				break
			}
			waiting, err := store.Read(ctx, s.db, (*store.Tx).CountWaitingCalls)
			if err != nil {
				return since, err
			}
			counted = time.Now()
			s.progress("writing segments", int64(s.Calls)-waiting, int64(s.Calls))
		}
		select {
		case <-ctx.Done():
			return since, context.Cause(ctx)
		case <-tick.C:
		}
	}
	return since, nil
}

// state returns the state of the index of the calls.
func (s *sharing) state(ctx context.Context) (store.CallIndex, error) {
	return store.Read(ctx, s.db, func(tx *store.Tx) (store.CallIndex, error) {
		return tx.CallIndex(s.owner, store.CallIndex{Version: -1}, s.Calls)
	})
}

// count reads from the database what the servers have done.
func (s *sharing) count(ctx context.Context) error {
	x, err := s.state(ctx)
	if err != nil {
		return err
	}
	f := s.result
	f.Segments, f.Waiting = len(x.Segments), len(x.Waiting)
	inSegments := 0
	for _, row := range x.Segments {
		for _, file := range row.Files() {
			f.Bytes += file.Size
		}
		inSegments += row.Calls
	}
	if inSegments+f.Waiting != s.Calls || len(x.Tombstones) > 0 {
		return fmt.Errorf("%d calls are in segments, %d wait and %d have tombstones, of %d", inSegments, f.Waiting,
			len(x.Tombstones), s.Calls)
	}
	var ids []media.ID
	for _, w := range x.Waiting {
		ids = append(ids, w.Media)
	}
	waiting, err := store.Read(ctx, s.db, func(tx *store.Tx) ([]store.Analytic, error) {
		return tx.AnalyticOf(s.owner, ids)
	})
	for _, w := range waiting {
		f.Unindexed += int64(len(w.Result) + len(w.Media.Metadata.Bytes()))
	}
	if err != nil {
		return err
	}
	if f.First, err = s.changes(ctx, "analytic", "n_tup_upd", int64(inSegments)); err != nil {
		return err
	}
	f.Ever, err = s.changes(ctx, "segment", "n_tup_ins", int64(f.Segments))
	return err
}

// changes returns how many rows of a table were ever inserted or updated. PostgreSQL counts the rows of a connection
// some time after it has ended, so at least some are waited for.
func (s *sharing) changes(ctx context.Context, table, column string, least int64) (n int64, err error) {
	db, err := sqldb.Postgres(s.URL, 1, 1)
	if err != nil {
		return 0, err
	}
	defer db.Close()
	ctx, cancel := context.WithTimeoutCause(ctx, time.Minute, errors.New("PostgreSQL does not count the rows of "+table))
	defer cancel()
	tick := time.NewTicker(look)
	defer tick.Stop()
	for before := int64(-1); ; {
		err := db.Row(ctx, `SELECT `+column+` FROM pg_stat_user_tables WHERE relname = $1`, []any{table}, &n)
		if err != nil || n >= least && n == before {
			return n, err
		}
		before = n
		select {
		case <-ctx.Done():
			return n, context.Cause(ctx)
		case <-tick.C:
		}
	}
}

// The questions of servers that have just started: for a rare word, and about fields of all calls.
func (s *sharing) questions() []string {
	return []string{`SELECT mediaId FROM media WHERE * SAYS "` + rareWord(s.calls, 0) + `"`,
		`SELECT metadata:team, count(*), avg(sentiment) FROM media GROUP BY metadata:team`}
}

// asked asks a server a question.
func (n *sharedNode) asked(ctx context.Context, a account.ID, text string) (took time.Duration, err error) {
	q, err := query.Parse(text, nil)
	if err != nil {
		return 0, err
	}
	began := time.Now()
	_, err = n.columnar.Ask(ctx, a, q.Select, columnar.Page{})
	return time.Since(began), err
}

// first measures servers that have just started, after one that makes the S3 server read the segments from its disk.
func (s *sharing) first(ctx context.Context) error {
	if _, err := s.firstAnswer(ctx, 0); err != nil {
		return err
	}
	for _, delay := range s.Delays {
		found, err := s.firstAnswer(ctx, delay)
		if err != nil {
			return err
		}
		s.result.Answers = append(s.result.Answers, found)
	}
	return nil
}

// firstAnswer measures a server that starts without any copy of a segment.
func (s *sharing) firstAnswer(ctx context.Context, delay time.Duration) (f FirstAnswer, err error) {
	s.progress("starting a server", 1, 1)
	f.Delay = delay
	began := time.Now()
	n, err := s.node(ctx, s.codec, sharedNodeConfig{name: "new-server", delay: delay, copies: allCopies,
		blocks: sharedBlocks})
	if err != nil {
		return f, err
	}
	defer func() { err = errors.Join(err, n.close()) }()
	questions := s.questions()
	if _, err := n.asked(ctx, s.owner, questions[0]); err != nil {
		return f, err
	}
	f.Took, f.Traffic = time.Since(began), n.traffic()
	f.Next, err = n.asked(ctx, s.owner, questions[1])
	f.Further = n.traffic().minus(f.Traffic)
	return f, err
}

// remember measures the memory that a server needs for the calls, beyond that for an account without calls.
func (s *sharing) remember(ctx context.Context) (err error) {
	nobody, err := s.account(ctx, "without calls")
	if err != nil {
		return err
	}
	n, err := s.node(ctx, s.codec, sharedNodeConfig{name: "remembering", copies: allCopies, blocks: fewBlocks})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, n.close()) }()
	used := func(a account.ID) (live, anonymous int64, err error) {
		for _, text := range append(s.questions(), `SELECT count(*) FROM media`,
			`SELECT mediaId FROM media WHERE metadata:score > 5 ORDER BY sentiment`) {
			if _, err := n.asked(ctx, a, text); err != nil {
				return 0, 0, err
			}
		}
		runtime.GC() // twice: the first one moves pools to where the second one frees them
		debug.FreeOSMemory()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		process, err := MemoryOf(os.Getpid())
		return int64(m.HeapAlloc), process.Anonymous, err
	}
	live, anonymous, err := used(nobody)
	if err != nil {
		return err
	}
	s.result.Memory, s.result.Anonymous, err = used(s.owner)
	s.result.Memory -= live
	s.result.Anonymous -= anonymous
	return err
}

func (s *sharing) account(ctx context.Context, name string) (id account.ID, err error) {
	err = s.db.Update(ctx, func(tx *store.Tx) error {
		a, err := tx.CreateAccount(name)
		id = a.ID
		return err
	})
	return id, err
}

// mostToMerge is after how many segments a merge is expected.
const mostToMerge = 64

// merge adds segments of another account, until they are merged.
func (s *sharing) merge(ctx context.Context) (err error) {
	owner, err := s.account(ctx, "merging")
	if err != nil {
		return err
	}
	n, err := s.node(ctx, s.codec, sharedNodeConfig{name: "merging", copies: allCopies, blocks: sharedBlocks})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, n.close()) }()
	for round := range mostToMerge {
		err := s.add(ctx, s.db, s.codec, s.calls, owner, s.Calls+round*s.MergeCalls, s.MergeCalls, Analytic, s.progress)
		if err == nil {
			err = n.segments.CaughtUp(ctx, func(int64) {})
		}
		if err != nil {
			return err
		}
		for i, end := range n.marks {
			if !end.removes || i < 3 {
				continue
			}
			start := n.marks[i-3] // when the last of the segments had been stored; then come the files of the new one
			s.result.Merged = (round + 1) * s.MergeCalls
			s.result.Merge = SharedCost{Took: end.at.Sub(start.at), Work: end.work - start.work, Files: 2,
				Stored: n.marks[i-2].size + n.marks[i-1].size, Traffic: end.traffic.minus(start.traffic)}
			return nil
		}
	}
	return fmt.Errorf("%d segments of %d calls are not merged", mostToMerge, s.MergeCalls)
}

// remove deletes calls here and there, and measures a server that starts after that.
func (s *sharing) remove(ctx context.Context) (err error) {
	random := rand.New(rand.NewPCG(1, uint64(s.Calls)))
	began := time.Now()
	for i, n := range random.Perm(s.Calls)[:min(s.Deletions, s.Calls)] {
		err := s.db.Update(ctx, func(tx *store.Tx) error {
			_, err := tx.DeleteMedia(s.owner, s.calls.ID(n))
			return err
		})
		if err != nil {
			return err
		}
		s.progress("deleting calls", int64(i), int64(s.Deletions))
	}
	s.result.Delete = time.Since(began)
	s.result.Deleted, err = s.firstAnswer(ctx, 0)
	return err
}

// purge rewrites segments until none has words of a deleted call.
func (s *sharing) purge(ctx context.Context) (err error) {
	s.result.Purge, err = s.together(ctx, func(ctx context.Context) error {
		return s.db.Update(ctx, func(tx *store.Tx) error {
			_, err := tx.Enqueue(job.Spec{Kind: callindex.Kind, Account: string(s.owner), Subject: "index:" + string(s.owner),
				Payload: []byte("purge"), MaxAttempts: 20}) // as callindex does when tombstones are old
			return err
		})
	})
	if err != nil {
		return err
	}
	x, err := s.state(ctx)
	if err == nil && len(x.Tombstones) > 0 {
		err = fmt.Errorf("segments have %d deleted calls after a purge", len(x.Tombstones))
	}
	return err
}

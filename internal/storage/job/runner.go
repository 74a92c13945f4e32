package job

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"parley/internal/host/health"
)

// ErrDrained says that the worker stops. It is the cause of a handler's cancelled context then, and what
// a handler returns that stops by itself because of Draining: the job is given back, no attempt counted.
var ErrDrained = errors.New("job: worker stops")

// A Handler does the work of one kind of job. It returns nil when the job is done (its last transaction may
// already have completed it), a fault of kind Unavailable when something it needs is away (the job waits
// for it without end), and any other error for a failed attempt. Its context ends with cause ErrLost
// when the job is ours no more, with cause ErrDrained when the worker's grace time is over.
type Handler func(ctx context.Context, j Job) error

// Config says what a Runner runs and how.
type Config struct {
	Worker   string             // who we are, for operators to read; unique among the processes on a database
	Handlers map[string]Handler // by kind; other kinds are left to other workers
	Workers  int                // jobs at a time, at least 1
	PerLane  int                // jobs of one kind that one lane may have running at a time; 0: no limit
	// an account may not hold more of the workers than are left free: there is always one for another
	Spare bool
	Grace time.Duration // how long handlers may go on after Run's context has ended
	Poll  time.Duration // how often to look for jobs that other processes added; 0: 1 s
	Log   *slog.Logger

	// Spent, if not nil, is called before a job becomes dead, with the error that was one too many:
	// the place to record the failure where users see it. When it fails the job is tried again later.
	Spent func(ctx context.Context, j Job, cause error) error
}

// Runner claims jobs and runs their handlers.
type Runner struct {
	queue *Queue
	Config
	kinds []string
	freed chan struct{} // one token when a slot became free

	// Claims and Leases beat when jobs were looked for and leases renewed, Work when a handler begins, makes progress
	// or ends, and while there is a free slot.
	Claims, Leases, Work health.Pulse

	mu   sync.Mutex
	held map[Held]holding
}

// holding is a job whose handler runs.
type holding struct {
	account string
	cancel  context.CancelCauseFunc
}

// NewRunner returns a runner on a queue.
func NewRunner(q *Queue, c Config) *Runner {
	if c.Workers < 1 {
		c.Workers = 1
	}
	if c.Poll <= 0 {
		c.Poll = time.Second
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	r := &Runner{queue: q, Config: c, freed: make(chan struct{}, 1), held: map[Held]holding{}}
	for kind := range c.Handlers {
		r.kinds = append(r.kinds, kind)
	}
	return r
}

// Run claims and runs jobs, and takes over those of workers that have died, until ctx ends. Then handlers have the
// grace time to return by themselves; those that have not are cancelled and their jobs given back. Run returns when all
// have returned.
func (r *Runner) Run(ctx context.Context) {
	work, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	defer cancel(nil)
	work = WithDraining(work, ctx.Done())
	beating, stop := context.WithCancel(work)
	var beats, handlers sync.WaitGroup
	beats.Go(func() { r.beat(beating) })
	r.claim(ctx, work, &handlers)
	grace := time.AfterFunc(r.Grace, func() { cancel(ErrDrained) })
	handlers.Wait()
	grace.Stop()
	stop()
	beats.Wait()
}

type drainKey struct{}

// WithDraining returns a context for handlers that are told of the end by the given channel.
func WithDraining(ctx context.Context, draining <-chan struct{}) context.Context {
	return context.WithValue(ctx, drainKey{}, draining)
}

// Draining returns a channel that is closed when the worker running a handler is about to stop. A handler
// with a natural place to pause looks at it there and returns ErrDrained. Nil outside handlers.
func Draining(ctx context.Context) <-chan struct{} {
	done, _ := ctx.Value(drainKey{}).(<-chan struct{})
	return done
}

// claim starts handlers, as many as there are slots, until ctx ends.
func (r *Runner) claim(ctx, work context.Context, handlers *sync.WaitGroup) {
	poll := time.NewTicker(r.Poll)
	defer poll.Stop()
	for ctx.Err() == nil {
		added := r.queue.added.rung()
		free := r.Workers - r.Running()
		if free > 0 {
			free = r.fill(work, handlers, free)
		} else {
			r.Claims.Beat()
		}
		if free == 0 {
			added = nil // nothing to do for us before a slot is free
		}
		select {
		case <-ctx.Done():
		case <-added:
		case <-r.freed:
		case <-poll.C:
			r.reap(ctx)
		}
	}
}

// fill claims jobs for free slots, and returns how many of these are left.
func (r *Runner) fill(work context.Context, handlers *sync.WaitGroup, free int) int {
	claimed, err := r.start(work, handlers, free)
	if err == nil {
		r.Claims.Beat()
	}
	if claimed < free {
		r.Work.Beat()
	}
	return free - claimed
}

// reap makes the jobs of workers that have died claimable.
func (r *Runner) reap(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, Lease)
	defer cancel()
	if _, err := r.queue.Reap(ctx); err != nil && ctx.Err() == nil {
		r.Log.Warn("cannot reap expired leases", "error", err)
	}
}

// start claims up to n jobs and starts their handlers. It returns how many, also beside an error.
func (r *Runner) start(work context.Context, handlers *sync.WaitGroup, n int) (int, error) {
	// not cut short by ctx: a claim that we do not hear of would wait for its lease
	claiming, done := context.WithTimeout(work, Lease)
	defer done()
	jobs, err := r.queue.Claim(claiming,
		Claims{Worker: r.Worker, Kinds: r.kinds, Most: n, PerLane: r.PerLane, Held: r.holders()})
	if err != nil {
		r.Claims.Fail(err)
		r.Log.Warn("cannot claim jobs", "error", err)
	}
	for _, j := range jobs {
		r.Work.Beat()
		jobCtx, cancel := context.WithCancelCause(context.WithValue(work, progressKey{}, &r.Work))
		r.hold(j, cancel)
		handlers.Go(func() {
			defer cancel(nil)
			defer r.letGo(j)
			r.settle(jobCtx, j, r.run(jobCtx, j))
		})
	}
	return len(jobs), err
}

type progressKey struct{}

// Progress notes that the handler that a context belongs to has come further. Without a sign of it from any handler for
// long a runner whose slots are all taken counts as stuck.
func Progress(ctx context.Context) {
	if p, ok := ctx.Value(progressKey{}).(*health.Pulse); ok {
		p.Beat()
	}
}

// Running returns how many handlers run.
func (r *Runner) Running() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.held)
}

// holders counts the running handlers by account, where accounts share the workers.
func (r *Runner) holders() map[string]int {
	if !r.Spare {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	n := map[string]int{}
	for _, h := range r.held {
		n[h.account]++
	}
	return n
}

func (r *Runner) hold(j Job, cancel context.CancelCauseFunc) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.held[j.Held()] = holding{j.Account, cancel}
}

func (r *Runner) letGo(j Job) {
	r.mu.Lock()
	delete(r.held, j.Held())
	r.mu.Unlock()
	r.Work.Beat()
	select {
	case r.freed <- struct{}{}:
	default:
	}
}

// run calls the handler; a panic is an error like others.
func (r *Runner) run(ctx context.Context, j Job) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = panicked(p)
			r.Log.Error("handler panicked", "job", j.ID, "kind", j.Kind, "error", err, "stack", string(debug.Stack()))
		}
	}()
	if j.Exhausted() {
		return errExhausted
	}
	return r.Handlers[j.Kind](ctx, j)
}

var errExhausted = errors.New("interrupted too often without progress")

// panicked describes a panic without showing values, which may be a customer's.
func panicked(p any) error {
	if e, ok := p.(runtime.Error); ok {
		return fmt.Errorf("panic: %w", e)
	}
	return fmt.Errorf("panic: %T", p)
}

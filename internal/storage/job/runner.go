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

// ErrDrained means that the worker stops. It is the cause of a handler's cancelled context, and handlers that stop on
// their own because of Draining return it: the job is given back without counting an attempt.
var ErrDrained = errors.New("job: worker stops")

// A Handler does the work of one kind of job. It returns nil if the job is done (its last transaction may already have
// completed it), a fault of kind Unavailable if a dependency is unavailable (the job waits for it without limit), and
// any other error for a failed attempt. Its context ends with cause ErrLost if the job is lost, and with cause
// ErrDrained when the worker's grace period is over.
type Handler func(ctx context.Context, j Job) error

// Config configures a Runner.
type Config struct {
	Worker   string             // name for operators; unique among the processes on a database
	Handlers map[string]Handler // by kind; other kinds are left to other workers
	Workers  int                // concurrent jobs, at least 1
	PerLane  int                // maximum running jobs of one kind per lane; 0: no limit
	// an account may not hold more slots than it leaves free, so that one is always free for another account
	Spare bool
	Grace time.Duration // how long handlers may continue after Run's context has ended
	Poll  time.Duration // polling interval for jobs added by other processes; 0: 1 s
	Log   *slog.Logger

	// Spent, if not nil, is called before a job becomes dead, with the error of the last attempt: it records the
	// failure where users see it. If it fails, the job is retried later.
	Spent func(ctx context.Context, j Job, cause error) error
}

// Runner claims jobs and runs their handlers.
type Runner struct {
	queue *Queue
	Config
	kinds []string
	freed chan struct{} // receives a token when a slot becomes free

	// Claims and Leases beat when jobs are looked for and leases are renewed. Work beats when a handler starts, makes
	// progress or ends, and while a slot is free.
	Claims, Leases, Work health.Pulse

	abandoned context.Context // done when the database is given up
	abandon   context.CancelFunc

	mu   sync.Mutex
	held map[Held]holding
}

// holding is a job with a running handler.
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
	r.abandoned, r.abandon = context.WithCancel(context.Background())
	for kind := range c.Handlers {
		r.kinds = append(r.kinds, kind)
	}
	return r
}

// Run claims and runs jobs, including those of workers that have died, until ctx ends. Handlers then have the grace
// period to return on their own; the remaining ones are cancelled and their jobs given back. Run returns when all
// handlers have returned.
func (r *Runner) Run(ctx context.Context) {
	work, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	defer cancel(nil)
	work = WithDraining(work, ctx.Done())
	defer context.AfterFunc(r.abandoned, func() { cancel(ErrDrained) })()
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

// Abandon makes Run return without grace and without giving jobs back, for a database that does not answer: other workers
// take the jobs when their leases have expired.
func (r *Runner) Abandon() { r.abandon() }

type drainKey struct{}

// WithDraining returns a context whose Draining channel is the given one.
func WithDraining(ctx context.Context, draining <-chan struct{}) context.Context {
	return context.WithValue(ctx, drainKey{}, draining)
}

// Draining returns a channel that is closed when the worker of a handler is about to stop. A handler checks it at
// points where it can pause, and returns ErrDrained. It is nil outside handlers.
func Draining(ctx context.Context) <-chan struct{} {
	done, _ := ctx.Value(drainKey{}).(<-chan struct{})
	return done
}

// claim starts handlers while there are free slots, until ctx ends.
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
			added = nil // nothing to do until a slot is free
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

// fill claims jobs for free slots, and returns the number of slots still free.
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

// reap makes the jobs of dead workers claimable.
func (r *Runner) reap(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, Lease)
	defer cancel()
	if _, err := r.queue.Reap(ctx); err != nil && ctx.Err() == nil {
		r.Log.Warn("cannot reap expired leases", "error", err)
	}
}

// start claims up to n jobs and starts their handlers. It returns their number, even with an error.
func (r *Runner) start(work context.Context, handlers *sync.WaitGroup, n int) (int, error) {
	// not cancelled by ctx: a claim whose result is lost would block its job until the lease expires
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

// Progress records progress of the handler that ctx belongs to. A runner whose slots are all in use counts as stuck if
// no handler reports progress for a long time.
func Progress(ctx context.Context) {
	if p, ok := ctx.Value(progressKey{}).(*health.Pulse); ok {
		p.Beat()
	}
}

// Running returns the number of running handlers.
func (r *Runner) Running() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.held)
}

// holders counts the running handlers by account, if accounts share the workers.
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

// run calls the handler and converts a panic to an error.
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

// panicked describes a panic without its values, which may contain customer data.
func panicked(p any) error {
	if e, ok := p.(runtime.Error); ok {
		return fmt.Errorf("panic: %w", e)
	}
	return fmt.Errorf("panic: %T", p)
}

package line

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"math"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"time"

	"parley/internal/host/fair"
	"parley/internal/host/sandbox"
	"parley/internal/speech/asr"
	"parley/internal/words/fault"
	"parley/internal/words/vocabulary"
)

// Config names the engine's program and limits the resources of its processes.
type Config struct {
	Command []string // program and arguments
	// maximum number of active processes per account; 0: one per core. Several accounts share one extra process
	Children  int
	Limits    sandbox.Limits                          // of each process
	StartTime time.Duration                           // for the greeting, in time of the process itself; 0: a minute
	ChunkTime func(audio time.Duration) time.Duration // per chunk, likewise; nil: a minute plus ten times its length
	Log       *slog.Logger                            // of crashes; never of transcripts
}

// Pool is an asr.Recognizer that uses child processes. They are started on demand, reused, and replaced if they
// crash, hang or answer garbage. If a chunk fails in a second child too, its error is asr.Poisoned.
type Pool struct {
	c        Config
	room     *fair.Room      // limits the active children
	ctx      context.Context // cancelled when the pool is closed
	cancel   context.CancelFunc
	children sync.WaitGroup // processes not reaped yet

	mu   sync.Mutex
	idle []*worker
	info *asr.Info // of the first child that greeted
}

var errClosed = fault.New(fault.Unavailable, fault.CodeEngineFailed, "recogniser is shut down")

// NewPool returns a pool without processes. The caller must call Close.
func NewPool(c Config) *Pool {
	if c.Children <= 0 {
		c.Children = runtime.NumCPU()
	}
	c.StartTime = cmp.Or(c.StartTime, time.Minute)
	if c.ChunkTime == nil {
		c.ChunkTime = func(audio time.Duration) time.Duration { return time.Minute + 10*audio }
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	p := &Pool{c: c, room: fair.NewRoom(fair.Limits{All: c.Children + 1, Each: c.Children, Queue: math.MaxInt,
		Keep: fair.Last})}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	return p
}

// Close kills all children and waits until they have ended. Current and later requests fail.
func (p *Pool) Close() error {
	p.mu.Lock()
	p.cancel()
	for _, w := range p.idle {
		w.kill()
	}
	p.idle = nil
	p.mu.Unlock()
	p.children.Wait()
	return nil
}

// Info returns the description of the engine. It starts a child if none has been started yet.
func (p *Pool) Info(ctx context.Context) (asr.Info, error) {
	if info := p.known(); info != nil {
		return *info, nil
	}
	release, err := p.acquire(ctx)
	if err != nil {
		return asr.Info{}, err
	}
	defer release()
	w, err := p.take(ctx, nil)
	if err != nil {
		return asr.Info{}, err
	}
	p.park(w)
	return *p.known(), nil
}

// Recognize implements asr.Recognizer. The error is Unavailable if the engine cannot be started, and Poisoned if two
// children failed on the chunk. Cancelling ctx kills the active child.
func (p *Pool) Recognize(ctx context.Context, r asr.Request) (*asr.Recognition, error) {
	if len(r.PCM.Samples) == 0 {
		return &asr.Recognition{}, ctx.Err()
	}
	release, err := p.acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	w, err := p.take(ctx, r.Vocabulary)
	if err != nil {
		return nil, err
	}
	found, err := p.try(ctx, w, r)
	if err == nil || p.final(ctx, err) {
		return found, err
	}
	p.c.Log.Warn("recogniser failed on a chunk; retrying once", "engine", w.info.Engine, "error", err)
	if w, err = p.fresh(ctx); err != nil {
		return nil, err
	}
	if found, err = p.try(ctx, w, r); err == nil || p.final(ctx, err) {
		return found, err
	}
	return nil, &asr.Poisoned{Cause: err}
}

// final reports whether a retry is pointless.
func (p *Pool) final(ctx context.Context, err error) bool {
	return ctx.Err() != nil || p.ctx.Err() != nil || fault.Is(err, fault.Unavailable) || fault.Is(err, fault.Invalid)
}

// try sends the request to a child once, with a time limit, and returns the child to the pool if it is still usable.
func (p *Pool) try(ctx context.Context, w *worker, r asr.Request) (*asr.Recognition, error) {
	if r.PCM.Duration() > w.info.MaxChunk {
		p.park(w)
		return nil, fault.New(fault.Invalid, fault.CodeEngineFailed, "the chunk is %v long; the limit is %v",
			r.PCM.Duration(), w.info.MaxChunk)
	}
	limited, cancel := sandbox.WithTime(ctx, w.pid, p.c.ChunkTime(r.PCM.Duration()), errHangs)
	defer cancel()
	found, err := w.recognize(limited, r)
	switch {
	case err == nil || fault.Is(err, fault.Unavailable) || fault.Is(err, fault.Invalid):
		w.vocabulary = r.Vocabulary
		p.park(w)
		return found, err
	case p.ctx.Err() != nil:
		err = errClosed
	}
	w.kill()
	return nil, err
}

var errHangs = errors.New("recogniser did not answer in time")

// take returns an idle child, preferably one with the same vocabulary, or a new one.
func (p *Pool) take(ctx context.Context, lists []vocabulary.Vocabulary) (*worker, error) {
	for {
		w := p.pick(lists)
		if w == nil {
			return p.fresh(ctx)
		}
		if w.alive() {
			return w, nil
		}
		w.kill()
	}
}

func (p *Pool) pick(lists []vocabulary.Vocabulary) *worker {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.idle) == 0 {
		return nil
	}
	best := slices.IndexFunc(p.idle, func(w *worker) bool { return same(w.vocabulary, lists) })
	if best < 0 {
		best = len(p.idle) - 1
	}
	w := p.idle[best]
	p.idle = slices.Delete(p.idle, best, best+1)
	return w
}

func (p *Pool) fresh(ctx context.Context) (*worker, error) {
	w, err := p.start(ctx)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.info == nil {
		info := w.info
		info.Parallel = p.c.Children
		p.info = &info
	}
	return w, nil
}

func (p *Pool) park(w *worker) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ctx.Err() != nil || len(p.idle) >= p.c.Children { // the extra process for several accounts is not kept
		w.kill()
		return
	}
	p.idle = append(p.idle, w)
}

func (p *Pool) known() *asr.Info {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.info
}

// acquire waits until the account of ctx may use a child.
func (p *Pool) acquire(ctx context.Context) (release func(), err error) {
	waiting, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(p.ctx, cancel)()
	release, err = p.room.Enter(waiting, fair.Account(ctx))
	switch {
	case ctx.Err() != nil:
		err = ctx.Err()
	case p.ctx.Err() != nil:
		err = errClosed
	}
	if err != nil && release != nil {
		release()
	}
	return release, err
}

func same(a, b []vocabulary.Vocabulary) bool {
	return slices.EqualFunc(a, b, func(x, y vocabulary.Vocabulary) bool { return reflect.DeepEqual(x, y) })
}

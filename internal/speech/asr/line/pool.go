package line

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"log/slog"
	"math"
	"runtime"
	"sync"
	"time"

	"parley/internal/host/fair"
	"parley/internal/host/sandbox"
	"parley/internal/speech/asr"
	"parley/internal/words/fault"
)

// Config says which program is the engine and what its processes may use.
type Config struct {
	Command []string // program and arguments
	// processes at work for one account; 0: one a core. Of several accounts there is one more
	Children  int
	Limits    sandbox.Limits                          // of each process
	StartTime time.Duration                           // until the greeting, of the process's own time; 0: a minute
	ChunkTime func(audio time.Duration) time.Duration // for one chunk, likewise; nil: a minute and ten times its length
	Log       *slog.Logger                            // of crashes; never of what was said
}

// Pool is an asr.Recognizer over child processes. They are started when first needed, used again, and
// replaced when they crash, hang or answer garbage; a chunk whose second child fails too is asr.Poisoned.
type Pool struct {
	c        Config
	room     *fair.Room      // for the children at work
	ctx      context.Context // ends with the pool
	cancel   context.CancelFunc
	children sync.WaitGroup // processes not reaped yet

	mu   sync.Mutex
	idle []*worker
	info *asr.Info // of the child that greeted first
}

var errClosed = fault.New(fault.Unavailable, fault.CodeEngineFailed, "recogniser is shut down")

// NewPool returns a pool without any process yet. Close it.
func NewPool(c Config) *Pool {
	if c.Children <= 0 {
		c.Children = runtime.NumCPU()
	}
	if c.StartTime == 0 {
		c.StartTime = time.Minute
	}
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

// Close kills all children and waits until they are gone. Running and later requests fail.
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

// Info returns what the engine is; it starts a child when none has been started yet.
func (p *Pool) Info(ctx context.Context) (asr.Info, error) {
	if info := p.known(); info != nil {
		return *info, nil
	}
	release, err := p.acquire(ctx)
	if err != nil {
		return asr.Info{}, err
	}
	defer release()
	w, err := p.take(ctx, "")
	if err != nil {
		return asr.Info{}, err
	}
	p.park(w)
	return *p.known(), nil
}

// Recognize implements asr.Recognizer. An engine that cannot be started is Unavailable; a chunk that two
// children failed on is Poisoned; ctx kills the child at work.
func (p *Pool) Recognize(ctx context.Context, r asr.Request) (*asr.Recognition, error) {
	if len(r.PCM.Samples) == 0 {
		return &asr.Recognition{}, ctx.Err()
	}
	release, err := p.acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	w, err := p.take(ctx, tuning(r))
	if err != nil {
		return nil, err
	}
	found, err := p.try(ctx, w, r)
	if err == nil || p.final(ctx, err) {
		return found, err
	}
	p.c.Log.Warn("recogniser failed on a chunk; it is tried once more", "engine", w.info.Engine, "error", err)
	if w, err = p.fresh(ctx); err != nil {
		return nil, err
	}
	if found, err = p.try(ctx, w, r); err == nil || p.final(ctx, err) {
		return found, err
	}
	return nil, &asr.Poisoned{Cause: err}
}

// final tells whether another try is of no use.
func (p *Pool) final(ctx context.Context, err error) bool {
	return ctx.Err() != nil || p.ctx.Err() != nil || fault.Is(err, fault.Unavailable) || fault.Is(err, fault.Invalid)
}

// try asks a child once, in bounded time, and puts it back if it is still good.
func (p *Pool) try(ctx context.Context, w *worker, r asr.Request) (*asr.Recognition, error) {
	if r.PCM.Duration() > w.info.MaxChunk {
		p.park(w)
		return nil, fault.New(fault.Invalid, fault.CodeEngineFailed, "chunk of %v is longer than %v", r.PCM.Duration(),
			w.info.MaxChunk)
	}
	limited, cancel := sandbox.WithTime(ctx, w.pid, p.c.ChunkTime(r.PCM.Duration()), errHangs)
	defer cancel()
	found, err := w.recognize(limited, r)
	switch {
	case err == nil || fault.Is(err, fault.Unavailable) || fault.Is(err, fault.Invalid):
		w.tuned = tuning(r)
		p.park(w)
		return found, err
	case p.ctx.Err() != nil:
		err = errClosed
	}
	w.kill()
	return nil, err
}

var errHangs = errors.New("recogniser did not answer in time")

// take returns an idle child, best one with the same vocabulary, or a new one.
func (p *Pool) take(ctx context.Context, tuned string) (*worker, error) {
	for {
		w := p.pick(tuned)
		if w == nil {
			return p.fresh(ctx)
		}
		if w.alive() {
			return w, nil
		}
		w.kill()
	}
}

func (p *Pool) pick(tuned string) *worker {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.idle) == 0 {
		return nil
	}
	best := len(p.idle) - 1
	for i, w := range p.idle {
		if w.tuned == tuned {
			best = i
		}
	}
	w := p.idle[best]
	p.idle = append(p.idle[:best], p.idle[best+1:]...)
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
	if p.ctx.Err() != nil || len(p.idle) >= p.c.Children { // the one more is not kept
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

// acquire waits until a child may be at work for the account of ctx.
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

// tuning names a request's vocabulary: empty for none.
func tuning(r asr.Request) string {
	if len(r.Vocabulary) == 0 {
		return ""
	}
	data, err := json.Marshal(r.Vocabulary)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(data)
	return string(sum[:])
}

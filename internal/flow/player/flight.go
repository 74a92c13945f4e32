package player

import (
	"context"
	"fmt"

	"parley/internal/host/fair"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// work is what is made: a stream of an item, from the recording in a blob.
type work struct {
	owner account.ID
	media media.ID
	from  string
	name  string
}

// flight makes something once for all who ask for it meanwhile. It runs in a goroutine of its own, and ends when it is
// made, when nobody waits any more, or when the player is closed.
type flight struct {
	waiters int // guarded by Player.mu
	cancel  context.CancelFunc
	done    chan struct{} // closed when err is final
	err     error
}

// once waits until something is made, by this call or one before.
func (p *Player) once(ctx context.Context, w work, do func(context.Context) error) error {
	f := p.join(w, do)
	defer p.leave(w, f)
	select {
	case <-f.done:
		return f.err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (p *Player) join(w work, do func(context.Context) error) *flight {
	p.mu.Lock()
	defer p.mu.Unlock()
	f := p.flights[w]
	if f == nil {
		f = &flight{done: make(chan struct{})}
		ctx, cancel := context.WithTimeoutCause(p.ctx, longestMake,
			fault.New(fault.Unavailable, fault.CodeUnavailable, "making %s took longer than %v", w.name, longestMake))
		f.cancel = cancel
		p.flights[w] = f
		p.running.Go(func() { p.run(fair.With(ctx, p.Processors, string(w.owner)), w, f, do) })
	}
	f.waiters++
	return f
}

// leave ends one caller's wait, and the flight if it was the last one.
func (p *Player) leave(w work, f *flight) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if f.waiters--; f.waiters == 0 {
		p.detach(w, f)
		f.cancel()
	}
}

// detach makes the next caller start a new flight. The caller holds p.mu.
func (p *Player) detach(w work, f *flight) {
	if p.flights[w] == f {
		delete(p.flights, w)
	}
}

func (p *Player) run(ctx context.Context, w work, f *flight, do func(context.Context) error) {
	defer f.cancel()
	err := p.admitted(ctx, w, do)
	if err != nil && p.ctx.Err() != nil {
		err = fault.New(fault.Unavailable, fault.CodeUnavailable, "the server is shutting down; ask again")
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.detach(w, f)
	f.err = err
	close(f.done)
}

func (p *Player) admitted(ctx context.Context, w work, do func(context.Context) error) error {
	leave, err := enter(ctx, p.makes, w.owner, "waveforms and playable streams")
	if err != nil {
		return err
	}
	defer leave()
	if err := do(ctx); err != nil {
		return fmt.Errorf("make %s of media %s: %w", w.name, w.media, err)
	}
	return nil
}

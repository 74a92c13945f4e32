package bench

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync/atomic"
	"time"

	"parley/internal/call/delivery"
	"parley/internal/flow/callback"
	"parley/internal/flow/payload"
	"parley/internal/host/netguard"
	"parley/internal/lab/corpus"
	"parley/internal/storage/job"
	"parley/internal/storage/store"
	"parley/internal/words/media"
)

// Callbacks is a benchmark of deliveries: one delivery for each of some generated calls, to receivers on this machine
// that accept immediately.
type Callbacks struct {
	Generated
	Receivers int
}

// CallbacksResult is the result of Callbacks.
type CallbacksResult struct {
	Took  time.Duration // until all were delivered
	Work  time.Duration // CPU time of this process, including the receivers
	Bytes int64         // of the bodies
}

// Run stores the calls and delivers the callbacks.
func (b Callbacks) Run(ctx context.Context, progress Progress) (f CallbacksResult, err error) {
	db, codec, err := b.Open(ctx)
	if err != nil {
		return f, err
	}
	defer db.Close()
	calls := corpus.New(corpus.Config{Words: b.Words})
	owner, err := b.Store(ctx, db, codec, calls, searchable, progress)
	if err != nil {
		return f, err
	}
	var got, bytes atomic.Int64
	all := make(chan struct{})
	var addresses []string
	for range b.Receivers {
		web := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			n, _ := io.Copy(io.Discard, r.Body)
			bytes.Add(n)
			if got.Add(1) == int64(b.Calls) {
				close(all)
			}
		}))
		defer web.Close()
		addresses = append(addresses, web.URL)
	}
	err = db.Update(ctx, func(tx *store.Tx) error {
		for n := range b.Calls {
			m := media.Media{ID: calls.Call(n).ID, Account: owner}
			if err := tx.SetProgress(m.ID, media.NewProgress("")); err != nil {
				return err
			}
			c := delivery.Callback{URL: addresses[n%len(addresses)] + "/results", Method: http.MethodPost,
				Type: delivery.Analytics}
			if _, err := callback.Jobs(tx, &m, []delivery.Callback{c}, false, time.Now()); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return f, err
	}
	guard := netguard.New(netguard.Config{AllowHTTP: true,
		AllowNetworks: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}})
	defer guard.Close()
	bodies := &payload.Renderer{Store: db, Codec: codec, Location: func(context.Context, *media.Media, string) string {
		return ""
	}}
	caller := &callback.Caller{
		Store: db, Source: bodies.Body, Client: guard.Client(), Schedule: delivery.Default(), Metrics: noMetrics{},
		Log: slog.New(slog.DiscardHandler),
	}
	runner := job.NewRunner(db.Queue(),
		caller.Workers(job.Config{Worker: "bench", Workers: 512, PerLane: 8, Grace: time.Minute}))
	before, began := ProcessorTime(), time.Now()
	running, stop := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		runner.Run(running)
	}()
	defer func() { stop(); <-ended }()
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-all:
			return CallbacksResult{Took: time.Since(began), Work: ProcessorTime() - before, Bytes: bytes.Load()}, nil
		case <-ctx.Done():
			return f, fmt.Errorf("after %d deliveries: %w", got.Load(), context.Cause(ctx))
		case <-tick.C:
			progress("delivering", got.Load(), int64(b.Calls))
		}
	}
}

type noMetrics struct{}

func (noMetrics) Tried(bool, time.Duration) {}

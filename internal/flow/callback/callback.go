// Package callback attempts a delivery until its receiver accepts it or its schedule ends: one job per delivery, one
// claim of the job per attempt.
//
// The outcome of a try is recorded when it ends; a successful one in the same transaction as the end of the job. So
// nothing is sent again after a recorded success, and a crash during a try repeats only that try. Bodies come from a
// Source; package netguard's client checks addresses.
package callback

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"parley/internal/call/delivery"
	"parley/internal/storage/job"
	"parley/internal/storage/store"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// Kind is the kind of the jobs.
const Kind = "deliver"

// Body is the content of a delivery. Open may be called several times, and yields the same bytes each time; errors of
// Open and of reading are those of a Source.
type Body struct {
	ContentType string
	Length      int64 // bytes
	Open        func(ctx context.Context) (io.ReadCloser, error)
}

// Source makes the body of a delivery when it is needed. The kind of its error is NotFound when there is nothing left
// to deliver, and Unavailable when the body is temporarily unavailable.
type Source func(ctx context.Context, d delivery.Delivery) (Body, error)

// Metrics counts tries.
type Metrics interface {
	Tried(accepted bool, took time.Duration)
}

// Caller makes deliveries. It is safe for concurrent use.
type Caller struct {
	Store    *store.Store
	Source   Source
	Client   *http.Client // does not follow redirects
	Schedule delivery.Schedule
	Patience time.Duration // maximum time without the receiver reading or answering; 0: 30 s
	Metrics  Metrics
	Log      *slog.Logger
}

// Jobs adds the first deliveries that a configuration asks for, in the transaction that ends the processing of an item,
// and returns them.
func Jobs(
	tx *store.Tx, m *media.Media, callbacks []delivery.Callback, failed bool, now time.Time,
) (made []delivery.Delivery, err error) {
	for i, c := range callbacks {
		if !Due(c, failed) {
			continue
		}
		d := delivery.New(m, i, c, now)
		if err := tx.AddDelivery(d); err != nil {
			return nil, err
		}
		if err := enqueue(tx, d); err != nil {
			return nil, err
		}
		made = append(made, d)
	}
	return made, nil
}

// Due reports whether a callback is delivered. For a failed item only analytics callbacks are, and they carry the
// error.
func Due(c delivery.Callback, failed bool) bool { return !failed || c.Type == delivery.Analytics }

func enqueue(tx *store.Tx, d delivery.Delivery) error {
	_, err := tx.Enqueue(job.Spec{
		Kind: Kind, Account: string(d.Account), Lane: d.Lane(), Subject: string(d.Media), Priority: int(media.Normal),
		Payload: []byte(d.ID), RunAt: d.Next,
	})
	return err
}

// Again restarts the schedule of a delivery immediately. It returns Conflict while a try of the delivery is running.
func Again(tx *store.Tx, owner account.ID, m media.ID, id string) (delivery.Delivery, error) {
	d, err := tx.Delivery(owner, m, id)
	if err != nil {
		return d, err
	}
	now, err := tx.Now()
	if err != nil {
		return d, err
	}
	jobs, err := tx.JobsOf(owner, m)
	if err != nil {
		return d, err
	}
	for _, j := range jobs {
		switch {
		case j.Kind != Kind || string(j.Payload) != d.ID:
		case j.State == job.Running:
			return d, fault.New(fault.Conflict, fault.CodeConflict,
				"callback %s is being delivered now; try again after the attempt has ended", id)
		default:
			if err := tx.DropJob(j); err != nil {
				return d, err
			}
		}
	}
	d.State, d.Attempt, d.Began, d.Next, d.Done = delivery.Pending, 0, now, now, time.Time{}
	if err := tx.SetDelivery(d); err != nil {
		return d, err
	}
	return d, enqueue(tx, d)
}

// Workers completes the configuration of a delivery runner: the handler, and a limit that keeps workers free for other
// accounts however many receivers of one account hang.
func (c *Caller) Workers(r job.Config) job.Config {
	r.Handlers, r.Spent, r.Spare = map[string]job.Handler{Kind: c.Deliver, KindRetry: c.Retry}, c.Spent, true
	return r
}

// Deliver makes one attempt: up to three tries, one second apart.
func (c *Caller) Deliver(ctx context.Context, j job.Job) error {
	a, err := c.begin(ctx, j)
	if err != nil || a == nil {
		return err
	}
	body, err := c.Source(ctx, a.delivery)
	if err != nil {
		return c.bodiless(ctx, a, err)
	}
	for {
		try, pause, err := c.send(ctx, a, body)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			return c.bodiless(ctx, a, err)
		}
		next := a.judge(try)
		if err := c.record(ctx, a, try, next); err != nil || next != again {
			return err
		}
		if err := wait(ctx, pause); err != nil {
			return err
		}
	}
}

// bodiless ends a delivery whose content is gone. If the body is temporarily unavailable, the delivery waits, which
// does not count as a try.
func (c *Caller) bodiless(ctx context.Context, a *attempt, err error) error {
	if !fault.Is(err, fault.NotFound) {
		return err
	}
	return c.record(ctx, a, delivery.Try{Attempt: a.delivery.Attempt, At: time.Now().UTC(), Error: err.Error()}, ended)
}

// attempt is one attempt in progress.
type attempt struct {
	job      job.Job
	delivery delivery.Delivery
	secrets  []delivery.Secret
}

// begin loads the delivery of a job; nil if there is nothing left to do.
func (c *Caller) begin(ctx context.Context, j job.Job) (*attempt, error) {
	a := &attempt{job: j}
	err := c.Store.View(ctx, func(tx *store.Tx) (err error) {
		if a.delivery, err = tx.Delivery(account.ID(j.Account), media.ID(j.Subject), string(j.Payload)); err != nil {
			return err
		}
		a.secrets, err = tx.CallbackSecrets(a.delivery.Account)
		return err
	})
	if fault.Is(err, fault.NotFound) || err == nil && a.delivery.State != delivery.Pending {
		return nil, nil
	}
	return a, err
}

// step is the next step after a try.
type step int

const (
	again step = iota // another try of the same attempt
	later             // the next attempt of the schedule
	ended             // none
)

// judge decides the next step after a try. Tries of an interrupted run of the same attempt count.
func (a *attempt) judge(t delivery.Try) step {
	switch {
	case t.Accepted() || t.Gone():
		return ended
	case a.delivery.Tried+1 >= delivery.TriesPerAttempt:
		return later
	}
	return again
}

// record writes the outcome of a try and the next step. While the database is unavailable, it retries for as long as
// the job is held: what the receiver has accepted must not be sent again.
func (c *Caller) record(ctx context.Context, a *attempt, try delivery.Try, next step) error {
	c.Metrics.Tried(try.Accepted(), try.Took)
	c.Log.Debug("callback tried", "delivery", a.delivery.ID, "media", a.delivery.Media, "attempt", try.Attempt,
		"status", try.Status, "took", try.Took)
	d := c.following(a.delivery, try, next)
	for pause := time.Second; ; pause = min(2*pause, time.Minute) {
		err := c.Store.Update(ctx, func(tx *store.Tx) error { return a.write(tx, d, try) })
		if err == nil {
			a.delivery = d
		}
		if !fault.Is(err, fault.Unavailable) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause):
		}
	}
}

// following returns the state of a delivery after a try.
func (c *Caller) following(d delivery.Delivery, try delivery.Try, next step) delivery.Delivery {
	if next == again {
		d.Tried++
		return d
	}
	d.Attempt, d.Tried = d.Attempt+1, 0
	if due, more := c.Schedule.At(d.Began, d.Attempt); more && next == later {
		d.Next = due
		return d
	}
	d.State, d.Next, d.Done = delivery.Failed, time.Time{}, try.At.Add(try.Took)
	if try.Accepted() {
		d.State = delivery.Delivered
	}
	return d
}

// write stores a try, the state of the delivery after it, and the state of the job in one transaction.
func (a *attempt) write(tx *store.Tx, d delivery.Delivery, try delivery.Try) error {
	settle := func() error { return tx.FenceJob(a.job) }
	switch {
	case d.State != delivery.Pending:
		settle = func() error { return tx.CompleteJob(a.job) }
	case d.Tried == 0:
		settle = func() error { return tx.RescheduleJob(a.job, d.Next, a.job.Payload) }
	}
	if err := settle(); err != nil {
		return err
	}
	if err := tx.AddTry(d, try); err != nil {
		return err
	}
	return tx.SetDelivery(d)
}

// Spent ends a delivery whose body repeatedly could not be made, and a request to repeat deliveries that repeatedly
// failed.
func (c *Caller) Spent(ctx context.Context, j job.Job, _ error) error {
	if j.Kind == KindRetry {
		return c.fenced(ctx, j, func(tx *store.Tx) error { return tx.EndRetry(j.Subject, store.ApplyFailed) })
	}
	return c.Store.Update(ctx, func(tx *store.Tx) error {
		if err := tx.FenceJob(j); err != nil {
			return err
		}
		d, err := tx.Delivery(account.ID(j.Account), media.ID(j.Subject), string(j.Payload))
		if fault.Is(err, fault.NotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		now, err := tx.Now()
		if err != nil {
			return err
		}
		try := delivery.Try{Attempt: d.Attempt, At: now,
			Error: fmt.Sprintf("rendering the body failed; search the server's log for job %s", j.ID)}
		if err := tx.AddTry(d, try); err != nil {
			return err
		}
		d.State, d.Next, d.Done = delivery.Failed, time.Time{}, now
		return tx.SetDelivery(d)
	})
}

// wait waits between two tries. If the worker stops, it returns the job instead.
func wait(ctx context.Context, pause time.Duration) error {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-job.Draining(ctx):
		return job.ErrDrained
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// longestPause is the upper bound of a Retry-After between two tries, since a worker is blocked meanwhile.
const longestPause = 30 * time.Second

// pauseOf returns how long to wait after an answer: the time in its Retry-After, within bounds.
func pauseOf(answer *http.Response, now time.Time) time.Duration {
	text := answer.Header.Get("Retry-After")
	pause := time.Duration(0)
	if seconds, err := strconv.Atoi(text); err == nil {
		pause = time.Duration(min(seconds, 3600)) * time.Second
	} else if at, err := http.ParseTime(text); err == nil {
		pause = at.Sub(now)
	}
	return min(max(pause, delivery.Pause), longestPause)
}

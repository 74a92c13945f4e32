// Package callback makes a delivery until its receiver accepts it or its schedule is over: one job a delivery, one
// claim an attempt.
//
// A try is recorded when it is over, the one that was accepted together with the end of the job: nothing is sent
// again after a recorded success, and a crash in the middle of a try repeats that try alone. Bodies come from a
// Source; addresses are judged by the client, package netguard's.
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

// Body is what is delivered. Open may be called several times, and gives the same bytes each time; errors of Open and
// of reading are those of a Source.
type Body struct {
	ContentType string
	Length      int64 // bytes
	Open        func(ctx context.Context) (io.ReadCloser, error)
}

// Source makes the body of a delivery at the moment it is needed. Its error is of kind NotFound when there is nothing
// to deliver any more, of kind Unavailable when it cannot be had now.
type Source func(ctx context.Context, d delivery.Delivery) (Body, error)

// Metrics counts tries.
type Metrics interface {
	Tried(accepted bool, took time.Duration)
}

// Caller makes deliveries. It may be used by many goroutines.
type Caller struct {
	Store    *store.Store
	Source   Source
	Client   *http.Client // does not follow redirects
	Schedule delivery.Schedule
	Patience time.Duration // for which a receiver may neither read nor answer; 0: 30 s
	Metrics  Metrics
	Log      *slog.Logger
}

// Jobs adds the first deliveries of what a configuration asked for, in the transaction that ends the processing of an
// item, and returns them.
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

// Due reports whether there is a delivery of a callback. Of an item that failed only analytics callbacks tell, and what
// they say is the error.
func Due(c delivery.Callback, failed bool) bool { return !failed || c.Type == delivery.Analytics }

func enqueue(tx *store.Tx, d delivery.Delivery) error {
	_, err := tx.Enqueue(job.Spec{
		Kind: Kind, Account: string(d.Account), Lane: d.Lane(), Subject: string(d.Media), Priority: int(media.Normal),
		Payload: []byte(d.ID), RunAt: d.Next,
	})
	return err
}

// Again begins the schedule of a delivery anew, now. Conflict while a try of it is under way.
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
				"callback %s is being delivered at this moment; look again when that is over", id)
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

// Workers completes what a runner of deliveries is told: what it does, and that receivers of one account, however many
// are dead, leave workers for the others.
func (c *Caller) Workers(r job.Config) job.Config {
	r.Handlers, r.Spent, r.Spare = map[string]job.Handler{Kind: c.Deliver}, c.Spent, true
	return r
}

// Deliver makes one attempt: up to three tries, a second between.
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

// bodiless ends a delivery of what is gone. A body that cannot be had now is waited for, and costs no try.
func (c *Caller) bodiless(ctx context.Context, a *attempt, err error) error {
	if !fault.Is(err, fault.NotFound) {
		return err
	}
	return c.record(ctx, a, delivery.Try{Attempt: a.delivery.Attempt, At: time.Now().UTC(), Error: err.Error()}, ended)
}

// attempt is one attempt under way.
type attempt struct {
	job      job.Job
	delivery delivery.Delivery
	secrets  []delivery.Secret
}

// begin loads what a job is about; nil when there is nothing to be done any more.
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

// step is what follows a try.
type step int

const (
	again step = iota // another try of the same attempt
	later             // the next attempt of the schedule
	ended             // nothing
)

// judge decides what follows a try. Tries of an interrupted run of the same attempt count.
func (a *attempt) judge(t delivery.Try) step {
	switch {
	case t.Accepted() || t.Gone():
		return ended
	case a.delivery.Tried+1 >= delivery.TriesPerAttempt:
		return later
	}
	return again
}

// record writes what came of a try and what follows. While the database is away it is tried again for as long as the
// job is held: what the receiver has accepted must not be sent again.
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

// following is a delivery after a try.
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

// write stores a try and the delivery after it, and what becomes of the job, in one transaction.
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

// Spent ends a delivery whose body could not be made, again and again.
func (c *Caller) Spent(ctx context.Context, j job.Job, _ error) error {
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
			Error: fmt.Sprintf("the body could not be made; the operator finds the cause in the server's log under job %s", j.ID)}
		if err := tx.AddTry(d, try); err != nil {
			return err
		}
		d.State, d.Next, d.Done = delivery.Failed, time.Time{}, now
		return tx.SetDelivery(d)
	})
}

// wait waits between two tries. A worker that stops gives the job back instead.
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

// longestPause bounds what a Retry-After may ask for between two tries: a worker waits meanwhile.
const longestPause = 30 * time.Second

// pauseOf is how long to wait after an answer: what it asks for in Retry-After, within reason.
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

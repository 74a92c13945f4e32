// Package job is a durable queue: rows of the table job. They are written in the transactions of the code that needs
// the work done, claimed by workers under leases, and fenced, so that a worker that has lost its lease cannot change
// anything any more.
//
// It does not know the kinds of work (packages pipeline and callback do), and does not open databases or create tables
// (package store does).
//
// # States
//
//	ready ──Claim──▶ running ──Complete──▶ (row removed)
//	  ▲                │ │ └──Bury────────▶ dead ──Requeue──▶ ready
//	  └─Retry, Stall,──┘ └──lease expired──▶ ready (an interruption)
//	    Release
package job

import (
	"errors"
	"time"
)

// ErrLost means that the caller does not hold the job any more: its lease expired and another worker may have it, or
// the job was deleted. The caller must not write anything for it.
var ErrLost = errors.New("job: lease lost")

// Times and limits of the queue.
const (
	Lease            = 15 * time.Second // duration of a claim without a heartbeat
	Beat             = 5 * time.Second  // interval of lease renewals
	DefaultAttempts  = 3                // failures before a job is dead, unless its Spec says otherwise
	MaxInterruptions = 50               // consecutive lost leases without progress before a job is dead
)

// ID identifies a job: a UUIDv7 in its usual text form.
type ID string

// State is the state of a job.
type State string

// The states. A completed job has no row.
const (
	Ready   State = "ready"   // waits until it is due and for a worker
	Running State = "running" // a worker holds its lease
	Dead    State = "dead"    // has used up its attempts; waits for Requeue
)

// later is the state of a row whose job is Ready, but was not due when the row was written. Claims do not find it among
// the others until its lane makes it ready.
const later = "later"

// waiting returns the state of a row whose job is due at a time.
func waiting(due, now time.Time) string {
	if due.After(now) {
		return later
	}
	return string(Ready)
}

// Spec describes a job to enqueue.
type Spec struct {
	Kind        string
	Account     string    // owner: its deletion deletes the job; empty for the server's own work
	Lane        string    // jobs of one lane share turns and limit; empty: the account's lane
	Subject     string    // object of the job, such as a media id
	Priority    int       // 0 high, 1 normal, 2 low, as in package media
	Payload     []byte    // data for the handler
	RunAt       time.Time // not before; zero: now
	MaxAttempts int       // 0: DefaultAttempts
}

// Job is a row of the queue.
type Job struct {
	ID            ID
	Kind          string
	Account       string
	Lane          string
	Subject       string
	Priority      int
	Payload       []byte
	State         State
	Attempts      int   // failures so far
	MaxAttempts   int   // failures before it is dead
	Interruptions int   // lost leases since its last progress
	Stalls        int   // consecutive times that a dependency was unavailable
	Fence         int64 // rises with each claim; writes of older claims are refused
	RunAt         time.Time
	Created       time.Time
	LastError     string
	Worker        string    // holder of the lease; empty unless running
	LeaseUntil    time.Time // zero unless running
}

func (j Job) lane() Lane { return Lane{j.Kind, j.Account, j.Lane} }

// LastAttempt reports whether one more failure makes the job dead.
func (j Job) LastAttempt() bool { return j.Attempts+1 >= j.MaxAttempts }

// Exhausted reports whether the job was interrupted so often without progress that running it again would probably
// crash the worker again.
func (j Job) Exhausted() bool { return j.Interruptions >= MaxInterruptions }

// rank is the sort key of a job in its lane, in microseconds: its due time, shifted by its priority. So low waits at
// most an hour longer than normal, and normal at most a day longer than high.
func rank(due time.Time, priority int) int64 {
	switch {
	case priority <= 0:
		due = due.Add(-24 * time.Hour)
	case priority >= 2:
		due = due.Add(time.Hour)
	}
	return due.UnixMicro()
}

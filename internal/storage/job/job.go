// Package job is a durable queue: rows of the table job, written in the transactions of whoever needs
// work done, claimed under leases by workers, and fenced so that a worker that lost its lease can change
// nothing any more.
//
// It does not know what the kinds of work are, open databases or create tables; package store does the
// latter two, packages pipeline and callback the former.
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

// ErrLost says that a job is not ours any more: its lease expired and another worker may have it, or the
// job was deleted. Whatever was about to be written for it must not be.
var ErrLost = errors.New("job: lease lost")

// Times and limits of the queue.
const (
	Lease            = 15 * time.Second // how long a claim holds without a heartbeat
	Beat             = 5 * time.Second  // how often a worker renews its leases
	DefaultAttempts  = 3                // failures before a job is dead, where its Spec gives none
	MaxInterruptions = 50               // lost leases in a row, without progress, before a job is dead
)

// ID identifies a job: a UUIDv7 in its usual text form.
type ID string

// State is the state of a job.
type State string

// The states. A completed job has no row.
const (
	Ready   State = "ready"   // waits for its time and a worker
	Running State = "running" // a worker holds its lease
	Dead    State = "dead"    // its attempts are spent; waits for Requeue
)

// Spec is what is asked for when a job is enqueued.
type Spec struct {
	Kind        string
	Account     string    // whose it is: goes with the account; empty for the server's own work
	Lane        string    // work of one lane shares its turns and its limit; empty: the account's
	Subject     string    // what it is about, such as a media id
	Priority    int       // 0 high, 1 normal, 2 low, as in package media
	Payload     []byte    // the handler's own
	RunAt       time.Time // not before; zero: now
	MaxAttempts int       // 0: DefaultAttempts
}

// Job is a row of the queue.
type Job struct {
	ID            ID
	Kind          string
	Account       string
	Subject       string
	Priority      int
	Payload       []byte
	State         State
	Attempts      int   // failures so far
	MaxAttempts   int   // failures before it is dead
	Interruptions int   // lost leases since it last made progress
	Stalls        int   // times in a row that something it needs was unavailable
	Fence         int64 // rises with each claim; an effect of an older claim is refused
	RunAt         time.Time
	Created       time.Time
	LastError     string
	Worker        string    // who holds the lease; empty unless running
	LeaseUntil    time.Time // zero unless running
}

// LastAttempt reports whether one more failure makes the job dead.
func (j Job) LastAttempt() bool { return j.Attempts+1 >= j.MaxAttempts }

// Exhausted reports whether the job was interrupted so often without progress that running it again
// would probably take the worker down once more.
func (j Job) Exhausted() bool { return j.Interruptions >= MaxInterruptions }

// rank is the place of a job in its lane's queue, in microseconds: the time it was due, moved by its
// priority. So low waits at most an hour behind normal, and normal at most a day behind high.
func rank(due time.Time, priority int) int64 {
	switch {
	case priority <= 0:
		due = due.Add(-24 * time.Hour)
	case priority >= 2:
		due = due.Add(time.Hour)
	}
	return due.UnixMicro()
}

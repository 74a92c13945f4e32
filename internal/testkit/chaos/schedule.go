// Package chaos has the words and pure functions of a trial in which a cluster is put under faults: a schedule of faults
// from a seed, the history of what clients and receivers saw, the state that the cluster is left in, and a checker that
// compares both.
//
// It starts nothing; the trial itself is a test of package soak.
package chaos

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"
)

// Kind is a kind of fault.
type Kind string

// The kinds. Those of a node take one node; the others all of its kind.
const (
	KillNode        Kind = "kill-node"        // SIGKILL, and a new start at the end
	FreezeNode      Kind = "freeze-node"      // SIGSTOP, and SIGCONT at the end
	StopNode        Kind = "stop-node"        // SIGTERM, and a new start at the end
	CutDatabase     Kind = "cut-database"     // connections of a node to PostgreSQL are reset and refused
	SilenceDatabase Kind = "silence-database" // they stay open and pass nothing
	SlowDatabase    Kind = "slow-database"    // a delay of each packet
	CutStorage      Kind = "cut-storage"      // as for the database, to S3
	SilenceStorage  Kind = "silence-storage"
	LoseAnswers     Kind = "lose-answers" // S3 gets requests of a node, and its answers are lost
	CrashDatabase   Kind = "crash-database"
	FailOver        Kind = "fail-over"      // PostgreSQL's host dies, and the standby takes over; at most once
	FreezeStorage   Kind = "freeze-storage" // SIGSTOP of the S3 server
	RejectCallbacks Kind = "reject-callbacks"
	SilentReceiver  Kind = "silent-receiver" // receives, and never answers
)

// Kinds lists all kinds.
func Kinds() []Kind {
	return []Kind{KillNode, FreezeNode, StopNode, CutDatabase, SilenceDatabase, SlowDatabase, CutStorage, SilenceStorage,
		LoseAnswers, CrashDatabase, FailOver, FreezeStorage, RejectCallbacks, SilentReceiver}
}

// ofNode reports whether a kind is a fault of one node.
func (k Kind) ofNode() bool {
	return !slices.Contains([]Kind{CrashDatabase, FailOver, FreezeStorage, RejectCallbacks, SilentReceiver}, k)
}

// Fault is one fault of a schedule.
type Fault struct {
	Kind Kind
	Node int           // of a fault of one node
	At   time.Duration // since the start of the load
	For  time.Duration
}

// String returns a fault as the ledger has it.
func (f Fault) String() string {
	node := ""
	if f.Kind.ofNode() {
		node = fmt.Sprint(" ", f.Node)
	}
	return fmt.Sprintf("%s%s @%.1fs+%.1fs", f.Kind, node, f.At.Seconds(), f.For.Seconds())
}

// Place is what a fault takes: faults of one place do not overlap.
func (f Fault) Place() string {
	switch f.Kind {
	case KillNode, FreezeNode, StopNode:
		return fmt.Sprint("process ", f.Node)
	case CutDatabase, SilenceDatabase, SlowDatabase:
		return fmt.Sprint("database of ", f.Node)
	case CutStorage, SilenceStorage, LoseAnswers:
		return fmt.Sprint("storage of ", f.Node)
	case CrashDatabase, FailOver:
		return "database"
	case RejectCallbacks, SilentReceiver:
		return "receiver"
	}
	return string(f.Kind)
}

// Schedule returns the faults of a seed, in the order of their starts, all of which end within a time. After a fail-over
// there is no second one, and no crash, since the standby is used.
func Schedule(seed uint64, nodes int, length time.Duration, kinds []Kind) (all []Fault) {
	random := rand.New(rand.NewPCG(seed, 0x5eed))
	for range 4 + random.IntN(5) {
		f := Fault{Kind: kinds[random.IntN(len(kinds))], At: time.Duration(random.Int64N(int64(length * 3 / 4)))}
		if f.Kind.ofNode() {
			f.Node = random.IntN(nodes)
		}
		f.For = min(length/12+time.Duration(random.Int64N(int64(length/4))), length-f.At)
		if f.Kind == FailOver {
			f.For = length - f.At
		}
		if !slices.ContainsFunc(all, f.overlaps) {
			all = append(all, f)
		}
	}
	slices.SortStableFunc(all, func(a, b Fault) int { return cmp.Compare(a.At, b.At) })
	return all
}

// overlaps reports whether two faults take the same place at some time.
func (f Fault) overlaps(other Fault) bool {
	return f.Place() == other.Place() && f.At < other.At+other.For && other.At < f.At+f.For
}

// Package audit has the words of the audit log: who read, changed or deleted what, when, and from where.
//
// An event names things by their ids and says nothing of what is in them. The package stores nothing (package
// store does) and sees no requests (package api does).
package audit

import (
	"time"

	"github.com/google/uuid"

	"parley/internal/words/account"
	"parley/internal/words/media"
)

// ID identifies an event. It is a UUIDv7, so that ids are in the order of events.
type ID string

// NewID returns an id for an event of now.
func NewID() ID { return ID(uuid.Must(uuid.NewV7()).String()) } // fails only without a source of randomness

// ParseID reads an id; false when it is none.
func ParseID(text string) (ID, bool) {
	u, err := uuid.Parse(text)
	return ID(u.String()), err == nil && len(text) == len(u.String())
}

// Time returns when the event was, to the millisecond; zero for what is no id.
func (id ID) Time() time.Time { return media.ID(id).Created() }

// First returns the lowest id of the millisecond that a time lies in.
func First(t time.Time) ID {
	ms := max(t.UnixMilli(), 0)
	var u uuid.UUID
	for i := range 6 {
		u[i] = byte(ms >> (40 - 8*i))
	}
	return ID(u.String())
}

// Action is what was done.
type Action string

// The actions.
const (
	Read   Action = "read"
	Create Action = "create"
	Change Action = "change"
	Delete Action = "delete"
)

// Actions lists all actions.
var Actions = []Action{Read, Create, Change, Delete}

// By is in what capacity something was done.
type By string

// Who does something.
const (
	ByToken   By = "token"       // a request with a token
	BySigned  By = "signedUrl"   // a request with a signed address
	ByCommand By = "commandLine" // the operator, beside the server
	ByExpiry  By = "timeToLive"  // the server, when a time to live is over
)

// Outcome is how it ended.
type Outcome string

// The outcomes.
const (
	Done    Outcome = "done"
	Refused Outcome = "refused" // the request was wrong, or not allowed
	Failed  Outcome = "failed"  // the server could not
)

// Event is one line of the log.
type Event struct {
	ID        ID
	Account   account.ID
	By        By
	Token     string // id of the token, empty without one
	Remote    string // address that the request came from
	Reference string // of the request, as its answer has it
	Action    Action
	Object    string   // what it was done to, as its path has it: "media/transcript"
	Media     media.ID // empty where it is not about one
	Name      string   // name or id of what it was done to, beside Media
	Outcome   Outcome
	Code      int // public code of the error; 0: none
}

// Filter restricts a list of events; zero values do not.
type Filter struct {
	Action        Action
	Media         media.ID
	Token         string
	From          time.Time // at or after
	Until         time.Time // at or before
	After, Before ID
	Ascending     bool // oldest first; else newest first
	Limit         int  // 0: 100
}

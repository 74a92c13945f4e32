// Package audit defines the events of the audit log: who read, changed or deleted what, when, and from where.
//
// An event names objects by id and does not contain their content. The package stores nothing (package store does) and
// handles no requests (package api does).
package audit

import (
	"time"

	"github.com/google/uuid"

	"parley/internal/words/account"
	"parley/internal/words/media"
)

// ID identifies an event. It is a UUIDv7, so ids sort by time.
type ID string

// NewID returns an id with the present time.
func NewID() ID { return ID(uuid.Must(uuid.NewV7()).String()) } // fails only without a source of randomness

// ParseID parses an id; it returns false if the text is not one.
func ParseID(text string) (ID, bool) {
	u, err := uuid.Parse(text)
	return ID(u.String()), err == nil && len(text) == len(u.String())
}

// Time returns the time of the event, to the millisecond; zero for an invalid id.
func (id ID) Time() time.Time { return media.ID(id).Created() }

// First returns the lowest id of the millisecond that contains t.
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

// By is the capacity in which an action was performed.
type By string

// The capacities.
const (
	ByToken   By = "token"       // a request with a token
	BySigned  By = "signedUrl"   // a request with a signed URL
	ByCommand By = "commandLine" // the operator, on the command line
	ByExpiry  By = "timeToLive"  // the server, when a time to live has expired
)

// Outcome is the result of an action.
type Outcome string

// The outcomes.
const (
	Done    Outcome = "done"
	Refused Outcome = "refused" // the request was invalid or not allowed
	Failed  Outcome = "failed"  // the server failed
)

// Event is one entry of the log.
type Event struct {
	ID        ID
	Account   account.ID
	By        By
	Token     string // id of the token, empty without one
	Session   string // id of the session of a browser, empty without one
	Remote    string // address of the client
	Reference string // reference of the request, as returned in its response
	Action    Action
	Object    string   // what the action applied to, as in the path: "media/transcript"
	Media     media.ID // empty for events that do not concern a media item
	Name      string   // name or id of the object, in addition to Media
	Outcome   Outcome
	Code      int // public error code; 0: no error
}

// Filter restricts a list of events; zero values do not restrict it.
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

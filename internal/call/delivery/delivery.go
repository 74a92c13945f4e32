// Package delivery defines callbacks: destinations and contents, the schedule of attempts, and the log of tries.
//
// It sends no requests (package callback), renders no bodies (package render) and stores no rows (package store).
package delivery

import (
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"

	"parley/internal/call/caption"
	"parley/internal/words/account"
	"parley/internal/words/list"
	"parley/internal/words/media"
)

// Types of a callback.
const (
	Analytics  = "analytics"
	Transcript = "transcript"
	Media      = "media"
)

// Type is a type of callback. Each type has one property, which selects the content.
type Type struct {
	Name     string
	Property string
	Required bool // whether the property is required
}

// Types lists all types of callbacks; the first is the default.
var Types = []Type{{Analytics, "include", false}, {Transcript, "format", true}, {Media, "stream", true}}

// TypeNames returns the names of Types.
func TypeNames() []string { return list.Map(Types, func(t Type) string { return t.Name }) }

// Sections lists the sections that an analytics body can include.
var Sections = []string{
	"metadata", "transcript", "knowledge", "prediction", "spotting", "streams", "metrics", "speakerSentiments",
	"conversation", "categories", "messages",
}

// Callback is one delivery that a configuration requests for the end of processing.
type Callback struct {
	URL     string
	Method  string   // POST or PUT
	Type    string   // the name of one of Types
	Include []string // names of Sections, for an analytics body; nil: every computed section and metadata
	Format  string   // for a transcript: one of caption.All
	Stream  string   // for media: one of media.Recordings
}

// ContentType returns the Content-Type of the delivery: application/octet-stream for all encrypted content.
func (c Callback) ContentType(sealed bool) string {
	switch {
	case sealed || c.Type == Media:
		return "application/octet-stream"
	case c.Type == Transcript:
		return caption.Format(c.Format).ContentType()
	}
	return "application/json"
}

// Endpoint returns the receiver as used in logs, answers and limits: the address without its query, which may contain a
// signature or other secrets.
func (c Callback) Endpoint() string {
	u := c.address()
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path, RawPath: u.RawPath}).String()
}

// Origin returns the endpoint without its path, which may also contain secrets.
func (c Callback) Origin() string {
	u := c.address()
	return (&url.URL{Scheme: u.Scheme, Host: u.Host}).String()
}

// Host returns the host and port of the receiver, in lower case.
func (c Callback) Host() string { return c.address().Host }

// address returns the parsed URL with its host in lower case; an empty one for an invalid URL.
func (c Callback) address() *url.URL {
	u, err := url.Parse(c.URL)
	if err != nil {
		return &url.URL{}
	}
	u.Host = strings.ToLower(u.Host)
	return u
}

// State is the state of a delivery.
type State string

// The states. A delivered or failed delivery becomes pending again when a client requests a redelivery.
const (
	Pending   State = "pending"
	Delivered State = "delivered" // the receiver answered with success
	Failed    State = "failed"    // no attempts are left, or the receiver refused further ones
)

// Delivery is one callback of one recording. Every try carries its ID, so that receivers can recognise repeats.
type Delivery struct {
	ID       string
	Account  account.ID
	Media    media.ID
	Position int // index among the callbacks of its configuration
	Callback
	State   State
	Began   time.Time // when processing ended, or redelivery was requested: the schedule starts here
	Attempt int       // completed attempts of the schedule
	Tried   int       // completed tries of the next attempt: not 0 only during that attempt
	Next    time.Time // time of the next attempt; zero unless pending
	Done    time.Time // zero while pending
}

// New returns a delivery in its initial state.
func New(m *media.Media, position int, c Callback, now time.Time) Delivery {
	return Delivery{
		ID: "msg_" + uuid.Must(uuid.NewV7()).String(), Account: m.Account, Media: m.ID, Position: position, Callback: c,
		State: Pending, Began: now, Next: now,
	}
}

// Lane returns the key under which deliveries compete: the account and the host. A hanging host delays only deliveries
// of the same account to that host.
func (d Delivery) Lane() string { return string(d.Account) + " " + d.Host() }

// Try is one request to a receiver and its outcome.
type Try struct {
	Attempt int // index in the schedule, from 0
	At      time.Time
	Took    time.Duration
	Status  int    // HTTP status; 0 without an answer
	Error   string // why there was no answer; empty if there was one
	Answer  []byte // beginning of the answer's body, see Answer
}

// Accepted reports whether the receiver accepted the delivery: any 2xx.
func (t Try) Accepted() bool { return t.Status >= 200 && t.Status <= 299 }

// Gone reports whether the receiver refuses further attempts (410).
func (t Try) Gone() bool { return t.Status == 410 }

// TriesPerAttempt is the number of tries in each attempt of a schedule, and Pause the time between them.
const (
	TriesPerAttempt = 3
	Pause           = time.Second
)

// Schedule lists the delay of each attempt, from the end of processing.
type Schedule []time.Duration

// Default returns the schedule that the API documents.
func Default() Schedule {
	return Schedule{0, 15 * time.Minute, 45 * time.Minute, 105 * time.Minute, 225 * time.Minute, 465 * time.Minute,
		945 * time.Minute}
}

// At returns the due time of an attempt (from 0) of a delivery, or false if the schedule has no such attempt.
func (s Schedule) At(began time.Time, attempt int) (time.Time, bool) {
	if attempt >= len(s) {
		return time.Time{}, false
	}
	return began.Add(s[attempt]), true
}

// Endpoint is a receiver that currently rejects deliveries.
type Endpoint struct {
	Address  string // without query
	Since    time.Time
	Failures int64 // tries since then, all of them rejected
	Last     Try
}

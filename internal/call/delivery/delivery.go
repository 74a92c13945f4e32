// Package delivery has the words for callbacks: what is delivered where, the schedule of attempts, and what became
// of each try.
//
// It sends nothing (package callback), makes no bodies (package render) and keeps no rows (package store).
package delivery

import (
	"net/url"
	"strings"
	"time"

	"github.com/google/uuid"

	"parley/internal/call/caption"
	"parley/internal/words/account"
	"parley/internal/words/media"
)

// Types of a callback.
const (
	Analytics  = "analytics"
	Transcript = "transcript"
	Media      = "media"
)

// Type is a type of callbacks. Each has a property of its own, which says what is delivered.
type Type struct {
	Name     string
	Property string
	Required bool // the property
}

// Types lists all types of callbacks; the first is the default.
var Types = []Type{{Analytics, "include", false}, {Transcript, "format", true}, {Media, "stream", true}}

// TypeNames returns the names of Types.
func TypeNames() (names []string) {
	for _, t := range Types {
		names = append(names, t.Name)
	}
	return names
}

// Sections lists the sections that an analytics body can include.
var Sections = []string{
	"metadata", "transcript", "knowledge", "prediction", "spotting", "streams", "metrics", "speakerSentiments",
	"conversation", "categories", "messages",
}

// Callback is what a configuration asks to be delivered when processing has ended.
type Callback struct {
	URL     string
	Method  string   // POST or PUT
	Type    string   // the name of one of Types
	Include []string // of Sections, in an analytics body; nil: every computed one and metadata
	Format  string   // of a transcript: one of caption.All
	Stream  string   // of media: one of media.Recordings
}

// ContentType returns the Content-Type of the delivery; that of everything encrypted is application/octet-stream.
func (c Callback) ContentType(sealed bool) string {
	switch {
	case sealed || c.Type == Media:
		return "application/octet-stream"
	case c.Type == Transcript:
		return caption.Format(c.Format).ContentType()
	}
	return "application/json"
}

// Endpoint is the receiver as people and limits know it: the address without its query, which may hold a signature
// and other secrets.
func (c Callback) Endpoint() string {
	u, err := url.Parse(c.URL)
	if err != nil {
		return ""
	}
	return (&url.URL{Scheme: u.Scheme, Host: strings.ToLower(u.Host), Path: u.Path, RawPath: u.RawPath}).String()
}

// Origin is the endpoint without its path, which may hold secrets, too.
func (c Callback) Origin() string {
	u, err := url.Parse(c.URL)
	if err != nil {
		return ""
	}
	return (&url.URL{Scheme: u.Scheme, Host: strings.ToLower(u.Host)}).String()
}

// Host is the host and port of the receiver, in lower case.
func (c Callback) Host() string {
	u, err := url.Parse(c.URL)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Host)
}

// State is the state of a delivery.
type State string

// The states. A delivered or failed one becomes pending again when it is asked for.
const (
	Pending   State = "pending"
	Delivered State = "delivered" // the receiver has answered with success
	Failed    State = "failed"    // the schedule is over, or the receiver wants no more
)

// Delivery is one callback of one recording. Its ID goes with every try, so that receivers can tell repeats.
type Delivery struct {
	ID       string
	Account  account.ID
	Media    media.ID
	Position int // among the callbacks of its configuration
	Callback
	State   State
	Began   time.Time // when processing ended, or the delivery was asked for again: the schedule counts from here
	Attempt int       // how many attempts of the schedule are over
	Tried   int       // how many tries of the next attempt are over: not 0 only while one is under way
	Next    time.Time // of the next attempt; zero unless pending
	Done    time.Time // zero while pending
}

// New returns the first state of a delivery.
func New(m *media.Media, position int, c Callback, now time.Time) Delivery {
	return Delivery{
		ID: "msg_" + uuid.Must(uuid.NewV7()).String(), Account: m.Account, Media: m.ID, Position: position, Callback: c,
		State: Pending, Began: now, Next: now,
	}
}

// Lane is what deliveries share that compete with each other: the account and the host. One host that hangs holds
// up nothing but what the same account sends there.
func (d Delivery) Lane() string { return string(d.Account) + " " + d.Host() }

// Try is one request to a receiver and what came of it.
type Try struct {
	Attempt int // of the schedule, from 0
	At      time.Time
	Took    time.Duration
	Status  int    // of the answer; 0 without one
	Error   string // why there was no answer; empty with one
	Answer  []byte // the beginning of the answer's body, see Answer
}

// Accepted reports whether the receiver has taken the delivery: any 2xx.
func (t Try) Accepted() bool { return t.Status >= 200 && t.Status <= 299 }

// Gone reports whether the receiver wants no further attempts (410).
func (t Try) Gone() bool { return t.Status == 410 }

// TriesPerAttempt is how often each attempt of a schedule asks, and Pause what lies between.
const (
	TriesPerAttempt = 3
	Pause           = time.Second
)

// Schedule says how long after the end of processing each attempt is due.
type Schedule []time.Duration

// Default is the schedule of the service that the interface describes.
func Default() Schedule {
	return Schedule{0, 15 * time.Minute, 45 * time.Minute, 105 * time.Minute, 225 * time.Minute, 465 * time.Minute,
		945 * time.Minute}
}

// At returns when an attempt (from 0) of a delivery is due; false when the schedule has no such attempt.
func (s Schedule) At(began time.Time, attempt int) (time.Time, bool) {
	if attempt >= len(s) {
		return time.Time{}, false
	}
	return began.Add(s[attempt]), true
}

// Endpoint is a receiver that does not take what is sent to it.
type Endpoint struct {
	Address  string // without query
	Since    time.Time
	Failures int64 // tries since then, none of which was accepted
	Last     Try
}

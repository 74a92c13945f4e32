package chaos

import (
	"sync"
	"time"
)

// Upload is what a client knows of one upload, which it tries again with the same idempotency key.
type Upload struct {
	Name     string // its external id, unique in the trial
	Media    string // its id; empty: never acknowledged, so that it may exist or not
	SHA256   string // of the recording
	Deletion Deletion
}

// Deletion is what a client knows of the deletion of an upload.
type Deletion string

// The states of a deletion.
const (
	NotAsked     Deletion = ""
	Asked        Deletion = "asked" // without an answer: it may be deleted or not
	Acknowledged Deletion = "acknowledged"
)

// Receipt is a request that the receiver of callbacks got.
type Receipt struct {
	Callback string // its id
	Media    string
	At       time.Time
	Accepted bool // answered with success
}

// History is what clients and receivers saw. It is safe for concurrent use while it is recorded.
type History struct {
	mu       sync.Mutex
	uploads  map[string]*Upload
	order    []string
	receipts []Receipt
}

// Uploading records that a client begins an upload.
func (h *History) Uploading(name, sha256 string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.uploads == nil {
		h.uploads = map[string]*Upload{}
	}
	h.uploads[name] = &Upload{Name: name, SHA256: sha256}
	h.order = append(h.order, name)
}

// Uploaded records that an upload was acknowledged.
func (h *History) Uploaded(name, media string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.uploads[name].Media = media
}

// Deleting records the state of a deletion.
func (h *History) Deleting(name string, state Deletion) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.uploads[name].Deletion = state
}

// Received records a request to the receiver.
func (h *History) Received(r Receipt) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.receipts = append(h.receipts, r)
}

// Uploads returns all uploads in the order in which they began.
func (h *History) Uploads() (all []Upload) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, name := range h.order {
		all = append(all, *h.uploads[name])
	}
	return all
}

// Receipts returns all requests to the receiver, in their order.
func (h *History) Receipts() []Receipt {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]Receipt(nil), h.receipts...)
}

// Item is a recording as the API shows it at the end.
type Item struct {
	Media  string
	Name   string
	Status string
	SHA256 string // of the stored recording
	Turns  int    // words of its transcript
	Tries  []Try  // of its callbacks
}

// Try is an attempt to deliver a callback, as the server recorded it.
type Try struct {
	Callback string
	At       time.Time // when it began
	Took     time.Duration
	Accepted bool
}

// View is what one node answers at the end.
type View struct {
	Node     int
	Items    []string // ids of all recordings
	Search   []string // that have the word that all have
	Analytic []string // that statements count
}

// State is what the cluster is left in.
type State struct {
	Items   []Item
	Views   []View
	Jobs    []string // that are not done, as operators see them
	Orphans []string // files that belong to no recording, after they were collected
	Lost    []string // recordings whose file is gone
}

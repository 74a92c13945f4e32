package soak

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"parley/internal/testkit/chaos"
	"parley/internal/testkit/powerloss"
)

// powerUpload is one recording of the load. Its instants are numbers of operations of the disk; 0: never.
type powerUpload struct {
	Name      string
	Began     int // before the first request
	Media     string
	Uploaded  int // after the acknowledgement
	Deleting  int // before the request
	Deleted   int // after the acknowledgement
	Delivered int // after its callback was seen as delivered
}

// powerReceipt is a request to the receiver.
type powerReceipt struct {
	chaos.Receipt
	Instant int
}

// powerRecord is one run of the load: what happened on the disk, and what clients and receivers saw at which instant.
type powerRecord struct {
	Seed     uint64
	Token    string
	Tokened  int    // after the token was printed
	Receiver string // address
	Uploads  []*powerUpload
	Receipts []powerReceipt
	Full     int // times that the disk was full

	trace powerloss.Trace
}

// bytes returns the recording of an upload.
func (r *powerRecord) bytes(u *powerUpload) []byte { return powerSound(u.Name) }

// save keeps a record, so that a loss of power can be tried again.
func (r *powerRecord) save(dir string) error {
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	return errors.Join(os.WriteFile(filepath.Join(dir, "history.json"), data, 0o600),
		r.trace.Save(filepath.Join(dir, "trace.gz")))
}

func loadPowerRecord(dir string) (*powerRecord, error) {
	data, err := os.ReadFile(filepath.Join(dir, "history.json"))
	if err != nil {
		return nil, err
	}
	r := &powerRecord{}
	if err := json.Unmarshal(data, r); err != nil {
		return nil, err
	}
	r.trace, err = powerloss.Load(filepath.Join(dir, "trace.gz"))
	return r, err
}

// happened reports whether something that was seen at an instant came before a loss.
func happened(seen, instant int) bool { return seen > 0 && seen <= instant }

// until returns the history that clients and receivers have at an instant.
func (r *powerRecord) until(instant int) *chaos.History {
	h := &chaos.History{}
	for _, u := range r.Uploads {
		if !happened(u.Began, instant) {
			continue
		}
		h.Uploading(u.Name, sum(r.bytes(u)))
		if happened(u.Uploaded, instant) {
			h.Uploaded(u.Name, u.Media)
		}
		switch {
		case happened(u.Deleted, instant):
			h.Deleting(u.Name, chaos.Acknowledged)
		case happened(u.Deleting, instant):
			h.Deleting(u.Name, chaos.Asked)
		}
	}
	for _, receipt := range r.Receipts {
		if receipt.Instant <= instant {
			h.Received(receipt.Receipt)
		}
	}
	return h
}

// acknowledgements returns the instants right after something was acknowledged.
func (r *powerRecord) acknowledgements() []int {
	all := []int{r.Tokened}
	for _, u := range r.Uploads {
		for _, at := range []int{u.Uploaded, u.Deleted, u.Delivered} {
			if at > 0 {
				all = append(all, at)
			}
		}
	}
	return all
}

// powerReceiver is the receiver of the load and of the servers on what losses leave, which send from addresses of their
// own.
type powerReceiver struct {
	address string

	mu   sync.Mutex
	from map[string]func(w http.ResponseWriter, id, media string) // by address of the sender
}

// listenForPower serves a receiver at an address; empty: any.
func listenForPower(t *testing.T, address string) *powerReceiver {
	t.Helper()
	if address == "" {
		address = "127.0.0.1:0"
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	v := &powerReceiver{address: listener.Addr().String(), from: map[string]func(http.ResponseWriter, string, string){}}
	web := &http.Server{Handler: v, ReadHeaderTimeout: time.Minute}
	go web.Serve(listener) // until Close
	t.Cleanup(func() { web.Close() })
	return v
}

// answer sets what requests from an address get; nil: a refusal.
func (v *powerReceiver) answer(address string, f func(w http.ResponseWriter, id, media string)) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.from[address] = f
}

// ServeHTTP reads a callback.
func (v *powerReceiver) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body struct {
		MediaID string `json:"mediaId"`
	}
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		http.Error(w, fmt.Sprint("not a callback: ", err), http.StatusBadRequest)
		return
	}
	host, _, _ := net.SplitHostPort(r.RemoteAddr)
	v.mu.Lock()
	f := v.from[host]
	v.mu.Unlock()
	if f == nil {
		http.Error(w, "unknown sender", http.StatusServiceUnavailable)
		return
	}
	f(w, r.Header.Get("webhook-id"), body.MediaID)
}

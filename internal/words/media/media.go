// Package media defines a submitted recording: its identity, status, steps and streams.
//
// It does not store, process or render media; see packages store, pipeline and wire.
package media

import (
	"slices"
	"time"

	"parley/internal/words/account"
	"parley/internal/words/cipher"
	"parley/internal/words/fault"
)

// ID identifies a media item: a UUIDv7 in its usual text form.
type ID string

// Status is the state of a media item.
type Status string

// The states. See next for the transitions.
const (
	Accepted  Status = "accepted"  // stored durably; a mediaUrl may still have to be fetched
	Scheduled Status = "scheduled" // the media is stored and waits for a worker
	Running   Status = "running"
	Finished  Status = "finished"
	Failed    Status = "failed"
	Rejected  Status = "rejected" // the mediaUrl could not be fetched
)

// Statuses lists all states.
var Statuses = []Status{Accepted, Scheduled, Running, Finished, Failed, Rejected}

// next lists the allowed transitions. Reprocessing restarts finished and failed items.
var next = map[Status][]Status{
	Accepted:  {Scheduled, Running, Rejected, Failed},
	Scheduled: {Running, Failed},
	Running:   {Scheduled, Finished, Failed, Rejected},
	Finished:  {Scheduled},
	Failed:    {Scheduled},
	Rejected:  {},
}

// CanBecome reports whether a media item may change from s to t.
func (s Status) CanBecome(t Status) bool { return slices.Contains(next[s], t) }

// Done reports whether the status is final unless the item is reprocessed.
func (s Status) Done() bool { return s == Finished || s == Failed || s == Rejected }

// Priority orders jobs; lower numbers go first.
type Priority int

// The priorities.
const (
	High   Priority = 0
	Normal Priority = 1
	Low    Priority = 2
)

// Media is one submitted recording.
type Media struct {
	ID          ID
	Account     account.ID
	Status      Status
	Created     time.Time
	Finished    time.Time     // zero until done
	Length      time.Duration // 0 until decoded
	ContentType string        // by magic bytes
	Size        int64         // bytes of the original
	SHA256      string        // of the original, hex
	SourceURL   string        // mediaUrl, empty for an upload
	Metadata    *Metadata     // nil when none was given
	Priority    Priority
	TimeToLive  time.Duration   // 0: keep
	Expires     time.Time       // zero: never
	Problems    []fault.Problem // why processing failed
	Warnings    []fault.Problem // what was skipped or approximated
	Sealing     *Sealing        // nil unless the item is, or will be, encrypted for its owner
	Sealed      bool            // the item is encrypted for its owner
}

// Sealing names the public key that an item is encrypted for.
type Sealing struct {
	PublicKeyID   string
	PublicKeyHash string // SHA-256 of the key as received, hex
}

// Names of streams.
const (
	Original          = "original"
	RedactedAudio     = "redacted-audio"
	OriginalEncrypted = "original-encrypted"
	RedactedEncrypted = "redacted-encrypted"
	Playable          = "playable" // derived: for browsers that cannot play the recording, or not seek in it
)

// Peaks is the name under which the waveform of a recording is stored beside its streams. It is derived, and not a
// stream that clients can list or read.
const Peaks = "peaks"

// kinds has a row for each recording of an item: the name of its stream, the name of the stream encrypted for the
// owner, and an alias that clients may use.
var kinds = []struct{ name, encrypted, alias string }{
	{Original, OriginalEncrypted, ""},
	{RedactedAudio, RedactedEncrypted, "redacted"},
}

// Recordings lists the names of an item's recordings, Encrypted the names of their encrypted counterparts in the same
// order, and StreamNames all that clients may read.
var Recordings, Encrypted, StreamNames = names()

// Derived lists what is made from a recording for players, and lasts no longer than the recording.
var Derived = []string{Peaks, Playable}

// Families lists what the keys of the blobs of streams begin with.
var Families = append(slices.Clone(StreamNames), Peaks)

func names() (recordings, encrypted, all []string) {
	for _, k := range kinds {
		recordings, encrypted = append(recordings, k.name), append(encrypted, k.encrypted)
	}
	return recordings, encrypted, slices.Concat(recordings, encrypted, []string{Playable})
}

// StreamName resolves a name or alias to the name under which a stream is stored.
func StreamName(asked string) string {
	for _, k := range kinds {
		if k.alias != "" && k.alias == asked {
			return k.name
		}
	}
	return asked
}

// Heard returns the recording among an item's streams that is played: the redacted one if there is one, otherwise the
// original.
func Heard(streams []Stream) (s Stream, ok bool) {
	for _, name := range []string{RedactedAudio, Original} {
		if i := slices.IndexFunc(streams, func(s Stream) bool { return s.Name == name }); i >= 0 {
			return streams[i], true
		}
	}
	return s, false
}

// IsDerived reports whether a name is that of something made from a recording.
func IsDerived(name string) bool { return slices.Contains(Derived, name) }

// EncryptedName returns the name of the stream that replaces the named one when it is encrypted for the owner.
func EncryptedName(name string) string {
	if i := slices.Index(Recordings, name); i >= 0 {
		return Encrypted[i]
	}
	return OriginalEncrypted
}

// Stream is one stored stream of a media item's bytes.
type Stream struct {
	Name        string
	Blob        string // key in the blob store
	ContentType string
	Size        int64
	Withheld    bool   // for processing only: never returned to clients
	Source      string // of derived streams: the blob of the recording that they were made from
	Unplayable  bool   // of peaks: browsers cannot play the recording, or not seek in it

	Key cipher.Key // data key of its bytes; empty: not encrypted
}

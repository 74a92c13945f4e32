package api

import (
	"context"
	"errors"
	"hash"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"parley/internal/words/fault"
)

// bodyStep is how many bytes of an upload have to arrive within Config.UploadTime: fewer than the slowest live speech
// encoder sends, but enough that a client cannot hold a connection by sending a byte now and then.
const bodyStep = 16 << 10

// pacedBody cuts off uploads that stall, but not slow ones that make progress. It counts only the time spent waiting
// for the client: a slow store is not the client's fault.
type pacedBody struct {
	io.ReadCloser
	connection *http.ResponseController
	whole      time.Duration // time limit for each step
	patience   time.Duration // time left for the current step
	step       int           // bytes of the current step that have arrived
	left       int64         // unread bytes; negative if unknown
	awaits     bool          // the client waits for "100 Continue" before it sends
	begun      bool          // part of it has been read
	ended      bool
	stopped    atomic.Bool // the server no longer waits for the client
}

func newPacedBody(connection *http.ResponseController, r *http.Request, patience time.Duration) *pacedBody {
	b := &pacedBody{ReadCloser: r.Body, connection: connection, whole: patience, patience: patience,
		left: r.ContentLength}
	b.awaits = r.Header.Get("Expect") != ""
	b.ended = r.ProtoMajor != 1 // later protocols end a body without closing the connection
	return b
}

func (b *pacedBody) Read(p []byte) (int, error) {
	start := time.Now()
	b.connection.SetReadDeadline(start.Add(b.patience)) // fails only on the connections of tests
	if b.stopped.Load() {                               // stop may have run before the deadline was set
		return 0, os.ErrDeadlineExceeded
	}
	n, err := b.ReadCloser.Read(p)
	b.patience -= time.Since(start)
	b.awaits, b.begun, b.ended = false, true, b.ended || err != nil
	if b.left > 0 {
		b.left -= int64(n)
	}
	if b.step += n; b.step >= bodyStep {
		b.step, b.patience = 0, b.whole
	}
	if err == io.EOF {
		b.connection.SetReadDeadline(time.Time{}) // no read deadline while the answer is written
	}
	return n, err
}

// stop ends the wait for the client, both in a Read in progress and in later ones. The receiver may be nil.
func (b *pacedBody) stop() {
	if b == nil {
		return
	}
	b.stopped.Store(true)
	b.connection.SetReadDeadline(time.Now())
}

// Limits of reading the rest of a body after its request was refused. Many clients send the whole body before they read
// the answer, and would see a broken connection instead.
const (
	lingerTime = 30 * time.Second
	lingerWait = 5 * time.Second // maximum time without receiving a byte
	shortBody  = 256 << 10       // net/http reads this much by itself
)

// long reports whether more of the body is left than net/http reads by itself. The receiver may be nil.
func (b *pacedBody) long() bool {
	return b != nil && !b.ended && !b.awaits && (b.left < 0 || b.left > shortBody)
}

// partly reports whether the handler stopped in the middle of the body. net/http would read on before it answers, for
// as long as the client keeps it waiting. The receiver may be nil.
func (b *pacedBody) partly() bool { return b != nil && b.begun && !b.ended && b.left != 0 }

// discard reads and drops the rest of the body, within limits and until stopping is canceled.
func (b *pacedBody) discard(stopping context.Context) {
	defer context.AfterFunc(stopping, func() { b.connection.SetReadDeadline(time.Now()) })()
	end := time.Now().Add(lingerTime)
	buffer := make([]byte, 4<<10) // small, because many requests may do this at the same time
	for wait := lingerWait; wait > 0; wait = min(lingerWait, time.Until(end)) {
		b.connection.SetReadDeadline(time.Now().Add(wait))
		if stopping.Err() != nil { // stopping may have been canceled before the deadline was set
			return
		}
		if _, err := b.ReadCloser.Read(buffer); err != nil {
			return
		}
	}
}

// bodyReader hashes and limits what is read, and keeps the read error, so that a broken upload can be distinguished
// from a broken store.
type bodyReader struct {
	r           io.Reader
	sum         hash.Hash
	limit, left int64
	need        func(read int64) error // accounts for the memory that storing the bytes read so far needs
	err         error
}

func (b *bodyReader) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	b.sum.Write(p[:n])
	if b.left -= int64(n); b.left < 0 {
		err = &http.MaxBytesError{Limit: b.limit}
	}
	if refused := b.need(b.limit - b.left); refused != nil {
		err = refused
	}
	if err != nil && err != io.EOF {
		b.err = err
	}
	return n, err
}

// uncompressed refuses bodies with a content coding: a compressed body would be reported as broken JSON or multipart.
// Other values that clients send in Content-Encoding, such as UTF-8, are ignored.
func uncompressed(r *http.Request) error {
	for encoding := range strings.SplitSeq(strings.Join(r.Header.Values("Content-Encoding"), ","), ",") {
		encoding = strings.ToLower(strings.TrimSpace(encoding))
		if slices.Contains([]string{"gzip", "x-gzip", "deflate", "compress", "br", "zstd"}, encoding) {
			return fault.New(fault.Unsupported, fault.CodeMediaType,
				"Content-Encoding %q is not supported; send the body uncompressed", encoding)
		}
	}
	return nil
}

// bodyFault returns the error for a request body that could not be read.
func bodyFault(err error) error {
	if known, ok := errors.AsType[*fault.Error](err); ok { // the server's own error, passed through a reader
		return known
	}
	if tooLarge, ok := errors.AsType[*http.MaxBytesError](err); ok {
		flag := " (--max-upload)"
		if tooLarge.Limit == documents {
			flag = "" // no setting raises this limit
		}
		return fault.New(fault.TooLarge, fault.CodeTooLarge,
			"the upload is larger than %d bytes, the limit of this server%s", tooLarge.Limit, flag)
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return fault.New(fault.Invalid, fault.CodeTimeout,
			"less than %d kB of the upload arrived within the timeout of this server (--upload-time); send it again over "+
				"a faster connection", bodyStep>>10)
	}
	return fault.New(fault.Invalid, fault.CodeMultipart,
		"the multipart body is malformed or incomplete: %w; begin and end it with the boundary in Content-Type", err)
}

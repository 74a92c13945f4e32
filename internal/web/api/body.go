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

// bodyStep is how much of an upload has to arrive within Config.UploadTime: less than the slowest live encoder of
// speech sends, and enough that nobody holds a connection with a byte now and then.
const bodyStep = 16 << 10

// pacedBody cuts off uploads that stand still, whatever time those take that move. It counts only the time
// that it waits for the client: a store that is slow is not the client's fault.
type pacedBody struct {
	io.ReadCloser
	connection *http.ResponseController
	whole      time.Duration // for each step
	patience   time.Duration // left for this one
	step       int           // bytes that have arrived of it
	left       int64         // that have not been read; negative: not known
	awaits     bool          // the client sends nothing before it is told to
	begun      bool          // some of it has been read
	ended      bool
	stopped    atomic.Bool // the server does not wait for the client any more
}

func newPacedBody(connection *http.ResponseController, r *http.Request, patience time.Duration) *pacedBody {
	b := &pacedBody{ReadCloser: r.Body, connection: connection, whole: patience, patience: patience,
		left: r.ContentLength}
	b.awaits = r.Header.Get("Expect") != ""
	b.ended = r.ProtoMajor != 1 // later protocols end a body without the connection
	return b
}

func (b *pacedBody) Read(p []byte) (int, error) {
	start := time.Now()
	b.connection.SetReadDeadline(start.Add(b.patience)) // connections that cannot are a test's
	if b.stopped.Load() {                               // it may have been stopped before the deadline was set
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
		b.connection.SetReadDeadline(time.Time{}) // the answer may take its time
	}
	return n, err
}

// stop ends the wait for the client, in a Read under way and in later ones. It may be nil.
func (b *pacedBody) stop() {
	if b == nil {
		return
	}
	b.stopped.Store(true)
	b.connection.SetReadDeadline(time.Now())
}

// Limits of what is read of a body after its request was refused. Many clients send all of it before they look at the
// answer, and would find a broken connection in its place.
const (
	lingerTime = 30 * time.Second
	lingerWait = 5 * time.Second // without a byte
	shortBody  = 256 << 10       // net/http itself reads that much
)

// long reports whether more of the body is to come than net/http reads by itself. It may be nil.
func (b *pacedBody) long() bool {
	return b != nil && !b.ended && !b.awaits && (b.left < 0 || b.left > shortBody)
}

// partly reports whether the handler has stopped in the middle of the body. net/http would read on before it answers,
// for as long as the client lets it wait. It may be nil.
func (b *pacedBody) partly() bool { return b != nil && b.begun && !b.ended && b.left != 0 }

// discard reads the rest of the body for nobody, within limits and until stopping ends.
func (b *pacedBody) discard(stopping context.Context) {
	defer context.AfterFunc(stopping, func() { b.connection.SetReadDeadline(time.Now()) })()
	end := time.Now().Add(lingerTime)
	buffer := make([]byte, 4<<10) // many may be at it
	for wait := lingerWait; wait > 0; wait = min(lingerWait, time.Until(end)) {
		b.connection.SetReadDeadline(time.Now().Add(wait))
		if stopping.Err() != nil { // it may have ended before the deadline was set
			return
		}
		if _, err := b.ReadCloser.Read(buffer); err != nil {
			return
		}
	}
}

// bodyReader hashes what is read, limits it, and remembers why reading failed, so that a broken upload is
// told from a broken store.
type bodyReader struct {
	r           io.Reader
	sum         hash.Hash
	limit, left int64
	need        func(read int64) error // counts the memory that storing so many bytes takes
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

// uncompressed refuses bodies that are not sent as they are: compressed ones would be told to be broken JSON or
// multipart. What other words clients send as an encoding, such as UTF-8, means nothing.
func uncompressed(r *http.Request) error {
	for encoding := range strings.SplitSeq(strings.Join(r.Header.Values("Content-Encoding"), ","), ",") {
		encoding = strings.ToLower(strings.TrimSpace(encoding))
		if slices.Contains([]string{"gzip", "x-gzip", "deflate", "compress", "br", "zstd"}, encoding) {
			return fault.New(fault.Unsupported, fault.CodeMediaType,
				"Content-Encoding %q; send the body as it is, not compressed", encoding)
		}
	}
	return nil
}

// bodyFault says what is wrong with a request's body that could not be read.
func bodyFault(err error) error {
	if known, ok := errors.AsType[*fault.Error](err); ok { // of ours, on the way through a reader
		return known
	}
	if tooLarge, ok := errors.AsType[*http.MaxBytesError](err); ok {
		flag := " (--max-upload)"
		if tooLarge.Limit == documents {
			flag = "" // no setting raises it
		}
		return fault.New(fault.TooLarge, fault.CodeTooLarge,
			"the upload is larger than %d bytes, the limit of this server%s", tooLarge.Limit, flag)
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return fault.New(fault.Invalid, fault.CodeTimeout,
			"less than %d kB of the upload arrived within the time of this server (--upload-time); send it again, "+
				"over a better connection", bodyStep>>10)
	}
	return fault.New(fault.Invalid, fault.CodeMultipart,
		"the multipart body is broken or was cut off: %w; it begins and ends with the boundary that Content-Type names",
		err)
}

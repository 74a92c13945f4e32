package seal

import (
	"io"

	"github.com/ProtonMail/gopenpgp/v3/crypto"

	"parley/internal/words/fault"
)

// Reader returns content as one OpenPGP message that is made while it is read; memory does not grow with its size. It
// returns errors of content unchanged, and what was read until then is not a valid message. The caller must close it
// before it closes the source of content.
func (k *Key) Reader(content io.Reader) io.ReadCloser {
	out, in := io.Pipe()
	r := &reader{out, make(chan struct{})}
	go func() {
		defer close(r.ended)
		in.CloseWithError(k.write(in, content))
	}()
	return r
}

// write writes content as a message. After an error it does not close the message. It recovers panics, since it runs in
// its own goroutine, where a panic would end the server.
func (k *Key) write(to io.Writer, content io.Reader) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fault.New(fault.Internal, fault.CodeInternal, "encryption panicked: %T", p)
		}
	}()
	return k.encrypt(to, content, crypto.Bytes)
}

// reader is the reading end of a message that another goroutine makes.
type reader struct {
	*io.PipeReader
	ended chan struct{}
}

// Close returns when content is no longer being read.
func (r *reader) Close() error {
	err := r.PipeReader.Close()
	<-r.ended
	return err
}

package seal

import (
	"io"

	"parley/internal/words/fault"
)

// Reader returns content as one OpenPGP message, which is made while it is read; memory does not grow with it. Errors
// of content come back as they are, and what was read until then does not pass for a message. The caller closes it
// before what content comes from.
func (k *Key) Reader(content io.Reader) io.ReadCloser {
	out, in := io.Pipe()
	r := &reader{out, make(chan struct{})}
	go func() {
		defer close(r.ended)
		in.CloseWithError(k.write(in, content))
	}()
	return r
}

// write writes content as a message. One that was broken off is not closed. It runs in a goroutine of its own, where a
// panic would end the server.
func (k *Key) write(to io.Writer, content io.Reader) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fault.New(fault.Internal, fault.CodeInternal, "encryption panicked: %T", p)
		}
	}()
	message, err := k.Writer(to)
	if err != nil {
		return err
	}
	if _, err := io.Copy(message, content); err != nil {
		return err
	}
	return message.Close()
}

// reader is the end of a message that is being made by a goroutine of its own.
type reader struct {
	*io.PipeReader
	ended chan struct{}
}

// Close returns when nothing is read of the content any more.
func (r *reader) Close() error {
	err := r.PipeReader.Close()
	<-r.ended
	return err
}

package remote

import (
	"context"
	"net/http"
	"time"

	"parley/internal/speech/asr"
	"parley/internal/words/fault"
)

// Call is how one kind of service is asked about a chunk.
type Call struct {
	Longest time.Duration // audio of one request
	// Prepare makes what is sent once, with warnings for the recognition, and returns how each try sends it.
	Prepare func(found *asr.Recognition) (func(ctx context.Context) (*http.Request, error), error)
	// Read understands an answer about audio of a length; an error that is no fault means that it is broken.
	Read func(answer []byte, length time.Duration) ([]asr.Word, error)
}

// Recognize answers a request as asr.Recognizer does; its errors are those of Do. No audio is no speech, and
// nothing is asked.
func (c *Client) Recognize(ctx context.Context, request asr.Request, call Call) (*asr.Recognition, error) {
	length := request.PCM.Duration()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case length == 0:
		return &asr.Recognition{}, nil
	case length > call.Longest:
		return nil, fault.New(fault.Invalid, fault.CodeEngineFailed, "chunk of %v is longer than %v", length,
			call.Longest)
	}
	found := &asr.Recognition{}
	send, err := call.Prepare(found)
	if err != nil {
		return nil, err
	}
	err = c.Do(ctx, Exchange{Audio: length, Request: send, Read: func(answer []byte) (err error) {
		found.Words, err = call.Read(answer, length)
		return err
	}})
	if err != nil {
		return nil, err
	}
	return found, nil
}

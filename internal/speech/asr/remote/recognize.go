package remote

import (
	"context"
	"net/http"
	"time"

	"parley/internal/speech/asr"
	"parley/internal/words/fault"
)

// Call defines how one kind of service recognises a chunk.
type Call struct {
	Longest time.Duration // maximum length of audio per request
	// Prepare builds the payload once, adds warnings to found, and returns a function that builds the request of
	// each attempt.
	Prepare func(found *asr.Recognition) (func(ctx context.Context) (*http.Request, error), error)
	// Read parses the answer for audio of the given length. An error that is not a fault means that the answer is
	// malformed.
	Read func(answer []byte, length time.Duration) ([]asr.Word, error)
}

// Recognize implements asr.Recognizer.Recognize; its errors are those of Do. For empty audio it returns no words
// without contacting the service.
func (c *Client) Recognize(ctx context.Context, request asr.Request, call Call) (*asr.Recognition, error) {
	length := request.PCM.Duration()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case length == 0:
		return &asr.Recognition{}, nil
	case length > call.Longest:
		return nil, fault.New(fault.Invalid, fault.CodeEngineFailed, "the chunk is %v long; the limit is %v", length,
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

package remote

import (
	"bytes"
	"context"
	"net/http"
	"time"

	"parley/internal/speech/asr"
	"parley/internal/words/fault"
)

// Post is a request to a service. It is sent again in each attempt.
type Post struct {
	URL, ContentType string
	Scheme           string // of the authorization, such as Bearer
	Body             []byte
}

// Recognize implements asr.Recognizer.Recognize; its errors are those of Do. For empty audio it returns no words
// without contacting the service. prepare builds the request and adds warnings to the result. read parses the answer
// for audio of the given length; an error that is not a fault means that the answer is malformed.
func (c *Client) Recognize(
	ctx context.Context, request asr.Request, prepare func(asr.Request, *asr.Recognition) (*Post, error),
	read func(answer []byte, length time.Duration) ([]asr.Word, error),
) (*asr.Recognition, error) {
	length := request.PCM.Duration()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case length == 0:
		return &asr.Recognition{}, nil
	case length > c.endpoint.MaxChunk:
		return nil, fault.New(fault.Invalid, fault.CodeEngineFailed, "the chunk is %v long; the limit is %v", length,
			c.endpoint.MaxChunk)
	}
	result := &asr.Recognition{}
	post, err := prepare(request, result)
	if err != nil {
		return nil, err
	}
	send := func(ctx context.Context) (*http.Request, error) { return c.request(ctx, post) }
	err = c.Do(ctx, Exchange{Audio: length, Request: send, Read: func(answer []byte) (err error) {
		result.Words, err = read(answer, length)
		return err
	}})
	if err != nil {
		return nil, err
	}
	return result, nil
}

func (c *Client) request(ctx context.Context, p *Post) (*http.Request, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, p.URL, bytes.NewReader(p.Body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", p.ContentType)
	request.Header.Set("Accept", "application/json")
	if key := c.endpoint.Key.Secret(); key != "" {
		request.Header.Set("Authorization", p.Scheme+" "+key)
	}
	return request, nil
}

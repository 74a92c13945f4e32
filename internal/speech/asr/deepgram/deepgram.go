// Package deepgram recognises speech with a service that implements Deepgram's API for recorded audio (POST
// /v1/listen), in the cloud or self-hosted.
//
// Timeouts and retries are in package remote.
package deepgram

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"time"

	"parley/internal/speech/asr"
	"parley/internal/speech/asr/remote"
	"parley/internal/words/sound"
)

const (
	defaultModel = "nova-3"
	defaultChunk = 2 * time.Minute
)

// version is part of the fingerprint of stored results. Change it when the same answer is parsed differently.
const version = "1"

// reserved are parameters that the endpoint's setting must not contain, because the package sets them itself or could
// not parse the resulting answer.
var reserved = []string{"language", "punctuate", "keyterm", "keywords", "callback", "multichannel", "channels",
	"encoding", "sample_rate"}

// Recognizer is a client of one service. It implements asr.Recognizer.
type Recognizer struct {
	client   *remote.Client
	endpoint remote.Endpoint
	address  *url.URL
}

// New returns a recogniser for an endpoint. A nil transport selects the default one. Unknown parameters of the
// endpoint, such as mip_opt_out=true, are passed to the service unchanged.
func New(e remote.Endpoint, transport http.RoundTripper) (*Recognizer, error) {
	if err := e.Reserve(reserved...); err != nil {
		return nil, err
	}
	e.Model = cmp.Or(e.Model, defaultModel)
	e.MaxChunk = cmp.Or(e.MaxChunk, defaultChunk)
	return &Recognizer{remote.NewClient(e, transport), e, e.Path("/v1/listen", "/listen")}, nil
}

// Info describes the engine. It does not contact the service.
func (r *Recognizer) Info() asr.Info {
	return r.endpoint.Info(strings.TrimSpace(version + " " + r.endpoint.Extra.Encode()))
}

// Recognize implements asr.Recognizer; its errors are those of remote.Client.
func (r *Recognizer) Recognize(ctx context.Context, request asr.Request) (*asr.Recognition, error) {
	return r.client.Recognize(ctx, request, r.post, read)
}

func (r *Recognizer) post(request asr.Request, result *asr.Recognition) (*remote.Post, error) {
	return &remote.Post{
		URL: r.query(request, result), ContentType: "audio/wav", Scheme: "Token", Body: remote.WAV(request.PCM, 0),
	}, nil
}

// query returns the URL with all parameters.
func (r *Recognizer) query(request asr.Request, result *asr.Recognition) string {
	model := cmp.Or(request.Model, r.endpoint.Model)
	q := url.Values{}
	maps.Copy(q, r.endpoint.Extra)
	q.Set("model", model)
	q.Set("language", cmp.Or(request.Language, r.endpoint.Languages[0]))
	q.Set("punctuate", "true")
	parameter, values, warnings := vocabularyFor(model, request.Vocabulary)
	if len(values) > 0 {
		q[parameter] = values
	}
	result.Warnings = warnings
	u := *r.address
	u.RawQuery = q.Encode()
	return u.String()
}

// answer is a transcription. The first alternative of the first channel is the best.
type answer struct {
	Results *struct {
		Channels []struct {
			Alternatives []struct {
				Transcript string `json:"transcript"`
				Words      []word `json:"words"`
			} `json:"alternatives"`
		} `json:"channels"`
	} `json:"results"`
}

// word is a recognised word; times are in seconds.
type word struct {
	Word       string   `json:"word"`
	Start      float64  `json:"start"`
	End        float64  `json:"end"`
	Confidence *float64 `json:"confidence"`
	Punctuated string   `json:"punctuated_word"`
}

// read parses the answer for audio of the given length.
func read(body []byte, length time.Duration) ([]asr.Word, error) {
	var a answer
	if err := json.Unmarshal(body, &a); err != nil {
		return nil, err
	}
	if a.Results == nil {
		return nil, errors.New("results is missing")
	}
	if len(a.Results.Channels) == 0 || len(a.Results.Channels[0].Alternatives) == 0 {
		return nil, nil
	}
	best := a.Results.Channels[0].Alternatives[0]
	var words []asr.Word
	for _, w := range best.Words {
		confidence := remote.Unknown
		if w.Confidence != nil {
			confidence = *w.Confidence
		}
		words = append(words, asr.Word{
			Text: strings.TrimSpace(w.Word), Start: remote.Seconds(w.Start), End: remote.Seconds(w.End),
			Confidence: confidence, Punctuated: strings.TrimSpace(w.Punctuated),
		})
	}
	if len(words) == 0 {
		words = untimed(best.Transcript, length)
	}
	return remote.Settle(words, length), nil
}

// untimed distributes a transcript without word times over the audio.
func untimed(transcript string, length time.Duration) []asr.Word {
	var words []asr.Word
	for _, f := range strings.Fields(transcript) {
		if bare := remote.Bare(f); bare != "" {
			words = append(words, asr.Word{Text: bare, Confidence: remote.Unknown, Punctuated: f})
		}
	}
	remote.Spread(words, sound.Segment{End: length})
	return words
}

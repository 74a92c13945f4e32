// Package openai recognises speech with a service that implements OpenAI's transcription API (POST
// /v1/audio/transcriptions): OpenAI itself, whisper.cpp's server, speaches, LocalAI, vLLM and others.
//
// It parses each of their dialects: words beside the segments, words inside the segments, pieces of words, or no
// words. Timeouts and retries are in package remote.
package openai

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"slices"
	"strings"
	"time"

	"parley/internal/speech/asr"
	"parley/internal/speech/asr/remote"
)

const (
	defaultModel = "whisper-1"
	window       = 30 * time.Second // input length of Whisper models
	// OpenAI rejects audio shorter than 0.1 s, and Whisper models recognise nothing in less than about a second.
	least = 1100 * time.Millisecond
)

// version is part of the fingerprint of stored results. Change it when the same answer is parsed differently.
const version = "1"

// reserved are fields that the endpoint's setting must not contain, because the package sets them itself.
var reserved = []string{"file", "language", "prompt", "response_format", "stream", "timestamp_granularities[]"}

// Recognizer is a client of one service. It implements asr.Recognizer.
type Recognizer struct {
	client   *remote.Client
	endpoint remote.Endpoint
	address  string
	times    string // "word", "segment" or "none": the timestamps that the service can return
	words    string // "prompt", "hotwords" or "none": how vocabulary is sent
	version  string
}

// New returns a recogniser for an endpoint. A nil transport selects the default one. Two parameters of the endpoint
// adapt to the service: times=word (default), segment or none, and vocabulary=prompt (default), hotwords (speaches)
// or none. All others are sent as form fields.
func New(e remote.Endpoint, transport http.RoundTripper) (*Recognizer, error) {
	r := &Recognizer{version: strings.TrimSpace(version + " " + e.Extra.Encode())}
	r.times, r.words = cmp.Or(e.Extra.Get("times"), "word"), cmp.Or(e.Extra.Get("vocabulary"), "prompt")
	e.Extra = maps.Clone(e.Extra)
	e.Extra.Del("times")
	e.Extra.Del("vocabulary")
	if !slices.Contains([]string{"word", "segment", "none"}, r.times) ||
		!slices.Contains([]string{"prompt", "hotwords", "none"}, r.words) {
		return nil, fmt.Errorf("engine %s: use times=word, segment or none, and vocabulary=prompt, hotwords or none",
			e.Name)
	}
	if err := e.Reserve(reserved...); err != nil {
		return nil, err
	}
	e.Model = cmp.Or(e.Model, defaultModel)
	e.MaxChunk = cmp.Or(e.MaxChunk, window)
	r.endpoint, r.client = e, remote.NewClient(e, transport)
	r.address = e.Path("/v1/audio/transcriptions", "/transcriptions", "/inference").String()
	return r, nil
}

// Info describes the engine. It does not contact the service.
func (r *Recognizer) Info() asr.Info { return r.endpoint.Info(r.version) }

// Recognize implements asr.Recognizer; its errors are those of remote.Client.
func (r *Recognizer) Recognize(ctx context.Context, request asr.Request) (*asr.Recognition, error) {
	return r.client.Recognize(ctx, request, r.post, r.read)
}

// post builds the form. Vocabulary that does not fit into the prompt is reported as a warning in result.
func (r *Recognizer) post(request asr.Request, result *asr.Recognition) (*remote.Post, error) {
	fields := url.Values{}
	maps.Copy(fields, r.endpoint.Extra)
	language, _, _ := strings.Cut(cmp.Or(request.Language, r.endpoint.Languages[0]), "-")
	fields.Set("model", cmp.Or(request.Model, r.endpoint.Model))
	fields.Set("language", strings.ToLower(language))
	fields.Set("response_format", "verbose_json")
	switch r.times {
	case "word":
		fields["timestamp_granularities[]"] = []string{"word", "segment"}
	case "none":
		fields.Set("response_format", "json")
	}
	if field, text := r.vocabulary(request, result); text != "" {
		fields[field] = append(slices.Clip(fields[field]), text)
	}
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for field, values := range fields {
		for _, v := range values {
			if err := w.WriteField(field, v); err != nil {
				return nil, err
			}
		}
	}
	header := textproto.MIMEHeader{}
	header.Set("Content-Disposition", `form-data; name="file"; filename="audio.wav"`)
	header.Set("Content-Type", "audio/wav")
	part, err := w.CreatePart(header)
	if err == nil {
		_, err = part.Write(remote.WAV(request.PCM, least))
	}
	if err = errors.Join(err, w.Close()); err != nil {
		return nil, err
	}
	return &remote.Post{
		URL: r.address, ContentType: w.FormDataContentType(), Scheme: "Bearer", Body: body.Bytes(),
	}, nil
}

// Package openai recognises speech with a service that has OpenAI's transcription API: OpenAI itself,
// whisper.cpp's server, speaches, LocalAI, vLLM and others (POST /v1/audio/transcriptions).
//
// It reads each of their dialects: words beside the segments, in the segments, as pieces of words, or none at
// all. It does not decide how long or how often to ask; package remote does.
package openai

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"slices"
	"strings"
	"time"

	"parley/internal/speech/asr"
	"parley/internal/speech/asr/remote"
)

const (
	defaultModel = "whisper-1"
	window       = 30 * time.Second // what Whisper models hear at once
	// OpenAI refuses less than 0.1 s, and Whisper models hear nothing in less than about a second.
	least = 1100 * time.Millisecond
)

// version is part of the fingerprint of kept results: it changes when the same answer is read differently.
const version = "1"

// reserved are fields that the endpoint's setting may not name, since we send them.
var reserved = []string{"file", "language", "prompt", "response_format", "stream", "timestamp_granularities[]"}

// Recognizer asks one service. It implements asr.Recognizer.
type Recognizer struct {
	client   *remote.Client
	endpoint remote.Endpoint
	address  string
	times    string // "word", "segment" or "none": what the service can time
	words    string // "prompt", "hotwords" or "none": how vocabulary is sent
	version  string
}

// New returns a recogniser for an endpoint; a nil transport is the usual one. Two parameters of the endpoint
// adapt to a service: times=word (default), segment or none, and vocabulary=prompt (default), hotwords (speaches)
// or none. The others are sent as fields of the form.
func New(e remote.Endpoint, transport http.RoundTripper) (*Recognizer, error) {
	r := &Recognizer{version: strings.TrimSpace(version + " " + e.Extra.Encode())}
	r.times, r.words = cmp.Or(e.Extra.Get("times"), "word"), cmp.Or(e.Extra.Get("vocabulary"), "prompt")
	e.Extra = without(e.Extra, "times", "vocabulary")
	if !slices.Contains([]string{"word", "segment", "none"}, r.times) ||
		!slices.Contains([]string{"prompt", "hotwords", "none"}, r.words) {
		return nil, fmt.Errorf("engine %s: use times=word, segment or none, and vocabulary=prompt, hotwords or none",
			e.Name)
	}
	for _, field := range reserved {
		if e.Extra.Has(field) {
			return nil, fmt.Errorf("engine %s: the parameter %s cannot be set", e.Name, field)
		}
	}
	e.Model = cmp.Or(e.Model, defaultModel)
	e.MaxChunk = cmp.Or(e.MaxChunk, window)
	r.endpoint, r.client = e, remote.NewClient(e, transport)
	r.address = e.Path("/v1/audio/transcriptions", "/transcriptions", "/inference").String()
	return r, nil
}

func without(values map[string][]string, keys ...string) map[string][]string {
	rest := map[string][]string{}
	for k, v := range values {
		if !slices.Contains(keys, k) {
			rest[k] = v
		}
	}
	return rest
}

// Info describes the engine. Nothing is asked of the service.
func (r *Recognizer) Info() asr.Info {
	e := r.endpoint
	return asr.Info{Engine: e.Name, Model: e.Model, Version: r.version, Languages: e.Languages, MaxChunk: e.MaxChunk,
		Parallel: e.Parallel}
}

// Recognize implements asr.Recognizer; its errors are those of remote.Client.
func (r *Recognizer) Recognize(ctx context.Context, request asr.Request) (*asr.Recognition, error) {
	return r.client.Recognize(ctx, request, remote.Call{
		Longest: r.endpoint.MaxChunk,
		Prepare: func(found *asr.Recognition) (func(context.Context) (*http.Request, error), error) {
			form, err := r.form(request, found)
			return func(ctx context.Context) (*http.Request, error) { return r.request(ctx, form) }, err
		},
		Read: r.read,
	})
}

func (r *Recognizer) request(ctx context.Context, f form) (*http.Request, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, r.address, bytes.NewReader(f.body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", f.contentType)
	request.Header.Set("Accept", "application/json")
	if key := r.endpoint.Key.Secret(); key != "" {
		request.Header.Set("Authorization", "Bearer "+key)
	}
	return request, nil
}

// form is a request's body.
type form struct {
	body        []byte
	contentType string
}

// form writes the request; what does not fit into the prompt becomes a warning of found.
func (r *Recognizer) form(request asr.Request, found *asr.Recognition) (form, error) {
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	language, _, _ := strings.Cut(cmp.Or(request.Language, r.endpoint.Languages[0]), "-")
	fields := [][2]string{{"model", cmp.Or(request.Model, r.endpoint.Model)}, {"language", strings.ToLower(language)}}
	switch r.times {
	case "word":
		fields = append(fields, [2]string{"response_format", "verbose_json"},
			[2]string{"timestamp_granularities[]", "word"}, [2]string{"timestamp_granularities[]", "segment"})
	case "segment":
		fields = append(fields, [2]string{"response_format", "verbose_json"})
	case "none":
		fields = append(fields, [2]string{"response_format", "json"})
	}
	if field, text := r.vocabulary(request, found); text != "" {
		fields = append(fields, [2]string{field, text})
	}
	for key, values := range r.endpoint.Extra {
		for _, v := range values {
			fields = append(fields, [2]string{key, v})
		}
	}
	for _, f := range fields {
		if err := w.WriteField(f[0], f[1]); err != nil {
			return form{}, err
		}
	}
	header := textproto.MIMEHeader{}
	header.Set("Content-Disposition", `form-data; name="file"; filename="audio.wav"`)
	header.Set("Content-Type", "audio/wav")
	part, err := w.CreatePart(header)
	if err == nil {
		_, err = io.Copy(part, bytes.NewReader(remote.WAV(request.PCM, least)))
	}
	if err == nil {
		err = w.Close()
	}
	return form{body.Bytes(), w.FormDataContentType()}, err
}

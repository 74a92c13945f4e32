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
	e.Extra = without(e.Extra, "times", "vocabulary")
	if !slices.Contains([]string{"word", "segment", "none"}, r.times) ||
		!slices.Contains([]string{"prompt", "hotwords", "none"}, r.words) {
		return nil, fmt.Errorf("engine %s: use times=word, segment or none, and vocabulary=prompt, hotwords or none",
			e.Name)
	}
	for _, field := range reserved {
		if e.Extra.Has(field) {
			return nil, fmt.Errorf("engine %s: the parameter %s is reserved; remove it from the setting", e.Name, field)
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

// Info describes the engine. It does not contact the service.
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

// form is the body of a request.
type form struct {
	body        []byte
	contentType string
}

// form builds the body of the request. Vocabulary that does not fit into the prompt is reported as a warning in
// found.
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

// Package remote is the common part of the recognisers that use HTTP services: endpoint settings, requests with
// retries, WAV encoding, and clamping of words to the chunk.
//
// The wire formats are in packages openai and deepgram. An endpoint is trusted configuration and usually has a
// private address, so package netguard, which allows public addresses only, is not used. Customer input does not
// influence where audio is sent. The package logs nothing.
package remote

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"parley/internal/speech/asr"
)

// API shapes of services.
const (
	OpenAI   = "openai"
	Deepgram = "deepgram"
)

// DefaultKeyName is the environment variable that holds the key unless the setting names another one.
const DefaultKeyName = "PARLEY_ENGINE_KEY"

// Key is a secret that prints as a placeholder; Secret returns it.
type Key struct{ secret string }

// Secret returns the key, or an empty string if there is none.
func (k Key) Secret() string { return k.secret }

// String hides the key.
func (k Key) String() string { return "(key)" }

// GoString hides the key.
func (k Key) GoString() string { return "(key)" }

// Endpoint is the operator's setting of a speech recognition service.
type Endpoint struct {
	Shape     string        // OpenAI or Deepgram
	Name      string        // name of the engine shown to users
	URL       *url.URL      // without query
	Model     string        // empty: the shape's default
	Languages []string      // BCP 47, the first is the default
	MaxChunk  time.Duration // longest audio of one request; 0: the shape's default
	Parallel  int           // maximum number of concurrent requests
	Key       Key
	KeyName   string     // environment variable of the key, for error messages
	Extra     url.Values // all other parameters, passed to the service
}

var name = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,31}$`)

// Limits of a setting.
const (
	mostParallel = 256
	shortest     = 5 * time.Second
	longest      = time.Hour
)

// Parse parses a setting such as
//
//	openai+http://gpu.internal:8000/?model=small.en&languages=en-US+en-GB&parallel=4
//
// It interprets the parameters model, languages, name, parallel, chunk (a duration) and key-env (the environment
// variable that holds the key); all others are passed to the service. The error says what to write instead and
// contains no secret.
func Parse(setting string, getenv func(string) string) (Endpoint, error) {
	shape, address, _ := strings.Cut(setting, "+")
	u, err := url.Parse(address)
	if err != nil || shape != OpenAI && shape != Deepgram || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return Endpoint{}, errors.New("invalid engine; use openai+http(s)://host[:port]/?model=… or deepgram+…")
	}
	if u.User != nil {
		return Endpoint{}, fmt.Errorf("engine at %s: user and password are not allowed; put the key in an environment "+
			"variable and name it with key-env=", u.Host)
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return Endpoint{}, fmt.Errorf("engine at %s: invalid query parameters; write special characters as %%XX",
			u.Host)
	}
	e := Endpoint{Shape: shape, URL: &url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}, Extra: query}
	if err := e.take(getenv); err != nil {
		return Endpoint{}, fmt.Errorf("engine at %s: %w", u.Host, err)
	}
	return e, nil
}

// take moves the interpreted parameters out of Extra.
func (e *Endpoint) take(getenv func(string) string) error {
	e.Name = cmp.Or(e.pop("name"), e.Shape)
	if !name.MatchString(e.Name) {
		return fmt.Errorf("name %q: use lower-case letters, digits, dots and dashes", e.Name)
	}
	e.Model = e.pop("model")
	e.Languages = strings.FieldsFunc(cmp.Or(e.pop("languages"), "en-US"), func(r rune) bool {
		return r == ',' || r == ' '
	})
	if len(e.Languages) == 0 {
		return errors.New("languages: use a list of language tags such as en-US+de-DE")
	}
	e.KeyName = cmp.Or(e.pop("key-env"), DefaultKeyName)
	e.Key = Key{strings.TrimSpace(getenv(e.KeyName))}
	var err error
	if e.Parallel, err = strconv.Atoi(cmp.Or(e.pop("parallel"), "2")); err != nil || e.Parallel < 1 ||
		e.Parallel > mostParallel {
		return fmt.Errorf("parallel: use an integer from 1 to %d", mostParallel)
	}
	if chunk := e.pop("chunk"); chunk != "" {
		if e.MaxChunk, err = time.ParseDuration(chunk); err != nil || e.MaxChunk < shortest || e.MaxChunk > longest {
			return fmt.Errorf("chunk: use a duration from %v to %v, such as 30s", shortest, longest)
		}
	}
	return nil
}

// Reserve returns an error if the setting contains one of the parameters, which a recogniser sets itself.
func (e *Endpoint) Reserve(parameters ...string) error {
	for _, p := range parameters {
		if e.Extra.Has(p) {
			return fmt.Errorf("engine %s: the parameter %s is reserved; remove it from the setting", e.Name, p)
		}
	}
	return nil
}

// Info describes the engine. It does not contact the service.
func (e *Endpoint) Info(version string) asr.Info {
	return asr.Info{
		Engine: e.Name, Model: e.Model, Version: version, Languages: e.Languages, MaxChunk: e.MaxChunk,
		Parallel: e.Parallel,
	}
}

// pop removes a parameter from Extra and returns it.
func (e *Endpoint) pop(key string) string {
	value := e.Extra.Get(key)
	e.Extra.Del(key)
	return value
}

// Path returns the URL of a service's method. If the endpoint's path ends in the published path or one of the
// endings, it is used unchanged, else the published path is appended. "http://h", "http://h/v1" and
// "http://h/v1/listen" are equivalent for the path "/v1/listen".
func (e Endpoint) Path(published string, endings ...string) *url.URL {
	u := *e.URL
	base := strings.TrimRight(u.Path, "/")
	for _, ending := range append(endings, published) {
		if strings.HasSuffix(base, ending) {
			u.Path = base
			return &u
		}
	}
	u.Path = strings.TrimSuffix(base, "/v1") + published
	return &u
}

// Package stage fills a server with everything that the pages of the workbench show: calls of every kind and state,
// definitions, deliveries, keys; or with nothing, with a hundred thousand calls, or with hostile texts.
//
// The calls are generated, and the same each time. The package is for tests, benchmarks and pictures only. The program
// in the folder serve runs such a server by hand.
package stage

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"parley/internal/flow/pipeline"
	"parley/internal/operation/server"
	"parley/internal/words/account"
)

// Stage is a running server and what it was filled with.
type Stage struct {
	Base  string `json:"-"`
	Token string // of the account's administrator

	Items map[string]string // media ids of the special items, by kind
	Keys  map[string]string // further tokens of the account, by what they may do

	Receiver string // address of the receiver of its callbacks

	server   *server.Server
	receiver *Receiver
	owner    account.ID
	words    *pipeline.Words
	until    time.Time
}

// The kinds of special items.
const (
	Sample     = "sample"     // the sample call with every analysis
	Processing = "processing" // is recognised until the server ends
	Failed     = "failed"     // its recording is damaged
	Withheld   = "withheld"   // failed, and was to be redacted
	Redacted   = "redacted"   // words and sound
	Sealed     = "sealed"     // for the owner of a key
	Mono       = "mono"       // one speaker
	Silent     = "silent"     // there is no recording
	Long       = "long"       // three hours, 30,000 words, 500 marks
	Hebrew     = "hebrew"
	Arabic     = "arabic"
	Chinese    = "chinese"
	Delivered  = "delivered"   // to a receiver that accepts it
	Refused    = "refused"     // by a receiver that may accept it later
	GivenUp    = "undelivered" // to a receiver that is gone
)

// keptIn is the file, in the data directory, that keeps what is known of a filled server.
const keptIn = "stage.json"

func (s *Stage) save(dir string) error {
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, keptIn), text, 0o600)
}

func load(dir string) (*Stage, error) {
	text, err := os.ReadFile(filepath.Join(dir, keptIn))
	if err != nil {
		return nil, err
	}
	s := &Stage{}
	return s, json.Unmarshal(text, s)
}

// put saves a definition.
func (s *Stage) put(ctx context.Context, path string, value any) error {
	body, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return s.send(ctx, http.MethodPut, path, "application/json", body, nil)
}

// send sends a request that must succeed, and decodes the answer into result, unless that is nil.
func (s *Stage) send(ctx context.Context, method, path, contentType string, body []byte, result any) error {
	r, err := http.NewRequestWithContext(ctx, method, s.Base+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+s.Token)
	r.Header.Set("Content-Type", contentType)
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode/100 != 2 {
		err = fmt.Errorf("%s %s: HTTP %d: %.500s", method, path, response.StatusCode, answer)
	}
	if err == nil && result != nil {
		err = json.Unmarshal(answer, result)
	}
	return err
}

package stage

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"parley/internal/storage/store"
	"parley/internal/words/account"
)

// Serve starts a server on a folder and an address, with everything; a folder that is new gets a copy of what is cached.
// say is told what is being done. end stops the server.
func Serve(ctx context.Context, dir, listen string, say func(string)) (s *Stage, end func() error, err error) {
	if _, err := os.Stat(filepath.Join(dir, keptIn)); errors.Is(err, os.ErrNotExist) {
		full, err := full(ctx, say)
		if err != nil {
			return nil, nil, err
		}
		if err := duplicate(full, dir); err != nil {
			return nil, nil, err
		}
	}
	return start(ctx, dir, listen)
}

// start starts a server on a folder.
func start(ctx context.Context, dir, listen string) (s *Stage, end func() error, err error) {
	running, words, stop, err := boot(ctx, dir, listen)
	if err != nil {
		return nil, nil, err
	}
	if s, err = load(dir); errors.Is(err, os.ErrNotExist) {
		s, err = &Stage{Token: string(running.Secret), Items: map[string]string{}, Keys: map[string]string{}}, nil
	}
	if err == nil {
		s.server, s.words, s.Base, s.until = running, words, running.Address(), week()
		s.receiver, err = NewReceiver(ctx, cmp.Or(s.Receiver, "127.0.0.1:0"))
		if err != nil && s.Receiver != "" { // another server has it now, and gets what this one delivers again
			s.receiver, err = NewReceiver(ctx, "127.0.0.1:0")
		}
	}
	if err != nil {
		return nil, nil, errors.Join(err, stop())
	}
	return s, func() error { return errors.Join(s.receiver.Close(), stop()) }, nil
}

// full returns the cached folder with everything.
func full(ctx context.Context, say func(string)) (string, error) {
	return cached(ctx, "full", func(ctx context.Context, dir string) error {
		say("filling a server, once a week; this takes a minute or two")
		s, end, err := start(ctx, dir, "127.0.0.1:0")
		if err != nil {
			return err
		}
		err = s.fill(ctx, say)
		s.Receiver = s.receiver.Address
		return errors.Join(err, s.save(dir), end())
	}, week().Format(time.DateOnly), content())
}

// fill writes everything.
func (s *Stage) fill(ctx context.Context, say func(string)) error {
	err := s.server.Store.View(ctx, func(tx *store.Tx) error {
		a, err := tx.AccountByName(account.DefaultName)
		s.owner = a.ID
		return err
	})
	if err != nil {
		return err
	}
	for _, step := range []struct {
		what string
		do   func(context.Context) error
	}{
		{"definitions", s.define}, {"keys", s.keys}, {"calls of a month", s.month}, {"items of every kind", s.specials},
	} {
		began := time.Now()
		if err := step.do(ctx); err != nil {
			return fmt.Errorf("%s: %w", step.what, err)
		}
		say(fmt.Sprintf("%s: %v", step.what, time.Since(began).Round(time.Millisecond)))
	}
	return nil
}

// keys makes further keys of the account.
func (s *Stage) keys(ctx context.Context) error {
	for name, scope := range map[string]string{"read": "media:read", "figures": "analytics", "upload": "media:write",
		"everything but administration": "media:read media:write analytics definitions"} {
		body, err := json.Marshal(object{"description": "For " + name, "scope": scope})
		if err != nil {
			return err
		}
		var answer struct {
			BearerToken string `json:"bearerToken"`
		}
		if err := s.send(ctx, http.MethodPost, "/v3/profile/keys", "application/json", body, &answer); err != nil {
			return err
		}
		s.Keys[name] = answer.BearerToken
	}
	return nil
}

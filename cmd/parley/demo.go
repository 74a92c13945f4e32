package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"parley/internal/call/plan"
	"parley/internal/operation/config"
	"parley/internal/operation/server"
	"parley/internal/speech/asr/pocketsphinx"
	"parley/internal/storage/store"
	"parley/internal/terminal/client"
	"parley/internal/web/auth"
	"parley/internal/words/account"
	"parley/sample"
)

// demoCommand is a guided start: the server, the sample call, and what to do next.
type demoCommand struct {
	config.ServeFlags
}

// state is what the demo stores in the data directory, readable only by its owner.
type state struct {
	dir string
}

func (s state) file(name string) string { return filepath.Join(s.dir, name) }

func (s state) read(name string) string {
	text, err := os.ReadFile(s.file(name))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

func (s state) write(name, text string) error {
	if err := os.WriteFile(s.file(name), []byte(text+"\n"), 0o600); err != nil {
		return fmt.Errorf("save the state of the demo: %w", err)
	}
	return nil
}

const (
	tokenFile = "demo-token"
	mediaFile = "demo-media"
)

// Run serves until a signal arrives; meanwhile it shows the sample call.
func (c *demoCommand) Run(ctx context.Context) error {
	if c.Role != "all" {
		return usagef("--role %s: the demo needs a server with the API and workers; omit --role", c.Role)
	}
	if c.LogLevel == "info" {
		c.LogLevel = "warn" // the screen is for the transcript
	}
	s, err := openServer(ctx, c.ServeFlags)
	if err != nil {
		return err
	}
	defer s.Close()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var serving sync.WaitGroup
	var served error
	serving.Go(func() {
		served = s.Run(ctx)
		stop() // if the server cannot serve, the demo ends
	})
	err = show(ctx, s, state{s.Settings.Dir})
	if err != nil {
		stop()
	}
	serving.Wait()
	if errors.Is(err, context.Canceled) {
		err = nil
	}
	return errors.Join(err, served)
}

// show submits the sample call unless an earlier run has, and prints its transcript and what to do next.
func show(ctx context.Context, s *server.Server, kept state) error {
	token, err := demoToken(ctx, s, kept)
	if err != nil {
		return err
	}
	cl := &client.Client{Base: s.Address(), Token: token, HTTP: http.DefaultClient}
	id, err := demoMedia(ctx, cl, kept)
	if err != nil {
		return err
	}
	if _, err := follow(ctx, cl, id, sample.Name); err != nil {
		return err
	}
	text, err := cl.Transcript(ctx, id, "text")
	if err != nil {
		return err
	}
	fmt.Printf("\n%s\n", text)
	fmt.Print(accuracy(s.Models()[0], s.Settings.Dir))
	fmt.Print(next(s.Address(), kept.file(tokenFile), id))
	invited, err := invitation(ctx, s, auth.Secret(token))
	fmt.Print(invited)
	return err
}

// invitation returns a text with a link that signs a browser in with the token of the demo.
func invitation(ctx context.Context, s *server.Server, token auth.Secret) (string, error) {
	base := s.Address()
	if s.Settings.PublicURL != nil {
		base = s.Settings.PublicURL.String()
	}
	var link auth.Secret
	err := s.Store.Update(ctx, func(tx *store.Tx) error {
		kept, _, err := tx.TokenByHash(token.Hash())
		if err != nil {
			return err
		}
		link, err = addLink(tx, kept)
		return err
	})
	if err != nil {
		return "", err
	}
	again := ""
	if base != defaultServer {
		again = " --public-url " + base
	}
	return fmt.Sprintf(`
See the calls in a browser: open this link within 10 minutes. It signs in once.

  %s

For another link, run this in another window: bin/parley token create --sign-in --data %s%s
`, auth.SignInLink(base, link), s.Settings.Dir, again), nil
}

// demoToken returns the token of an earlier run, or makes one.
func demoToken(ctx context.Context, s *server.Server, kept state) (string, error) {
	if token := kept.read(tokenFile); token != "" {
		return token, nil
	}
	secret := s.Secret
	if secret == "" {
		secret = auth.NewSecret()
		err := s.Store.Update(ctx, func(tx *store.Tx) error {
			owner, err := tx.AccountByName(account.DefaultName)
			if err != nil {
				return err
			}
			_, err = addToken(tx, owner.ID, account.Token{Description: "demo", Scopes: account.AllScopes}, secret)
			return err
		})
		if err != nil {
			return "", err
		}
	}
	if err := kept.write(tokenFile, string(secret)); err != nil {
		return "", err
	}
	return string(secret), s.TokenShown(ctx)
}

// demoMedia returns the sample call of an earlier run, or submits it.
func demoMedia(ctx context.Context, cl *client.Client, kept state) (string, error) {
	if id := kept.read(mediaFile); id != "" {
		_, err := cl.Item(ctx, id)
		if err == nil {
			return id, nil
		}
		if failed, ok := errors.AsType[*client.Error](err); !ok || failed.Status != http.StatusNotFound {
			return "", err
		}
	}
	if err := demoCategories(ctx, cl); err != nil {
		return "", err
	}
	item, err := cl.Submit(ctx, client.Submission{
		Name: sample.Name, Media: bytes.NewReader(sample.Call()), Configuration: sample.Complete,
		Metadata: sample.Metadata,
	})
	if err != nil {
		return "", err
	}
	return item.MediaID, kept.write(mediaFile, item.MediaID)
}

// demoCategories saves the categories of the sample call, unless the account has some of these names.
func demoCategories(ctx context.Context, cl *client.Client) error {
	for name, condition := range sample.Categories {
		_, err := cl.Definition(ctx, client.Categories, name)
		if failed, ok := errors.AsType[*client.Error](err); ok && failed.Status == http.StatusNotFound {
			body, err2 := json.Marshal(map[string]string{"query": condition, "categoryDescription": "Of the sample call"})
			if err2 == nil {
				_, err2 = cl.PutDefinition(ctx, client.Categories, name, body)
			}
			err = err2
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// accuracy says which engine recognised the sample call and, if that is PocketSphinx, how to install a better model.
func accuracy(first plan.Model, dir string) string {
	if first.Engine != pocketsphinx.Describe().Engine {
		return fmt.Sprintf("Recognised by %s/%s.\n", first.Engine, first.Name)
	}
	return fmt.Sprintf(`Accuracy: this is PocketSphinx, which needs no download; on real telephone calls about every second word is wrong.
According to their published figures, neural models make far fewer errors.
To install one (482 MB), run this and start again:
  make sherpa && bin/parley models pull parakeet-tdt-0.6b-v2 --data %s
`, dir)
}

// next prints what to do next. The token is in a file, so that it appears on no command line and no screen.
func next(address, token, id string) string {
	at := ""
	if address != defaultServer {
		at = " --server " + address
	}
	return fmt.Sprintf(`
The server keeps running at %[1]s. API reference: %[1]s/docs
In another window:

  bin/parley login%[6]s < %[2]s
  bin/parley submit%[6]s call.wav
  bin/parley list%[6]s
  bin/parley get%[6]s %[3]s

Calls in which somebody says something, and where:
  bin/parley query%[6]s '%[5]s'

The same with curl:
  TOKEN=$(cat %[2]s)
  curl -H "Authorization: Bearer $TOKEN" -F media=@call.wav -F 'configuration=%[7]s' %[1]s/v3/media
  curl -H "Authorization: Bearer $TOKEN" %[1]s/v3/media/%[3]s/transcript/text
  curl -H "Authorization: Bearer $TOKEN" %[1]s/v3/analytics/vbql -d '%[4]s'

Stop with Ctrl-C; the next start keeps data and token.
`, address, token, id, sample.Statement, sample.Condition, at, withDefaults(""))
}

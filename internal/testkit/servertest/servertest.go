// Package servertest runs the whole server in a test: real storage, real ffmpeg, real HTTP, and the real recogniser or
// a fast fake that returns a word every half second.
//
// Every answer that a test gets is checked against the API description. The package is for tests only.
package servertest

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"parley/internal/flow/pipeline"
	"parley/internal/operation/config"
	"parley/internal/operation/server"
	"parley/internal/speech/asr"
	"parley/internal/speech/asr/pocketsphinx"
	"parley/internal/testkit/sandboxtest"
)

const databaseName = "parley.db"

const engineArgument = "engine-pocketsphinx"

// Main runs the tests of a package. The test binary is also the program of the recogniser's child processes.
func Main(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == engineArgument {
		if pocketsphinx.Main(context.Background(), os.Stdin, os.Stdout, pocketsphinx.Config{}) != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	sandboxtest.Main(m)
}

// Options configure Start.
type Options struct {
	Recognizer asr.Recognizer         // nil: a Metronome
	Engines    pipeline.Engines       // instead of the Recognizer
	Real       bool                   // PocketSphinx, in child processes
	Settings   func(*config.Settings) // changes to the settings
	Log        io.Writer              // gets every log line as JSON; nil: none
	Dir        string                 // data directory; empty: a temporary one
	Token      string                 // of a data directory that another program filled
}

// Server is a running server.
type Server struct {
	*Client // with an admin token of the default account
	Server  *server.Server
	Dir     string
	stop    func()
}

// Start starts a server on loopback; it stops at the end of the test.
func Start(t *testing.T, o Options) *Server {
	t.Helper()
	if o.Dir == "" {
		o.Dir = t.TempDir()
	}
	settings := Settings(o.Dir)
	if o.Settings != nil {
		o.Settings(&settings)
	}
	if settings.Database == database(o.Dir) {
		prepare(t, filepath.Join(o.Dir, databaseName))
	}
	s, err := server.Open(t.Context(), server.Config{
		Settings: settings, Version: "test", Description: loaded(t, description), Log: o.log(),
		Engine: []string{self(t), engineArgument}, Engines: o.engines(), Words: loaded(t, words),
	})
	if err != nil {
		t.Fatal(err)
	}
	running := &Server{Server: s, Dir: o.Dir}
	ctx, cancel := context.WithCancel(context.Background())
	var serving sync.WaitGroup
	serving.Go(func() {
		if err := s.Run(ctx); err != nil {
			t.Errorf("serve: %v", err)
		}
	})
	running.stop = sync.OnceFunc(func() {
		cancel()
		serving.Wait()
		if err := s.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	t.Cleanup(running.stop)
	if err := s.TokenShown(t.Context()); err != nil {
		t.Fatal(err)
	}
	running.Client = &Client{Base: s.Address(), Token: running.token(t, o.Token), HTTP: &http.Client{Transport: Contract(t)}}
	return running
}

func (o Options) log() *slog.Logger {
	if o.Log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(slog.NewJSONHandler(o.Log, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

// Stop stops the server as SIGTERM does.
func (s *Server) Stop() { s.stop() }

// token returns the admin token, which the first start on a data directory creates, unless it is known.
func (s *Server) token(t *testing.T, known string) string {
	t.Helper()
	if known != "" {
		return known
	}
	file := filepath.Join(s.Dir, "test-token")
	if s.Server.Secret != "" {
		if err := os.WriteFile(file, []byte(s.Server.Secret), 0o600); err != nil {
			t.Fatal(err)
		}
		return string(s.Server.Secret)
	}
	kept, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(kept)
}

// Settings returns the settings of a test server.
func Settings(dir string) config.Settings {
	return config.Settings{
		Storage: config.Storage{Dir: dir, Database: database(dir)},
		Role:    config.RoleAll, Listen: "127.0.0.1:0", Workers: 2, Engines: 2,
		MaxUpload: 64 << 20, MaxDuration: 8 * time.Hour, DrainTimeout: 5 * time.Second, LogLevel: "info",
		RequestMemory: 1 << 30, AccountMemory: 320 << 20,
	}
}

func database(dir string) string { return "sqlite://" + filepath.Join(dir, databaseName) }

func (o Options) engines() pipeline.Engines {
	if o.Real {
		return nil
	}
	if o.Engines != nil {
		return o.Engines
	}
	if o.Recognizer == nil {
		o.Recognizer = Metronome{}
	}
	return pipeline.Engines{{Recognizer: o.Recognizer, Info: asr.Info{
		Engine: "test", Model: "metronome", Version: "1", Languages: []string{"en-US"}, MaxChunk: 15 * time.Second,
		Parallel: 2,
	}}}
}

func self(t *testing.T) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

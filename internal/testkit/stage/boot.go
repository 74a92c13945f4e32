package stage

import (
	"context"
	"log/slog"
	"net/netip"
	"path/filepath"
	"sync"
	"time"

	openapi "parley/api"
	"parley/internal/call/delivery"
	"parley/internal/flow/pipeline"
	"parley/internal/operation/config"
	"parley/internal/operation/server"
	"parley/internal/speech/asr"
	"parley/internal/testkit/servertest"
)

// Endless is the engine of items that are processed until the server ends.
const Endless = "endless"

// Engines are the recognisers of a filled server: one that hears a word every half second, and one that never ends.
func Engines() pipeline.Engines {
	info := asr.Info{Engine: "stage", Model: "metronome", Version: "1",
		Languages: []string{"en-US", "es-ES", "de-DE", "he-IL", "ar-EG", "zh-CN"}, MaxChunk: 15 * time.Second, Parallel: 2}
	endless := info
	endless.Engine, endless.Model = Endless, "waiting"
	return pipeline.Engines{{Recognizer: servertest.Metronome{}, Info: info},
		{Recognizer: servertest.NewGate(), Info: endless}}
}

// Settings changes settings so that a server delivers to receivers on this machine, tries twice, and has room for long
// recordings.
func Settings(s *config.Settings) {
	s.InsecureCallbacks, s.AllowNetworks = true, []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	s.CallbackSchedule = delivery.Schedule{0, 30 * 24 * time.Hour}
	s.MaxUpload = 512 << 20
	s.Workers = 4 // one of them is busy for ever
}

// boot starts a server on a data directory, for programs and for filling. end stops it.
func boot(ctx context.Context, dir, listen string) (s *server.Server, words *pipeline.Words, end func() error, err error) {
	settings := servertest.Settings(dir)
	settings.Database, settings.Listen = "sqlite://"+filepath.Join(dir, "parley.db"), listen
	Settings(&settings)
	description, err := openapi.JSON()
	if err != nil {
		return nil, nil, nil, err
	}
	if words, err = pipeline.LoadWords(); err != nil {
		return nil, nil, nil, err
	}
	s, err = server.Open(ctx, server.Config{Settings: settings, Version: "stage", Description: description,
		Engines: Engines(), Words: words, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return nil, nil, nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	var serving sync.WaitGroup
	var served error
	serving.Go(func() { served = s.Run(ctx) })
	end = func() error {
		cancel()
		serving.Wait()
		if err := s.Close(); served == nil {
			served = err
		}
		return served
	}
	return s, words, end, s.TokenShown(ctx)
}

package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"runtime"

	"parley/internal/operation/config"
	"parley/internal/operation/server"
	"parley/internal/speech/asr/pocketsphinx"
	"parley/internal/words/fault"

	openapi "parley/api"
)

type serveCommand struct {
	config.ServeFlags
}

// Run serves until a signal arrives.
func (c *serveCommand) Run(ctx context.Context) error {
	s, err := openServer(ctx, c.ServeFlags)
	if err != nil {
		return err
	}
	defer s.Close()
	if s.Secret != "" {
		if _, err := fmt.Printf("Admin token of the account %q, shown this once:\n%s\n", "default",
			string(s.Secret)); err != nil {
			return fmt.Errorf("show the admin token: %w", err)
		}
	}
	if err := s.TokenShown(ctx); err != nil {
		return err
	}
	return s.Run(ctx)
}

func openServer(ctx context.Context, flags config.ServeFlags) (*server.Server, error) {
	settings, err := config.Parse(flags)
	if err != nil {
		return nil, misuse(err)
	}
	command, err := engineCommandLine()
	if err != nil {
		return nil, err
	}
	description, err := openapi.JSON()
	if err != nil {
		return nil, err
	}
	s, err := server.Open(ctx, server.Config{
		Processors: moreThreads(), Settings: settings, Version: version, Description: description, Engine: command,
		Log: newLog(settings),
	})
	if fault.Is(err, fault.Unavailable) {
		return nil, fmt.Errorf("%w; run parley doctor with the same settings to see what to do", err)
	}
	return s, err
}

// threadsOfProcessor is how many threads may run Go code per processor. Long computations use at most one of them
// (package fair). With spare threads, a request or a commit that has waited for the disk continues as soon as the
// operating system schedules it, instead of after the 10 ms time slice that the Go runtime gives to a long computation.
const threadsOfProcessor = 4

// moreThreads lets more threads run than there are processors, and returns the number of processors. It respects a
// GOMAXPROCS set by the operator.
func moreThreads() int {
	n := runtime.GOMAXPROCS(0)
	if os.Getenv("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(threadsOfProcessor * n)
	}
	return n
}

func newLog(s config.Settings) *slog.Logger {
	var level slog.Level
	level.UnmarshalText([]byte(s.LogLevel)) // config has validated it
	options := &slog.HandlerOptions{Level: level}
	if s.LogJSON {
		return slog.New(slog.NewJSONHandler(os.Stderr, options))
	}
	return slog.New(slog.NewTextHandler(os.Stderr, options))
}

// engineCommand is the child process that recognises speech. It uses the line protocol on its standard input and
// output, and is not for interactive use.
type engineCommand struct{}

// Run serves requests until the input ends.
func (engineCommand) Run(ctx context.Context) error {
	return pocketsphinx.Main(context.WithoutCancel(ctx), os.Stdin, os.Stdout, pocketsphinx.Config{})
}

// engineCommandLine returns the command that runs this program as a recogniser's child process.
func engineCommandLine() ([]string, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find the file of this program: %w", err)
	}
	return []string{self, "engine-pocketsphinx"}, nil
}

type versionCommand struct{}

func (versionCommand) Run() error {
	fmt.Println("parley", version)
	return nil
}

package server

import (
	"context"
	"log/slog"

	"parley/internal/asr/line"
	"parley/internal/asr/pocketsphinx"
	"parley/internal/child"
	"parley/internal/pipeline"
	"parley/internal/plan"
)

// niceness of engine processes: the API stays quick while they work.
const niceness = 10

// engines are the recognisers of this process: those given, else PocketSphinx.
type engines struct {
	given pipeline.Engines
	pool  *line.Pool // nil where engines are given
}

func newEngines(c Config) *engines {
	if c.Engines != nil {
		return &engines{given: c.Engines}
	}
	return &engines{pool: NewPool(c.Engine, c.Settings.Engines, c.Log)}
}

// NewPool returns the default recogniser: PocketSphinx in child processes.
func NewPool(command []string, children int, log *slog.Logger) *line.Pool {
	return line.NewPool(line.Config{
		Command: command, Children: children, Log: log,
		Limits: child.Limits{Memory: pocketsphinx.MemoryLimit, Nice: niceness},
	})
}

// open starts what is not running and returns the engines; the error is of kind Unavailable.
func (e *engines) open(ctx context.Context) (pipeline.Engines, error) {
	if e.pool == nil {
		return e.given, nil
	}
	info, err := e.pool.Info(ctx)
	if err != nil {
		return nil, err
	}
	return pipeline.Engines{{Recognizer: e.pool, Info: info}}, nil
}

// check says what the default recogniser lacks on this machine. Engines that were given lack nothing.
func (e *engines) check() error {
	if e.pool == nil {
		return nil
	}
	_, err := pocketsphinx.Check(pocketsphinx.Config{})
	return err
}

// models lists what the engines can do, whether or not they are installed at the moment: work waits for them.
func (e *engines) models() []plan.Model {
	if e.pool == nil {
		return e.given.Models()
	}
	return pipeline.Engines{{Info: pocketsphinx.Describe()}}.Models()
}

// Close ends the child processes.
func (e *engines) Close() error {
	if e.pool == nil {
		return nil
	}
	return e.pool.Close()
}

// environment is what this server can do.
func (s *Server) environment() plan.Environment {
	return plan.Environment{Models: s.engines.models(), TimeToLive: s.Settings.TimeToLive}
}

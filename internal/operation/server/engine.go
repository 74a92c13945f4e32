package server

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"parley/internal/call/plan"
	"parley/internal/flow/pipeline"
	"parley/internal/host/sandbox"
	"parley/internal/operation/config"
	"parley/internal/speech/asr"
	"parley/internal/speech/asr/deepgram"
	"parley/internal/speech/asr/line"
	"parley/internal/speech/asr/openai"
	"parley/internal/speech/asr/pocketsphinx"
	"parley/internal/speech/asr/remote"
)

// niceness of engine processes, so that the API stays responsive while they work.
const niceness = 10

// programMemory is the memory limit in bytes of a process of an operator's own recogniser.
const programMemory = 8 << 30

// engines are the recognisers of this process, in order of preference: those given in the configuration; otherwise the
// operator's services and programs, the installed neural models and, last, PocketSphinx.
type engines struct {
	chosen pipeline.Engines
	sphinx *line.Pool   // PocketSphinx, started when needed; nil if engines are given
	pools  []*line.Pool // all engines with child processes
}

// openEngines starts the operator's programs to learn their capabilities; other engines are not started yet.
func openEngines(ctx context.Context, c Config) (*engines, error) {
	if c.Engines != nil {
		return &engines{chosen: c.Engines}, nil
	}
	e := &engines{sphinx: NewPool(c.Engine, c.Settings.Engines, c.Log)}
	e.pools = append(e.pools, e.sphinx)
	for _, endpoint := range c.Settings.Remotes {
		if err := e.addRemote(endpoint); err != nil {
			return e, err
		}
	}
	for _, command := range c.Settings.Programs {
		if err := e.addProgram(ctx, command, c); err != nil {
			return e, err
		}
	}
	return e, e.addNeural(ctx, c)
}

// service is a recogniser that describes itself without being asked.
type service interface {
	asr.Recognizer
	Info() asr.Info
}

func (e *engines) addRemote(endpoint remote.Endpoint) error {
	var s service
	var err error
	switch endpoint.Shape {
	case remote.Deepgram:
		s, err = deepgram.New(endpoint, nil)
	default:
		s, err = openai.New(endpoint, nil)
	}
	if err != nil {
		return fmt.Errorf("engine %s: %w", endpoint.Name, err)
	}
	return e.add(pipeline.Engine{Recognizer: s, Info: s.Info()})
}

func (e *engines) addProgram(ctx context.Context, command []string, c Config) error {
	pool, err := NewProgramPool(command, c.Settings, c.Log)
	if err != nil {
		return err
	}
	e.pools = append(e.pools, pool)
	info, err := pool.Info(ctx)
	if err != nil {
		return fmt.Errorf("engine program %s: %w", command[0], err)
	}
	return e.add(pipeline.Engine{Recognizer: pool, Info: info})
}

// NewProgramPool returns a recogniser that is a program of the operator, confined as the settings say. It starts no
// process yet.
func NewProgramPool(command []string, s config.Settings, log *slog.Logger) (*line.Pool, error) {
	access, err := programAccess(s, command)
	if err != nil {
		return nil, err
	}
	return line.NewPool(line.Config{
		Command: command, Children: s.Engines, Log: log,
		Limits: sandbox.Limits{Memory: programMemory, Nice: niceness, Access: access},
	}), nil
}

// programAccess returns the files that an operator's program may read: the files and folders among its arguments, and
// those of the settings. None of them may contain the server's own files.
func programAccess(s config.Settings, command []string) (sandbox.Access, error) {
	access := sandbox.Access{Scratch: true, Trusted: s.TrustPrograms}
	own := []string{s.Dir, s.StorageKeyFile, s.TLSKey}
	for _, path := range s.EngineFiles {
		if _, err := os.Stat(path); err != nil {
			return access, fmt.Errorf("--engine-files: %w", err)
		}
		if contains(path, own) {
			return access, fmt.Errorf("--engine-files %s contains the server's data or keys; name a folder without them", path)
		}
		access.Read = append(access.Read, path)
	}
	for _, word := range command[1:] {
		if _, err := os.Stat(word); err == nil && !contains(word, own) {
			access.Read = append(access.Read, word)
		}
	}
	return access, nil
}

// contains reports whether a path equals one of others or is an ancestor of one.
func contains(path string, others []string) bool {
	path = resolve(path)
	for _, other := range others {
		if other == "" {
			continue
		}
		if below, err := filepath.Rel(path, resolve(other)); err == nil && below != ".." &&
			!strings.HasPrefix(below, "../") {
			return true
		}
	}
	return false
}

// resolve returns an absolute path with symbolic links resolved, as far as it exists.
func resolve(path string) string {
	if absolute, err := filepath.Abs(path); err == nil {
		path = absolute
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	return path
}

// add appends an engine. Requests refer to engines by name, so names must be unique.
func (e *engines) add(one pipeline.Engine) error {
	for _, other := range append(e.chosen, pipeline.Engine{Info: pocketsphinx.Describe()}) {
		if other.Info.Engine == one.Info.Engine && other.Info.Model == one.Info.Model {
			return fmt.Errorf("two engines are named %s with model %s; rename one of them", one.Info.Engine,
				one.Info.Model)
		}
	}
	e.chosen = append(e.chosen, one)
	return nil
}

// NewPool returns the default recogniser: PocketSphinx in child processes.
func NewPool(command []string, children int, log *slog.Logger) *line.Pool {
	return line.NewPool(line.Config{
		Command: command, Children: children, Log: log,
		Limits: sandbox.Limits{Memory: pocketsphinx.MemoryLimit, Nice: niceness, Access: pocketsphinx.Access},
	})
}

// find returns the engine that a plan names, after starting it; its error is of kind Unavailable.
func (e *engines) find(ctx context.Context, r *plan.Recognition) (pipeline.Engine, error) {
	if found, ok := e.chosen.Find(r); ok {
		return found, nil
	}
	sphinx := pocketsphinx.Describe()
	if e.sphinx == nil || r.Engine != sphinx.Engine || r.Model != sphinx.Model {
		return pipeline.Engine{}, pipeline.NotInstalled(r)
	}
	info, err := e.sphinx.Info(ctx)
	return pipeline.Engine{Recognizer: e.sphinx, Info: info}, err
}

// check reports what the default recogniser lacks on this machine, if no other engine has precedence.
func (e *engines) check() error {
	if len(e.chosen) > 0 {
		return nil
	}
	_, err := pocketsphinx.Check(pocketsphinx.Config{})
	return err
}

// models lists the models of the engines, whether or not they are available at the moment: work waits for them.
func (e *engines) models() []plan.Model {
	all := e.chosen
	if e.sphinx != nil {
		all = append(all[:len(all):len(all)], pipeline.Engine{Info: pocketsphinx.Describe()})
	}
	return all.Models()
}

// Models lists the models of this server's engines, in order of preference.
func (s *Server) Models() []plan.Model { return s.engines.models() }

// Close stops the child processes.
func (e *engines) Close() error {
	for _, pool := range e.pools {
		pool.Close()
	}
	return nil
}

// environment returns the capabilities of this server.
func (s *Server) environment() plan.Environment {
	return plan.Environment{
		Models: s.engines.models(), Built: pipeline.Built(), TimeToLive: s.Settings.TimeToLive,
		Callbacks: plan.CallbackRules{
			AllowHTTP: s.Settings.InsecureCallbacks, Check: func(u *url.URL) error {
				return s.callbackGuard.CheckURL(u.String())
			},
		},
	}
}

package server

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"parley/internal/flow/pipeline"
	"parley/internal/host/sandbox"
	"parley/internal/operation/config"
	"parley/internal/speech/asr"
	"parley/internal/speech/asr/line"
	"parley/internal/speech/asr/sherpa"
	"parley/internal/speech/modelstore"
)

// loadTime is how long a process may take to load a model from a slow disk.
const loadTime = 3 * time.Minute

// addNeural adds an engine for each installed speech model, without loading any. If the program that runs them is
// missing, they are left out with a warning; it is an error if the operator has configured the program.
func (e *engines) addNeural(ctx context.Context, c Config) error {
	models, err := SpeechModels(c.Settings.Storage)
	if err != nil || len(models) == 0 {
		return err
	}
	program := SherpaProgram(c.Settings.Sherpa)
	if err := sherpa.Check(ctx, program); err != nil {
		if c.Settings.Sherpa != "" {
			return err
		}
		c.Log.Warn("the installed neural models cannot be used", "models", len(models), "error", err)
		return nil
	}
	for _, m := range models {
		one, err := e.neural(program, m, c)
		if err != nil {
			c.Log.Warn("an installed neural model cannot be used", "model", m.Name, "error", err)
			continue
		}
		if err := e.add(one); err != nil {
			return err
		}
	}
	return nil
}

func (e *engines) neural(program string, m modelstore.Installed, c Config) (pipeline.Engine, error) {
	pool, info, err := NewNeuralPool(program, m, c.Settings.Engines, c.Log)
	if err != nil {
		return pipeline.Engine{}, err
	}
	e.pools = append(e.pools, pool)
	return pipeline.Engine{Recognizer: pool, Info: info}, nil
}

// SpeechModels lists the installed speech models of a data directory, the default first.
func SpeechModels(s config.Storage) ([]modelstore.Installed, error) {
	store := &modelstore.Store{Dir: s.ModelDir()}
	all, err := store.All()
	if err != nil {
		return nil, err
	}
	var models []modelstore.Installed
	first, chosen := store.Default(modelstore.Speech)
	for _, m := range all {
		switch {
		case m.Kind != modelstore.Speech || m.Engine != sherpa.Engine:
		case chosen && m.Name == first.Name:
			models = append([]modelstore.Installed{m}, models...)
		default:
			models = append(models, m)
		}
	}
	return models, nil
}

// SherpaProgram returns the program that runs neural models: the configured one, otherwise parley-sherpa next to this
// program.
func SherpaProgram(setting string) string { return programNextTo("parley-sherpa", setting) }

// programNextTo returns a program: the configured one, otherwise the one with the given name next to this program.
func programNextTo(name, setting string) string {
	if setting != "" {
		return setting
	}
	self, err := os.Executable()
	if err == nil {
		self, err = filepath.EvalSymlinks(self)
	}
	if err != nil {
		return name
	}
	return filepath.Join(filepath.Dir(self), name)
}

// NewNeuralPool returns a recogniser for an installed model that runs as many processes as memory allows, at most
// engines; none is started yet. The remaining processors become threads of the processes.
func NewNeuralPool(
	program string, m modelstore.Installed, engines int, log *slog.Logger,
) (*line.Pool, asr.Info, error) {
	info, err := sherpa.Describe(m)
	if err != nil {
		return nil, info, err
	}
	if engines <= 0 {
		engines = runtime.NumCPU()
	}
	children, threads := share(engines, sherpa.Memory(m), memory())
	info.Parallel = children
	return line.NewPool(line.Config{
		Command: sherpa.Command(program, m, threads), Children: children, StartTime: loadTime, Log: log,
		Limits: sandbox.Limits{Memory: sherpa.MemoryLimit(m), Nice: niceness, Access: sherpa.Access(m)},
	}), info, nil
}

// share divides processors and half of the memory among processes that need the given number of bytes each; memory is 0
// if unknown.
func share(processors int, need, memory uint64) (children, threads int) {
	children = processors
	if memory > 0 {
		children = int(min(uint64(children), max(memory/2/need, 1)))
	}
	return children, max(processors/children, 1)
}

// memory returns the memory of this machine, or of the container of this process, in bytes; 0 if unknown.
func memory() uint64 {
	var kilobytes uint64
	file, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0
	}
	fmt.Sscanf(string(file), "MemTotal: %d kB", &kilobytes) // the first line
	total := kilobytes << 10
	limit, err := os.ReadFile("/sys/fs/cgroup/memory.max")
	if most, bad := strconv.ParseUint(strings.TrimSpace(string(limit)), 10, 64); err == nil && bad == nil {
		return min(total, most)
	}
	return total
}

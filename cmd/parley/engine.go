package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"parley/internal/flow/pipeline"
	"parley/internal/operation/config"
	"parley/internal/operation/server"
	"parley/internal/speech/asr"
	"parley/internal/speech/asr/line"
	"parley/internal/speech/asr/pocketsphinx"
	"parley/internal/speech/asr/sherpa"
	"parley/internal/speech/modelstore"
)

// engineFlags choose a recogniser for commands that use no server.
type engineFlags struct {
	Model   string `help:"Model: pocketsphinx, or an installed neural model; default: the default neural model, otherwise pocketsphinx." placeholder:"NAME"`
	Sherpa  string `help:"Program that runs neural models; default: parley-sherpa next to this program." env:"PARLEY_SHERPA" placeholder:"FILE" type:"path"`
	Engines int    `help:"Recogniser processes; default: one per processor." default:"0" placeholder:"N"`

	EngineProgram string `help:"Your own recogniser program, with its arguments, instead of a model; see docs/engines.md." name:"engine-program" placeholder:"COMMAND"`
	config.ProgramFlags
}

// open starts the recogniser and returns it; data is the data directory with the installed models. The caller must
// close the pool.
func (f engineFlags) open(ctx context.Context, data string) (pipeline.Engine, *line.Pool, error) {
	pool, err := f.pool(ctx, data)
	if err != nil {
		return pipeline.Engine{}, nil, err
	}
	info, err := pool.Info(ctx)
	if err != nil {
		pool.Close()
		return pipeline.Engine{}, nil, err
	}
	return pipeline.Engine{Recognizer: pool, Info: info}, pool, nil
}

func (f engineFlags) pool(ctx context.Context, data string) (*line.Pool, error) {
	if f.EngineProgram != "" {
		command := strings.Fields(f.EngineProgram)
		switch {
		case len(command) == 0:
			return nil, errors.New("--engine-program: name a program, followed by its arguments")
		case f.Model != "":
			return nil, errors.New("--model and --engine-program name two engines; leave one of them out")
		}
		return server.NewProgramPool(command, config.Settings{
			Storage: config.Storage{Dir: data}, Engines: f.Engines,
			EngineFiles: f.EngineFiles, TrustPrograms: f.TrustPrograms,
		}, nil)
	}
	m, err := f.model(data)
	if err != nil {
		return nil, err
	}
	if m != nil {
		pool, err := neuralPool(ctx, *m, f.Sherpa, f.Engines)
		if err != nil {
			err = fmt.Errorf("%w; --model %s works without it", err, pocketsphinx.Describe().Engine)
		}
		return pool, err
	}
	command, err := engineCommandLine()
	if err != nil {
		return nil, err
	}
	return server.NewPool(command, f.Engines, nil), nil
}

// model returns the neural model that the flags select; nil: PocketSphinx.
func (f engineFlags) model(data string) (*modelstore.Installed, error) {
	if f.Model == pocketsphinx.Describe().Engine {
		return nil, nil
	}
	dir, err := filepath.Abs(data)
	if err != nil {
		return nil, err
	}
	storage := config.Storage{Dir: dir}
	if f.Model == "" {
		models, err := server.SpeechModels(storage)
		if err != nil || len(models) == 0 {
			return nil, err
		}
		return &models[0], nil
	}
	m, err := (&modelstore.Store{Dir: storage.ModelDir()}).Open(f.Model)
	if err != nil {
		return nil, fmt.Errorf("%w; \"parley models list\" shows the installed ones", err)
	}
	return &m, nil
}

// neuralPool returns a recogniser for an installed model; it starts no process yet.
func neuralPool(ctx context.Context, m modelstore.Installed, program string, engines int) (*line.Pool, error) {
	program = server.SherpaProgram(program)
	if err := sherpa.Check(ctx, program); err != nil {
		return nil, err
	}
	pool, _, err := server.NewNeuralPool(program, m, engines, nil)
	return pool, err
}

// lookNeural loads the default model of a server on this storage, and describes it; nil if none is installed.
func lookNeural(ctx context.Context, storage config.Storage) (*asr.Info, error) {
	models, err := server.SpeechModels(storage)
	if err != nil || len(models) == 0 {
		return nil, err
	}
	pool, err := neuralPool(ctx, models[0], "", 1)
	if err != nil {
		return nil, err
	}
	defer pool.Close()
	info, err := pool.Info(ctx)
	return &info, err
}

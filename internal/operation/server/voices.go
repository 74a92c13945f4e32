package server

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"time"

	"parley/internal/flow/pipeline"
	"parley/internal/operation/config"
	"parley/internal/speech/asr/sherpa"
	"parley/internal/speech/diarize"
	"parley/internal/speech/modelstore"
	"parley/internal/words/list"
)

// NewVoices returns diarization with the installed models. It returns nil if there are none, or if the program that
// runs them cannot be started: package diarize is used then. The log says why, and lists each recording that the models
// fail on. Nothing is loaded yet.
func NewVoices(
	ctx context.Context, storage config.Storage, program string, threads int, log *slog.Logger,
) pipeline.Voices {
	models, missing := voiceModels(storage)
	if models == nil {
		if missing != "" {
			log.Warn("speakers are separated without neural models, which must be two: one is not installed", "missing",
				missing)
		}
		return nil
	}
	models.Program, models.Threads, models.Nice = SherpaProgram(program), threads, niceness
	if err := sherpa.Check(ctx, models.Program); err != nil {
		log.Warn("the installed diarization models cannot be used", "error", err)
		return nil
	}
	return func(ctx context.Context, audio func(io.Writer) error, length time.Duration, speakers int) ([]diarize.Turn,
		error) {
		heard, err := models.Tell(ctx, audio, length, speakers)
		if err != nil && ctx.Err() == nil {
			log.Warn("neural diarization of a recording failed; its speakers were separated without neural models", "error", err)
		}
		return list.Map(heard, func(t sherpa.Turn) diarize.Turn {
			return diarize.Turn{Speaker: t.Speaker, Segment: t.Segment}
		}), err
	}
}

// LookVoices loads the diarization models that a server on this storage would use, and returns their names; no names if
// none are installed. It is an error if only one of the two models is installed.
func LookVoices(ctx context.Context, storage config.Storage, program string) ([]string, error) {
	models, missing := voiceModels(storage)
	switch {
	case missing != "":
		return nil, fmt.Errorf("speakers are separated without neural models, which must be two: one of kind %s is "+
			"not installed", missing)
	case models == nil:
		return nil, nil
	}
	models.Program, models.Threads = SherpaProgram(program), 1
	if err := sherpa.Check(ctx, models.Program); err != nil {
		return nil, err
	}
	nothing := func(io.Writer) error { return nil }
	if _, err := models.Tell(ctx, nothing, 0, 0); err != nil {
		return nil, err
	}
	return []string{models.Segmentation.Name, models.Embedding.Name}, nil
}

// voiceModels returns the default diarization models among the installed ones; nil if they are not both installed, with
// the missing kind if only one is missing.
func voiceModels(storage config.Storage) (models *sherpa.Voices, missing modelstore.Kind) {
	store := &modelstore.Store{Dir: storage.ModelDir()}
	segmentation, changes := store.Default(modelstore.Segmentation)
	embedding, compares := store.Default(modelstore.Embedding)
	switch {
	case changes && compares:
		return &sherpa.Voices{Segmentation: segmentation, Embedding: embedding}, ""
	case changes:
		return nil, modelstore.Embedding
	case compares:
		return nil, modelstore.Segmentation
	}
	return nil, ""
}

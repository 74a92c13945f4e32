// Package pipeline is the order of the stages: it takes a media item through fetching, decoding,
// recognition and analysis to a published result, and removes what must go.
//
// Stages take and return values; only this package touches ports. It decides nothing about HTTP (package
// api) and nothing about when jobs run (package job).
package pipeline

import (
	"context"
	"io"
	"log/slog"
	"time"

	"parley/internal/analysis/onnx"
	"parley/internal/call/codec"
	"parley/internal/call/plan"
	"parley/internal/host/fair"
	"parley/internal/speech/asr"
	"parley/internal/speech/audio"
	"parley/internal/storage/job"
	"parley/internal/storage/store"
	"parley/internal/storage/vault"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// Kinds of jobs.
const (
	KindProcess = "process" // a media item, from accepted to finished
	KindPurge   = "purge"   // blobs that nothing refers to any more
	KindTrain   = "train"   // a version of a classifier
)

// Engine is an installed recogniser.
type Engine struct {
	Recognizer asr.Recognizer
	Info       asr.Info
}

// Engines are the installed recognisers; the first that fits is used.
type Engines []Engine

// Models lists what the engines can do, for making plans.
func (es Engines) Models() []plan.Model {
	models := make([]plan.Model, len(es))
	for i, e := range es {
		models[i] = plan.Model{Engine: e.Info.Engine, Name: e.Info.Model, Languages: e.Info.Languages}
	}
	return models
}

// Find returns the engine that a plan names.
func (es Engines) Find(r *plan.Recognition) (Engine, bool) {
	for _, e := range es {
		if e.Info.Engine == r.Engine && e.Info.Model == r.Model {
			return e, true
		}
	}
	return Engine{}, false
}

// NotInstalled says that an engine which a plan names is not there; the work waits for it.
func NotInstalled(r *plan.Recognition) error {
	return fault.New(fault.Unavailable, fault.CodeEngine, "engine %s with model %s is not installed here", r.Engine,
		r.Model)
}

// Download is a recording that arrives from elsewhere.
type Download struct {
	Body io.ReadCloser
	Name string // file name, where the address has one
}

// Fetcher downloads what a mediaUrl names. Package netguard has one.
type Fetcher func(ctx context.Context, url string) (Download, error)

// Metrics counts what the pipeline does.
type Metrics interface {
	Step(step media.Step, took time.Duration)
	Done(status media.Status, length, took time.Duration)
}

// Pipeline processes media items.
type Pipeline struct {
	Store   *store.Store
	Vault   vault.Vault
	Codec   *codec.Codec
	Decoder *audio.Decoder
	// the one that a plan names; its error is of kind Unavailable
	Engine      func(context.Context, *plan.Recognition) (Engine, error)
	Formatter   *Formatter
	Voices      Voices // nil: speakers are told apart without neural models
	Analyst     *Analyst
	Networks    []onnx.Network          // classifiers of all accounts
	Onnx        *onnx.Runner            // what runs them; nil without
	Environment func() plan.Environment // what this server can do
	Fetch       Fetcher
	Write       Writer // of what is sealed
	Metrics     Metrics
	Processors  *fair.Processors // shared by the accounts; nil: nobody waits

	KeepOriginals bool   // of recordings that are redacted, too
	Temp          string // folder for spooled recordings
	Log           *slog.Logger
}

// Handlers returns the jobs that a worker can run.
func (p *Pipeline) Handlers() map[string]job.Handler {
	return map[string]job.Handler{KindProcess: p.fairly(p.Process), KindPurge: p.Purge, KindTrain: p.fairly(p.Train),
		KindApply: p.fairly(p.Apply)}
}

// fairly runs a handler so that what it needs of the processors and the engines is shared with other accounts.
func (p *Pipeline) fairly(h job.Handler) job.Handler {
	return func(ctx context.Context, j job.Job) error { return h(fair.With(ctx, p.Processors, j.Account), j) }
}

// ProcessJob asks for a media item to be processed.
func ProcessJob(m *media.Media) job.Spec {
	return job.Spec{
		Kind: KindProcess, Account: string(m.Account), Subject: string(m.ID), Priority: int(m.Priority),
	}
}

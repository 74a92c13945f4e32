// Package pipeline defines the order of the stages: it takes a media item through fetching, decoding, recognition and
// analysis to a published result, and deletes what must be deleted.
//
// Stages take and return values; only this package does input and output. HTTP belongs to package api, and the
// scheduling of jobs to package job.
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
	"parley/internal/words/list"
	"parley/internal/words/media"
)

// Kinds of jobs.
const (
	KindProcess = "process" // processes a media item, from accepted to finished
	KindPurge   = "purge"   // deletes blobs that nothing refers to
	KindTrain   = "train"   // trains a version of a classifier
)

// Engine is an installed speech recogniser.
type Engine struct {
	Recognizer asr.Recognizer
	Info       asr.Info
}

// Engines are the installed recognisers; the first that matches is used.
type Engines []Engine

// Models lists the models of the engines, for making plans.
func (es Engines) Models() []plan.Model {
	return list.Map(es, func(e Engine) plan.Model {
		return plan.Model{Engine: e.Info.Engine, Name: e.Info.Model, Languages: e.Info.Languages}
	})
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

// NotInstalled is the error for a plan whose engine is not installed; the work waits for it.
func NotInstalled(r *plan.Recognition) error {
	return fault.New(fault.Unavailable, fault.CodeEngine, "engine %s with model %s is not installed here", r.Engine,
		r.Model)
}

// Download is a recording that is being downloaded.
type Download struct {
	Body io.ReadCloser
	Name string // file name, if the URL has one
}

// Fetcher downloads a mediaUrl. Package netguard has an implementation.
type Fetcher func(ctx context.Context, url string) (Download, error)

// Metrics counts the work of the pipeline.
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
	// Engine returns the engine that a plan names; its error is of kind Unavailable.
	Engine      func(context.Context, *plan.Recognition) (Engine, error)
	Formatter   *Formatter
	Voices      Voices // nil: speakers are separated without neural models
	Analyst     *Analyst
	Networks    []onnx.Network          // classifiers for all accounts
	Onnx        *onnx.Runner            // runs Networks; nil if there are none
	Environment func() plan.Environment // capabilities of this server
	Fetch       Fetcher
	Write       Writer // renders items that are sealed
	Metrics     Metrics
	Processors  *fair.Processors // shared by the accounts; nil: no scheduling

	KeepOriginals bool   // also of redacted recordings
	Temp          string // folder for temporary copies of recordings
	Log           *slog.Logger

	lag lag // zero: usualLag
}

// Handlers returns the handlers of the jobs that a worker can run.
func (p *Pipeline) Handlers() map[string]job.Handler {
	return map[string]job.Handler{KindProcess: p.fairly(p.Process), KindPurge: p.Purge, KindTrain: p.fairly(p.Train),
		KindApply: p.fairly(p.Apply)}
}

// fairly wraps a handler so that it shares processors and engines with other accounts.
func (p *Pipeline) fairly(h job.Handler) job.Handler {
	return func(ctx context.Context, j job.Job) error { return h(fair.With(ctx, p.Processors, j.Account), j) }
}

// ProcessJob returns the job that processes a media item.
func ProcessJob(m *media.Media) job.Spec {
	return job.Spec{
		Kind: KindProcess, Account: string(m.Account), Subject: string(m.ID), Priority: int(m.Priority),
	}
}

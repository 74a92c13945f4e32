// Package pocketsphinx recognises English speech with CMU PocketSphinx. It loads the shared libraries and the model
// at run time, so the program needs neither cgo nor a C compiler.
//
// A Recognizer decodes in this process. The C library may crash, so servers run it in child processes: Main is the
// child, and package line communicates with it. Speech detection and formatting are in other packages.
package pocketsphinx

import (
	"context"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"time"

	"parley/internal/speech/asr"
	"parley/internal/words/fault"
	"parley/internal/words/vocabulary"
)

// MaxChunk is the longest audio per request. Word error rates from 10 to 30 s do not differ significantly; whole
// files are decoded less accurately and more slowly.
const MaxChunk = 15 * time.Second

const rate = 16000 // Hz, of the acoustic model

// Config says where the model is.
type Config struct {
	ModelDir string // empty: DefaultModelDir
}

// Recognizer is an asr.Recognizer with one decoder: calls run one at a time.
type Recognizer struct {
	turn chan struct{} // holds a token while the recogniser is idle

	lib        *library
	modelDir   string
	decoder    *decoder
	aligner    *aligner                // nil until the first known text
	model      func() *acousticModel   // for learning voices; nil if it cannot be read
	vocabulary []vocabulary.Vocabulary // already added to the decoder
	warnings   []string                // about its terms
	halfTaught bool                    // the context was cancelled meanwhile: pronunciations may be missing
}

// New loads the libraries and the model, which needs about 0.3 s and 95 MB. An error of kind Unavailable says what to
// install.
func New(c Config) (*Recognizer, error) {
	if err := check(c.dir()); err != nil {
		return nil, err
	}
	lib, err := load()
	if err != nil {
		return nil, err
	}
	d, err := newDecoder(lib, c.dir())
	if err != nil {
		return nil, err
	}
	r := &Recognizer{turn: make(chan struct{}, 1), lib: lib, modelDir: c.dir(), decoder: d}
	r.model = sync.OnceValue(func() *acousticModel {
		model, _ := readAcoustic(filepath.Join(r.modelDir, acoustic))
		return model
	})
	r.turn <- struct{}{}
	return r, nil
}

// Recognize implements asr.Recognizer. Cancellation takes effect only after the current library call returns.
func (r *Recognizer) Recognize(ctx context.Context, q asr.Request) (*asr.Recognition, error) {
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-r.turn:
	}
	defer func() { r.turn <- struct{}{} }()
	if err := refuse(q); err != nil {
		return nil, err
	}
	if len(q.Expected) > 0 {
		return r.align(ctx, q)
	}
	if err := r.tune(ctx, q.Vocabulary); err != nil {
		return nil, err
	}
	s := usual(q.Source)
	s.transform = transform(q.Voices)
	found, err := r.decoder.decode(q.PCM, s, r.teacher(q))
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	found.Warnings = r.warnings
	return found, nil
}

// teacher returns the acoustic model if the request asks to learn a voice. If the model cannot be read, nothing is
// learnt and recognition works as usual.
func (r *Recognizer) teacher(q asr.Request) *acousticModel {
	if !q.Learn {
		return nil
	}
	return r.model()
}

// align computes the times of a known text.
func (r *Recognizer) align(ctx context.Context, q asr.Request) (*asr.Recognition, error) {
	if r.aligner != nil && len(r.aligner.names) > mostNames {
		r.aligner.decoder.close() // words cannot be removed from it
		r.aligner = nil
	}
	if r.aligner == nil {
		a, err := newAligner(r.lib, r.modelDir)
		if err != nil {
			return nil, err
		}
		r.aligner = a
	}
	words, err := r.aligner.align(ctx, q.PCM, q.Source, q.Expected)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	return &asr.Recognition{Words: words}, nil
}

// tune gives the decoder exactly the vocabulary of a request. Words cannot be removed from a decoder, so a different
// vocabulary needs a new one.
func (r *Recognizer) tune(ctx context.Context, lists []vocabulary.Vocabulary) error {
	same := len(lists) == 0 && len(r.vocabulary) == 0 || reflect.DeepEqual(lists, r.vocabulary)
	if same && !r.halfTaught {
		return nil
	}
	if len(r.decoder.terms) > 0 {
		fresh, err := newDecoder(r.lib, r.modelDir)
		if err != nil {
			return err
		}
		r.decoder.close()
		r.decoder = fresh
	}
	r.vocabulary, r.warnings = lists, r.decoder.teach(ctx, lists)
	r.halfTaught = ctx.Err() != nil
	return ctx.Err()
}

// refuse returns an error for requests that the engine does not support.
func refuse(q asr.Request) error {
	switch {
	case q.Language != "" && q.Language != "en" && !strings.HasPrefix(strings.ToLower(q.Language), "en-"):
		return fault.New(fault.Invalid, fault.CodeLanguage, "PocketSphinx has no model for the language %s; use en-US",
			q.Language)
	case q.PCM.Rate != rate:
		return fault.New(fault.Invalid, fault.CodeEngineFailed,
			"the audio has a sample rate of %d Hz; PocketSphinx needs %d Hz", q.PCM.Rate, rate)
	case q.PCM.Duration() > MaxChunk:
		return fault.New(fault.Invalid, fault.CodeEngineFailed, "the audio is %v long; the limit is %v",
			q.PCM.Duration(), MaxChunk)
	}
	return nil
}

// Close frees the decoder after the current call. The recogniser must not be used afterwards.
func (r *Recognizer) Close() error {
	<-r.turn
	r.decoder.close()
	if r.aligner != nil {
		r.aligner.decoder.close()
	}
	return nil
}

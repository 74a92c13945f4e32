package main

import (
	"cmp"
	"context"
	"strings"

	sherpaonnx "github.com/k2-fsa/sherpa-onnx-go-linux"

	"parley/internal/speech/asr"
	"parley/internal/speech/asr/remote"
	"parley/internal/speech/asr/sherpa"
	"parley/internal/speech/modelstore"
	"parley/internal/words/fault"
	"parley/internal/words/sound"
)

// recognizer runs one installed model. Only one goroutine may use it.
type recognizer struct {
	info    asr.Info
	model   modelstore.Installed
	family  sherpa.Family
	threads int
	words   *lexicon // nil if the tokens cannot be used here
	writes  bool     // the model outputs sentences, with punctuation and capitals
	loaded  *native
	now     mode // mode that the model is loaded for
}

// mode is the settings that require loading the model again when they change. Calls with the same settings usually
// follow each other, so that is rare; two loaded models would need twice the memory.
type mode struct {
	language string // for families that must be given the language
	terms    bool   // beam search, which supports hotwords
}

// newRecognizer loads a model for requests in its first language without vocabularies.
func newRecognizer(m modelstore.Installed, threads int) (*recognizer, error) {
	info, err := sherpa.Describe(m)
	if err != nil {
		return nil, err
	}
	family, err := sherpa.FamilyOf(m)
	if err != nil {
		return nil, err
	}
	r := &recognizer{info: info, model: m, family: family, threads: max(threads, 1)}
	switch family.Name {
	case "whisper", "moonshine":
		r.writes = true
	case "sense_voice": // punctuation comes only together with digits for numbers, which are formatted later
	default:
		if r.words, err = readLexicon(m.File("tokens")); err != nil {
			return nil, unavailable(err)
		}
		r.writes = r.words.sentences()
	}
	return r, r.load(r.mode(asr.Request{}, ""))
}

// Close frees the model.
func (r *recognizer) Close() {
	if r.loaded != nil {
		r.loaded.close()
		r.loaded = nil
	}
}

// Recognize implements asr.Recognizer for one request at a time.
func (r *recognizer) Recognize(ctx context.Context, request asr.Request) (*asr.Recognition, error) {
	if err := ctx.Err(); err != nil || len(request.PCM.Samples) == 0 {
		return &asr.Recognition{}, err
	}
	hotwords, warnings := r.hotwords(request)
	if err := r.load(r.mode(request, hotwords)); err != nil {
		return nil, err
	}
	heard, err := r.loaded.hear(samples(request.PCM), request.PCM.Rate, hotwords)
	if err != nil {
		return nil, fault.New(fault.Internal, fault.CodeEngineFailed, "%s: %w", r.info.Model, err)
	}
	words := wordsOf(heard, r.writes)
	if !heard.timed {
		remote.Spread(words, speech(request)...)
	}
	return &asr.Recognition{Words: remote.Settle(words, request.PCM.Duration()), Warnings: warnings}, nil
}

// hotwords returns the terms of a request's vocabularies in the library's format.
func (r *recognizer) hotwords(request asr.Request) (list string, warnings []string) {
	if len(request.Vocabulary) == 0 {
		return "", nil
	}
	if !r.family.Terms {
		return "", []string{"the vocabulary is ignored: the family " + r.family.Name + " does not support it"}
	}
	return r.words.hotwords(request.Vocabulary)
}

func (r *recognizer) mode(request asr.Request, hotwords string) mode {
	m := mode{terms: hotwords != ""}
	if r.family.Name == "whisper" || r.family.Name == "sense_voice" {
		language := cmp.Or(request.Language, r.info.Languages[0])
		m.language, _, _ = strings.Cut(strings.ToLower(language), "-")
	}
	return m
}

// load loads the model for a mode unless it already is.
func (r *recognizer) load(m mode) error {
	if r.loaded != nil && r.now == m {
		return nil
	}
	r.Close()
	config := configure(r.model, m, r.threads)
	if m.terms {
		done, err := r.words.prepare(config)
		if err != nil {
			return unavailable(err)
		}
		defer done()
	}
	loaded, err := load(config)
	if err != nil {
		return fault.New(fault.Unavailable, fault.CodeEngineFailed, "%s: %w; pull it again", r.info.Model, err)
	}
	r.loaded, r.now = loaded, m
	return nil
}

// configure returns the configuration for loading a model.
func configure(m modelstore.Installed, how mode, threads int) *sherpaonnx.OfflineRecognizerConfig {
	c := &sherpaonnx.OfflineRecognizerConfig{DecodingMethod: "greedy_search"}
	c.FeatConfig = sherpaonnx.FeatureConfig{SampleRate: 16000, FeatureDim: 80}
	c.ModelConfig.Tokens = m.File("tokens")
	c.ModelConfig.NumThreads, c.ModelConfig.Provider = threads, "cpu"
	switch m.Family {
	case "transducer", "nemo_transducer":
		c.ModelConfig.ModelType = m.Family
		c.ModelConfig.Transducer = sherpaonnx.OfflineTransducerModelConfig{
			Encoder: m.File("encoder"), Decoder: m.File("decoder"), Joiner: m.File("joiner"),
		}
	case "nemo_ctc":
		c.ModelConfig.NemoCTC.Model = m.File("model")
	case "sense_voice":
		c.ModelConfig.SenseVoice = sherpaonnx.OfflineSenseVoiceModelConfig{
			Model: m.File("model"), Language: how.language, UseInverseTextNormalization: 0,
		}
	case "whisper":
		c.ModelConfig.Whisper = sherpaonnx.OfflineWhisperModelConfig{
			Encoder: m.File("encoder"), Decoder: m.File("decoder"), Language: how.language, Task: "transcribe",
			TailPaddings: -1, EnableTokenTimestamps: 1, // default padding; times if the model outputs them
		}
	case "moonshine":
		c.ModelConfig.Moonshine = sherpaonnx.OfflineMoonshineModelConfig{
			Preprocessor: m.File("preprocessor"), Encoder: m.File("encoder"),
			UncachedDecoder: m.File("uncachedDecoder"), CachedDecoder: m.File("cachedDecoder"),
		}
	}
	return c
}

// leastSamples is half a second: networks reject audio that is shorter than their input window, and then the library
// ends the process.
const leastSamples = 8000

// samples returns the audio as numbers between -1 and 1, padded with silence if it is very short.
func samples(pcm *sound.PCM) []float32 {
	s := make([]float32, max(len(pcm.Samples), leastSamples))
	for i, v := range pcm.Samples {
		s[i] = float32(v) / 32768
	}
	return s
}

func unavailable(err error) error {
	return fault.New(fault.Unavailable, fault.CodeEngineFailed, "%w", err)
}

package pocketsphinx

import (
	"os"
	"path/filepath"

	"parley/internal/speech/asr"
	"parley/internal/words/fault"
)

// DefaultModelDir is where Debian's package pocketsphinx-en-us puts the model.
const DefaultModelDir = "/usr/share/pocketsphinx/model/en-us"

// The parts of a model, inside its folder.
const (
	acoustic       = "en-us"
	language       = "en-us.lm.bin"
	dictionaryFile = "cmudict-en-us.dict"
)

func (c Config) dir() string {
	if c.ModelDir == "" {
		return DefaultModelDir
	}
	return c.ModelDir
}

// Check tells whether the libraries and the model are there, without loading the model. Its error is of
// kind Unavailable and names the remedy.
func Check(c Config) (asr.Info, error) {
	if _, err := load(); err != nil {
		return asr.Info{}, err
	}
	return check(c.dir())
}

func check(dir string) (asr.Info, error) {
	for _, part := range []string{filepath.Join(acoustic, "mdef"), language, dictionaryFile} {
		if _, err := os.Stat(filepath.Join(dir, part)); err != nil {
			return asr.Info{}, fault.New(fault.Unavailable, fault.CodeEngineFailed,
				"PocketSphinx lacks its model; %s: %w", remedy, err)
		}
	}
	return Describe(), nil
}

// Describe returns what the engine is, wherever it is installed.
func Describe() asr.Info {
	return asr.Info{
		Engine: "pocketsphinx", Model: "en-us", Version: version + "-" + conversationSum(),
		Languages: []string{"en-US"}, MaxChunk: MaxChunk, Parallel: 1, Aligns: true, Adapts: true,
	}
}

// version is part of the fingerprint of kept results: change it with anything that changes the words, but for the
// model of conversations, whose checksum follows it.
const version = "5prealpha-7"

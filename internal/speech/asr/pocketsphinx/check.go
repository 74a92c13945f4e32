package pocketsphinx

import (
	"os"
	"path/filepath"

	"parley/internal/speech/asr"
	"parley/internal/words/fault"
)

// DefaultModelDir is where Debian's package pocketsphinx-en-us installs the model.
const DefaultModelDir = "/usr/share/pocketsphinx/model/en-us"

// Parts of a model, relative to its folder.
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

// Check verifies that the libraries and the model are installed, without loading the model. Its error is of kind
// Unavailable and says what to install.
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

// Describe returns the asr.Info of the engine, whether it is installed or not.
func Describe() asr.Info {
	return asr.Info{
		Engine: "pocketsphinx", Model: "en-us", Version: version + "-" + conversationSum(),
		Languages: []string{"en-US"}, MaxChunk: MaxChunk, Parallel: 1, Aligns: true, Adapts: true,
	}
}

// version is part of the fingerprint of stored results. Change it with anything that affects the words, except the
// conversation model, whose checksum is appended.
const version = "5prealpha-7"

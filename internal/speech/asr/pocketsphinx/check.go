package pocketsphinx

import (
	"cmp"
	"os"
	"path/filepath"

	"parley/internal/speech/asr"
)

// DefaultModelDir is where Debian's package pocketsphinx-en-us installs the model.
const DefaultModelDir = "/usr/share/pocketsphinx/model/en-us"

// Parts of a model, relative to its folder.
const (
	acoustic       = "en-us"
	language       = "en-us.lm.bin"
	dictionaryFile = "cmudict-en-us.dict"
)

func (c Config) dir() string { return cmp.Or(c.ModelDir, DefaultModelDir) }

// Check verifies that the libraries and the model are installed, without loading the model. Its error is of kind
// Unavailable and says what to install.
func Check(c Config) (asr.Info, error) {
	if _, err := load(); err != nil {
		return asr.Info{}, err
	}
	if err := check(c.dir()); err != nil {
		return asr.Info{}, err
	}
	return Describe(), nil
}

func check(dir string) error {
	for _, part := range []string{filepath.Join(acoustic, "mdef"), language, dictionaryFile} {
		if _, err := os.Stat(filepath.Join(dir, part)); err != nil {
			return unavailable("the PocketSphinx model is missing; %s: %w", remedy, err)
		}
	}
	return nil
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

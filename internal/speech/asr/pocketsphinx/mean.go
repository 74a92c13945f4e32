package pocketsphinx

import (
	"fmt"
	"io"
	"os"
	"regexp"

	"parley/internal/speech/cepstrum"
	"parley/internal/words/sound"
)

var meanOption = regexp.MustCompile(`(?m)^-cmn\s+\S+\n?`)

// ownMean returns a pipe with the feature parameters from a file, with mean subtraction disabled, and its path. The
// package subtracts the mean itself, since the library would also subtract the offset of a speaker's transform.
func ownMean(file string) (r *os.File, path string, err error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, "", err
	}
	return piped(func(w io.Writer) { fmt.Fprintf(w, "%s\n-cmn none\n", meanOption.ReplaceAll(data, nil)) })
}

// cepstra returns the features of an utterance in the form that the search needs.
func (d *decoder) cepstra(pcm *sound.PCM, s settings) [][cepstrum.Coefficients]float32 {
	features := d.features.Find(&cepstrum.Request{PCM: pcm, Shift: s.shift, Telephone: s.telephone})
	subtractMean(features)
	if s.transform != nil {
		for i := range features {
			s.transform.Apply(&features[i])
		}
	}
	return features
}

// subtractMean subtracts the mean of the louder frames, in the order and precision of sphinxbase (batch cepstral
// mean).
func subtractMean(features [][cepstrum.Coefficients]float32) {
	var mean [cepstrum.Coefficients]float32
	n := 0
	for i := range features {
		if features[i][0] < 0 {
			continue
		}
		n++
		for j, x := range features[i] {
			mean[j] += x
		}
	}
	if n == 0 {
		return
	}
	for j := range mean {
		mean[j] /= float32(n)
	}
	for i := range features {
		for j := range mean {
			features[i][j] -= mean[j]
		}
	}
}

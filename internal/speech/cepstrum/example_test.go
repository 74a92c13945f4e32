package cepstrum_test

import (
	"fmt"

	"parley/internal/speech/cepstrum"
	"parley/internal/words/sound"
)

func ExampleExtractor_Find() {
	extractor, err := cepstrum.New()
	if err != nil {
		panic(err)
	}
	second := &sound.PCM{Rate: cepstrum.Rate, Samples: make([]int16, cepstrum.Rate)}
	frames := extractor.Find(&cepstrum.Request{PCM: second, Shift: cepstrum.Rate / 100})
	fmt.Println(len(frames), "frames of", len(frames[0]), "coefficients")
	// Output: 99 frames of 13 coefficients
}

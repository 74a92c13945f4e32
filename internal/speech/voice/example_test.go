package voice_test

import (
	"fmt"
	"math"

	"parley/internal/speech/voice"
	"parley/internal/words/sound"
)

// A word that sounds like a tone of 440 Hz.
func ExampleMeter_Measure() {
	pcm := &sound.PCM{Rate: 16000, Samples: make([]int16, 4800)}
	for i := range pcm.Samples {
		pcm.Samples[i] = int16(8000 * math.Sin(2*math.Pi*440*float64(i)/16000))
	}
	v := voice.NewMeter(16000, 8000).Measure(pcm)
	fmt.Printf("%.0f Hz\n", v.Peaks[0].Frequency)
	// Output: 440 Hz
}

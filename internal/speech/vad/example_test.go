package vad_test

import (
	"fmt"
	"math"

	"parley/internal/speech/vad"
	"parley/internal/words/sound"
)

// A tone sounds in the second of three seconds.
func ExampleFind() {
	pcm := &sound.PCM{Rate: 16000, Samples: make([]int16, 3*16000)}
	for i := 16000; i < 2*16000; i++ {
		pcm.Samples[i] = int16(8000 * math.Sin(2*math.Pi*440*float64(i)/16000))
	}
	result := vad.Find(&vad.Request{Channels: []*vad.Envelope{vad.EnvelopeOf(pcm)}, Kind: vad.Wideband})
	fmt.Println(result.Speech[0])
	// Output: [{980ms 2.03s}]
}

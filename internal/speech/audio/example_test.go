package audio_test

import (
	"fmt"

	"parley/internal/speech/audio"
)

func ExampleContentType() {
	fmt.Println(audio.ContentType([]byte("RIFF\x24\x00\x00\x00WAVEfmt "), "call.mp3"))
	fmt.Println(audio.ContentType([]byte{0x7f, 0x7e, 0x7f}, "call.ulaw"))
	// Output:
	// audio/wav
	// audio/pcmu
}

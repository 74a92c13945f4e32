package remote

import (
	"bytes"
	"encoding/binary"
	"time"

	"parley/internal/words/sound"
)

// WAV encodes audio as a WAV file with one channel of 16-bit PCM. It pads the audio with silence to the minimum
// length required by some services.
func WAV(pcm *sound.PCM, least time.Duration) []byte {
	samples := max(len(pcm.Samples), int(least.Seconds()*float64(pcm.Rate)))
	size := 2 * samples
	b := bytes.NewBuffer(make([]byte, 0, 44+size))
	put := func(v any) { binary.Write(b, binary.LittleEndian, v) }
	b.WriteString("RIFF")
	put(uint32(36 + size))
	b.WriteString("WAVEfmt ")
	put(uint32(16))
	put([]uint16{1, 1}) // PCM, one channel
	put([]uint32{uint32(pcm.Rate), uint32(2 * pcm.Rate)})
	put([]uint16{2, 16}) // bytes per frame, bits per sample
	b.WriteString("data")
	put(uint32(size))
	put(pcm.Samples)
	b.Write(make([]byte, size-2*len(pcm.Samples)))
	return b.Bytes()
}

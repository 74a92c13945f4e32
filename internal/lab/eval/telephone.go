package eval

import (
	"bytes"
	"context"
	"encoding/binary"
	"os"

	"parley/internal/lab/telephone"
	"parley/internal/speech/audio"
	"parley/internal/words/sound"
)

// telephone returns the recording after a simulated telephone line, decoded as such recordings are.
func (m *media) telephone(ctx context.Context, decoder *audio.Decoder) (*media, error) {
	out := &media{}
	for _, pcm := range m.channels {
		heard, err := decodedTelephone(ctx, telephone.Usual().Simulate(pcm), decoder)
		if err != nil {
			return nil, err
		}
		out.rate, out.channels = heard.rate, append(out.channels, heard.channels...)
	}
	return out, nil
}

func decodedTelephone(ctx context.Context, pcm *sound.PCM, decoder *audio.Decoder) (*media, error) {
	file, err := os.CreateTemp(decoder.Temp, "parley-telephone-*.wav")
	if err != nil {
		return nil, err
	}
	defer os.Remove(file.Name())
	_, err = file.Write(wave(pcm))
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return nil, err
	}
	return load(ctx, file.Name(), decoder, false)
}

// wave returns a WAV file of one channel.
func wave(pcm *sound.PCM) []byte {
	var b bytes.Buffer
	size, rate := uint32(2*len(pcm.Samples)), uint32(pcm.Rate)
	b.WriteString("RIFF")
	binary.Write(&b, binary.LittleEndian, 36+size)
	b.WriteString("WAVEfmt ")
	binary.Write(&b, binary.LittleEndian, struct {
		Size             uint32
		Format, Channels uint16
		Rate, Bytes      uint32
		Frame, Bits      uint16
	}{16, 1, 1, rate, 2 * rate, 2, 16})
	b.WriteString("data")
	binary.Write(&b, binary.LittleEndian, size)
	binary.Write(&b, binary.LittleEndian, pcm.Samples)
	return b.Bytes()
}

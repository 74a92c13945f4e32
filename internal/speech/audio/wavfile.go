package audio

import (
	"encoding/binary"
	"io"
	"math"
	"os"
	"strings"

	"parley/internal/words/sound"
)

// wavFile is the position and the encoding of the samples in a WAV file.
type wavFile struct {
	format         []byte // the chunk fmt
	at, length     int64  // of the samples, in bytes
	rate, channels int
	coding         coding
}

// wavCodings are the encodings that can be overwritten, by format tag and bytes per sample.
var wavCodings = map[[2]int]coding{
	{1, 1}: {"u8", 1, putU8}, {1, 2}: {"s16le", 2, put16}, {1, 3}: {"s24le", 3, put24}, {1, 4}: {"s32le", 4, put32},
	{3, 4}: {"f32le", 4, putFloat}, {3, 8}: {"f64le", 8, putDouble}, {6, 1}: {"alaw", 1, putALaw},
	{7, 1}: {"mulaw", 1, putMuLaw},
}

// extensible is the format tag of files that store the actual tag in an extension.
const extensible = 0xfffe

// parseWAV parses the header of a WAV file. ok is false if its samples cannot be overwritten.
func parseWAV(r io.ReaderAt, size int64) (w wavFile, ok bool) {
	for c := range wavChunks(r, size) {
		switch c.id {
		case "fmt ":
			if !w.describe(r, c.at, c.length) {
				return w, false
			}
		case "data":
			w.at, w.length = c.at, c.length
			if there := size - w.at; c.length > there || c.length >= placeholder || c.length == 0 {
				w.length = there
			}
			return w, w.format != nil
		}
	}
	return w, false
}

// describe parses the fmt chunk.
func (w *wavFile) describe(r io.ReaderAt, at, length int64) bool {
	if length < 16 || length > 1<<10 {
		return false
	}
	w.format = make([]byte, length)
	if n, _ := r.ReadAt(w.format, at); n < len(w.format) {
		return false
	}
	tag := int(binary.LittleEndian.Uint16(w.format))
	if tag == extensible && length >= 26 {
		tag = int(binary.LittleEndian.Uint16(w.format[24:]))
	}
	w.channels, w.rate = int(binary.LittleEndian.Uint16(w.format[2:])), int(binary.LittleEndian.Uint32(w.format[4:]))
	frame := int(binary.LittleEndian.Uint16(w.format[12:]))
	if w.channels == 0 || frame%w.channels != 0 {
		return false
	}
	var known bool
	w.coding, known = wavCodings[[2]int{tag, frame / w.channels}]
	return known
}

func (w *wavFile) frames() int64 { return w.length / int64(w.channels*w.coding.width) }

// fits reports whether the samples are the ones that were decoded, so that times refer to the same positions.
func (w *wavFile) fits(d *Decoded) bool {
	return d.Container == "wav" && strings.HasPrefix(d.Codec, "pcm_"+w.coding.name) && d.Channels == w.channels &&
		d.SourceRate == w.rate &&
		!d.source.fill && (sound.At(int(w.frames()), w.rate)-d.Length).Abs() < fade && w.length < math.MaxUint32-1<<20
}

// copy writes a WAV file with nothing but the samples, and returns their position.
func (w *wavFile) copy(in io.ReaderAt, out *os.File) (*samples, error) {
	length := w.frames() * int64(w.channels*w.coding.width)
	b := binary.LittleEndian.AppendUint32([]byte("RIFF"), 0)
	b = append(b, "WAVEfmt "...)
	b = append(binary.LittleEndian.AppendUint32(b, uint32(len(w.format))), w.format...)
	b = append(b, make([]byte, len(w.format)%2)...)
	if binary.LittleEndian.Uint16(w.format) != 1 {
		b = binary.LittleEndian.AppendUint32(append(b, "fact\x04\x00\x00\x00"...), uint32(w.frames()))
	}
	b = binary.LittleEndian.AppendUint32(append(b, "data"...), uint32(length))
	binary.LittleEndian.PutUint32(b[4:], uint32(int64(len(b))+length+length%2-8))
	if _, err := out.Write(b); err != nil {
		return nil, err
	}
	if _, err := io.Copy(out, io.NewSectionReader(in, w.at, length)); err != nil {
		return nil, err
	}
	if _, err := out.Write(make([]byte, length%2)); err != nil {
		return nil, err
	}
	return &samples{coding: w.coding, file: out, at: int64(len(b)), frames: w.frames(), rate: w.rate,
		channels: w.channels}, nil
}

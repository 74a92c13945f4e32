package audio

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"parley/internal/words/fault"
)

// Most call recorders write WAV files with PCM or G.711 samples at 8 or 16 kHz. Starting ffprobe and ffmpeg takes more
// processor time than everything else that is done with a call whose words are given, so these files are read here. The
// samples are those of ffmpeg, and whatever is unusual about a file is left to ffmpeg.

// expansions are the encodings that are read here, by their names in ffmpeg, with the value of a sample.
var expansions = map[string]func(sample []byte) int16{
	"u8":    func(b []byte) int16 { return (int16(b[0]) - 128) << 8 },
	"s16le": func(b []byte) int16 { return int16(binary.LittleEndian.Uint16(b)) },
	"mulaw": func(b []byte) int16 { return fromMuLaw(b[0]) },
	"alaw":  func(b []byte) int16 { return fromALaw(b[0]) },
}

// fromMuLaw decodes mu-law as in ITU-T G.711: sign, exponent and four bits, all inverted.
func fromMuLaw(b byte) int16 {
	b = ^b
	x := (int16(b&15)<<3+132)<<(b>>4&7) - 132
	if b >= 128 {
		return -x
	}
	return x
}

// fromALaw decodes A-law as in ITU-T G.711: every other bit is inverted, and positive numbers have the sign bit set.
func fromALaw(b byte) int16 {
	b ^= 0x55
	x := int16(b&15)<<4 + 8
	if exponent := b >> 4 & 7; exponent > 0 {
		x = (x + 256) << (exponent - 1)
	}
	if b >= 128 {
		return x
	}
	return -x
}

// plainWAV parses a WAV file whose samples are read here: mono or stereo, complete, in one piece, and with a header
// that says nothing else than its samples are.
func plainWAV(r io.ReaderAt, size int64) (w wavFile, ok bool) {
	w, ok = parseWAV(r, size)
	if !ok || expansions[w.coding.name] == nil || w.channels > 2 || w.rate != Rate && w.rate != Rate/2 ||
		w.frames() < leastPlain {
		return w, false
	}
	tag, frame, bits := le16(w.format), le16(w.format[12:]), le16(w.format[14:])
	if tag == extensible || frame != w.channels*w.coding.width || bits != 8*w.coding.width {
		return w, false
	}
	pieces := 0
	for c := range wavChunks(r, size) {
		if c.id == "data" {
			pieces++
			ok = ok && c.length == w.length && c.length%int64(frame) == 0
		}
	}
	return w, ok && pieces == 1
}

// leastPlain is the number of samples per channel from which ffmpeg returns all of a file.
const leastPlain = 64

func le16(b []byte) int { return int(binary.LittleEndian.Uint16(b)) }

// plainBlock is the number of frames that are read at a time.
const plainBlock = 8 << 10

// unpack is samples for the files of plainWAV.
func (d *Decoder) unpack(ctx context.Context, file io.ReaderAt, w wavFile) (_ *Decoded, err error) {
	s, err := newSpool(d.temp(), w.channels, d.Limits.orDefault())
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	width := w.channels * w.coding.width
	raw, frames := make([]byte, plainBlock*width), w.frames()
	doublers := make([]doubler, w.channels)
	for at := int64(0); at < frames; at += plainBlock {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("decode media: %w", context.Cause(ctx))
		}
		raw = raw[:min(plainBlock, frames-at)*int64(width)]
		if _, err := file.ReadAt(raw, w.at+at*int64(width)); err != nil && err != io.EOF {
			return nil, fault.New(fault.Unavailable, fault.CodeUnavailable, "read the recording: %w", err)
		}
		channels := w.split(raw)
		if w.rate != Rate {
			for c := range channels {
				channels[c] = doublers[c].add(channels[c], at+plainBlock >= frames)
			}
		}
		if err := s.add(interleaved(channels)); err != nil {
			return nil, err
		}
	}
	f := &probeResult{source: source{channels: w.channels, plain: true}, rate: w.rate,
		codec: "pcm_" + w.coding.name, container: "wav", streams: 1}
	return f.decoded(s, 0, &messages{})
}

// split returns the samples of each channel.
func (w *wavFile) split(raw []byte) [][]int16 {
	expand, channels := expansions[w.coding.name], make([][]int16, w.channels)
	for c := range channels {
		channels[c] = make([]int16, len(raw)/(w.channels*w.coding.width))
		for i := range channels[c] {
			channels[c][i] = expand(raw[(i*w.channels+c)*w.coding.width:])
		}
	}
	return channels
}

func interleaved(channels [][]int16) []byte {
	b := make([]byte, 0, 2*len(channels)*len(channels[0]))
	for i := range channels[0] {
		for _, samples := range channels {
			b = binary.LittleEndian.AppendUint16(b, uint16(samples[i]))
		}
	}
	return b
}

// doubler doubles the sample rate of one channel. Between two samples it puts the sum of the 16 on each side, weighted by
// a sinc function under a Kaiser window (Oppenheim, Schafer: Discrete-Time Signal Processing, 7.5.3). The signal
// continues before the first sample mirrored about that sample, and after the last one mirrored about the end.
type doubler struct {
	samples []int16 // the last ones that were doubled, and those whose following samples are not known
}

// reach is the number of samples on each side that count.
const reach = 16

// beta is the parameter of the Kaiser window.
const beta = 9

// unity is the factor 1 in weights: 15 bits with rounding.
const unity = 1 << 15

// weights are the factors of the samples at a distance of .5, 1.5, 2.5 … Their sum is a little below 1, as in ffmpeg, which
// counts the next sample on one side as well.
var weights = func() (w [reach]int) {
	exact := func(i int) float64 {
		x := float64(i) + 0.5
		return math.Sin(math.Pi*x) / (math.Pi * x) * bessel(beta*math.Sqrt(max(0, 1-x*x/(reach*reach))))
	}
	sum := exact(reach)
	for i := range w {
		sum += 2 * exact(i)
	}
	for i := range w {
		w[i] = int(math.RoundToEven(exact(i) / sum * unity))
	}
	return w
}()

// bessel is the modified Bessel function of the first kind, of order 0, as its power series.
func bessel(x float64) float64 {
	sum, term := 1.0, 1.0
	for k := 1.0; term > sum*1e-18; k++ {
		term *= x / (2 * k) * x / (2 * k)
		sum += term
	}
	return sum
}

// add returns twice as many samples, less those that depend on samples that follow. The first block must have more than
// reach samples.
func (d *doubler) add(block []int16, last bool) []int16 {
	if d.samples == nil {
		for i := reach - 1; i > 0; i-- {
			d.samples = append(d.samples, block[i])
		}
	}
	x := append(d.samples, block...)
	if last {
		for end := len(x); len(x) < end+reach; {
			x = append(x, x[2*end-1-len(x)])
		}
	}
	doubled := make([]int16, 0, 2*len(block)+2*reach)
	at := reach - 1
	for ; at+reach < len(x); at++ {
		between := 0
		for i, w := range weights {
			between += w * (int(x[at-i]) + int(x[at+1+i]))
		}
		doubled = append(doubled, scaled(int(x[at])*(unity-1)), scaled(between)) // ffmpeg's 1 is 16 bits wide, too
	}
	d.samples = append([]int16(nil), x[at-reach+1:]...)
	return doubled
}

// scaled rounds a weighted sum to a sample.
func scaled(x int) int16 {
	return int16(max(math.MinInt16, min((x+unity/2)>>15, math.MaxInt16)))
}

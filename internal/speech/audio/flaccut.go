package audio

import (
	"bufio"
	"context"
	"io"
	"time"

	"github.com/mewkiz/flac/frame"
)

// cutFLAC returns a part of a FLAC file with samples of 16 bits at Rate or half of it: ffmpeg would take a fifth of a
// second to start. It returns nil for other files, and for those that it cannot decode.
func cutFLAC(ctx context.Context, s Stored, from, to time.Duration) (*Cut, error) {
	f, err := readFLAC(s, s.Size)
	if err != nil {
		return nil, readFailed(err)
	}
	if f == nil || f.bits() != 16 || f.rate != Rate && 2*f.rate != Rate {
		return nil, nil
	}
	factor := int64(Rate / f.rate)
	first := frameAt(from, Rate)
	frames := frameAt(to, Rate) - first
	start := max(first/factor-2*reach, 0)
	at, err := f.find(s, s.Size, start)
	if err != nil {
		return nil, readFailed(err)
	}
	in := bufio.NewReaderSize(contextReader{ctx, io.NewSectionReader(s, at, s.Size-at)}, 64<<10)
	channels := f.samples(in, start, (first+frames+factor-1)/factor+2*reach)
	if channels == nil {
		return nil, context.Cause(ctx)
	}
	return cutOf(channels, factor, first-start*factor, frames), nil
}

// samples decodes frames and returns the samples of each channel between two, or up to the last one. It returns nil if
// the frames do not follow each other from the start on, or are damaged.
func (f *flacFile) samples(in io.Reader, start, end int64) [][]int16 {
	channels := make([][]int16, f.channels())
	for next := int64(-1); next < end; {
		fr, err := frame.Parse(in)
		if err == io.EOF && next >= 0 {
			break
		}
		if err != nil || fr.BitsPerSample != 16 || len(fr.Subframes) != len(channels) {
			return nil
		}
		begin := int64(fr.Num)
		if fr.HasFixedBlockSize {
			begin *= f.block() // the last one may be shorter
		}
		if next >= 0 && begin != next || next < 0 && begin > start {
			return nil
		}
		next = begin + int64(fr.BlockSize)
		skip, keep := min(max(start-begin, 0), int64(fr.BlockSize)), min(max(end-begin, 0), int64(fr.BlockSize))
		for c, sub := range fr.Subframes {
			if int64(len(sub.Samples)) < int64(fr.BlockSize) {
				return nil
			}
			for _, v := range sub.Samples[skip:max(skip, keep)] {
				channels[c] = append(channels[c], int16(v))
			}
		}
	}
	return channels
}

// find returns the position in the file of a frame that begins with a sample or before it: the last one in the seek table,
// or one close to it that a bisection finds.
func (f *flacFile) find(r io.ReaderAt, size, sample int64) (at int64, err error) {
	at = f.frames
	if len(f.points) > 0 {
		for _, p := range f.points {
			if p.sample <= sample {
				at = f.frames + p.offset
			}
		}
		return at, nil
	}
	b := make([]byte, 64<<10+mostFrameHeader)
	for high := size; high-at > 2*int64(len(b)); {
		middle := at + (high-at)/2
		n, err := r.ReadAt(b, middle)
		if err != nil && err != io.EOF {
			return 0, err
		}
		if skip, begin := f.next(b[:n]); skip < 0 || begin > sample {
			high = middle
		} else {
			at = middle + int64(skip)
		}
	}
	return at, nil
}

// next returns where the next frame begins in b, and its first sample; -1 if no frame begins there.
func (f *flacFile) next(b []byte) (at int, sample int64) {
	for ; len(b)-at >= mostFrameHeader; at++ {
		if number, ok := flacFrame(b[at:]); ok {
			if b[at+1]&1 == 0 {
				number *= f.block()
			}
			return at, number
		}
	}
	return -1, 0
}

// What STREAMINFO says: bits of a sample, channels, samples of a frame.
func (f *flacFile) bits() int     { return int(f.info[12]&1)<<4 + int(f.info[13]>>4) + 1 }
func (f *flacFile) channels() int { return int(f.info[12]>>1&7) + 1 }
func (f *flacFile) block() int64  { return int64(f.info[0])<<8 | int64(f.info[1]) }

package audio

import (
	"bufio"
	"context"
	"encoding/binary"
	"io"
	"os"
	"strconv"
	"time"

	"parley/internal/words/fault"
)

// Cut is a part of a recording: 16-bit samples at Rate, with the channels of the recording.
type Cut struct {
	Channels int
	Frames   int64 // samples per channel
	content  io.ReaderAt
	close    func() error
}

// Close frees the temporary file, if there is one.
func (c *Cut) Close() error { return c.close() }

// Size is the number of bytes of the part as a WAV file.
func (c *Cut) Size() int64 { return wavHeaderSize + c.Frames*int64(2*c.Channels) }

// WAV returns the part as a WAV file, until it is closed.
func (c *Cut) WAV() io.ReadSeeker {
	return io.NewSectionReader(&prefixed{c.header(), c.content}, 0, c.Size())
}

const wavHeaderSize = 44

func (c *Cut) header() []byte {
	length, width := uint32(c.Frames)*uint32(2*c.Channels), 2*c.Channels
	b := binary.LittleEndian.AppendUint32([]byte("RIFF"), wavHeaderSize-8+length)
	b = binary.LittleEndian.AppendUint32(append(b, "WAVEfmt "...), 16)
	b = binary.LittleEndian.AppendUint16(b, 1)
	b = binary.LittleEndian.AppendUint16(b, uint16(c.Channels))
	b = binary.LittleEndian.AppendUint32(b, Rate)
	b = binary.LittleEndian.AppendUint32(b, uint32(Rate*width))
	b = binary.LittleEndian.AppendUint16(b, uint16(width))
	b = binary.LittleEndian.AppendUint16(b, 16)
	return binary.LittleEndian.AppendUint32(append(b, "data"...), length)
}

// prefixed is a file with a header in front of its content.
type prefixed struct {
	header  []byte
	content io.ReaderAt
}

func (p *prefixed) ReadAt(b []byte, off int64) (n int, err error) {
	if off < int64(len(p.header)) {
		n = copy(b, p.header[off:])
		off += int64(n)
	}
	if n == len(b) {
		return n, nil
	}
	more, err := p.content.ReadAt(b[n:], off-int64(len(p.header)))
	return n + more, err
}

// Stored is a recording that can be read at any position.
type Stored struct {
	io.ReaderAt
	Size        int64
	ContentType string
}

// Cut returns the part of a recording between two times, clamped to its end. It reads little else where the format tells
// where a time is in the file: WAV, FLAC, GSM and AMR files, and MP3 files of constant bit rate. Errors
// are those of Decode.
func (d *Decoder) Cut(ctx context.Context, s Stored, from, to time.Duration) (*Cut, error) {
	if w, ok := plainWAV(s, s.Size); ok {
		return w.cut(s, from, to)
	}
	if c, err := cutFLAC(ctx, s, from, to); c != nil || err != nil {
		return c, err
	}
	for _, narrow := range narrowers {
		e, err := narrow(s, from, to)
		if err != nil {
			return nil, readFailed(err)
		}
		if e != nil {
			return d.cutExcerpt(ctx, e, from, to)
		}
	}
	return d.seek(ctx, s, from, to)
}

func readFailed(err error) error {
	return fault.New(fault.Unavailable, fault.CodeUnavailable, "read the recording: %w", err)
}

// frameAt returns the sample at a time, at a rate.
func frameAt(t time.Duration, rate int) int64 {
	second := t / time.Second
	return int64(second)*int64(rate) + int64(t%time.Second)*int64(rate)/int64(time.Second)
}

// cut returns a part of a plain WAV file. Samples at 8 kHz are doubled with those around them, as when all are decoded.
func (w *wavFile) cut(r io.ReaderAt, from, to time.Duration) (*Cut, error) {
	factor := int64(Rate / w.rate)
	first := frameAt(from, Rate)
	frames := max(min(frameAt(to, Rate), w.frames()*factor)-first, 0)
	start := max(first/factor-2*reach, 0)
	end := min((first+frames+factor-1)/factor+2*reach, w.frames())
	width := int64(w.channels * w.coding.width)
	raw := make([]byte, max(end-start, 0)*width)
	if _, err := r.ReadAt(raw, w.at+start*width); err != nil && err != io.EOF {
		return nil, readFailed(err)
	}
	return cutOf(w.split(raw), factor, first-start*factor, frames), nil
}

// cutOf returns some frames of channels, whose rate is Rate after it was multiplied by 1 or 2.
func cutOf(channels [][]int16, factor, skip, frames int64) *Cut {
	for c := range channels {
		if factor == 2 && frames > 0 {
			channels[c] = new(doubler).add(channels[c], true)
		}
		from := min(skip, int64(len(channels[c])))
		channels[c] = channels[c][from:min(from+frames, int64(len(channels[c])))]
	}
	return &Cut{Channels: len(channels), Frames: int64(len(channels[0])), content: bytesAt(interleaved(channels)),
		close: func() error { return nil }}
}

// bytesAt is a content in memory.
type bytesAt []byte

func (b bytesAt) ReadAt(p []byte, off int64) (int, error) {
	n := copy(p, b[min(off, int64(len(b))):])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// excerpt is a part of a file that is decoded like a file.
type excerpt struct {
	parts []io.Reader
	size  int64
	start float64 // time of its first sample in the recording, in samples at Rate

	contentType string   // for formats without a header
	options     []string // of ffmpeg, for its input
}

// cutExcerpt decodes an excerpt and returns the part between two times.
func (d *Decoder) cutExcerpt(ctx context.Context, e *excerpt, from, to time.Duration) (*Cut, error) {
	in, err := nameless(d.temp(), "parley-excerpt-*")
	if err != nil {
		return nil, err
	}
	defer in.Close()
	if _, err := io.Copy(in, io.MultiReader(e.parts...)); err != nil {
		return nil, readFailed(err)
	}
	first := frameAt(from, Rate)
	skip := max(first-int64(e.start+0.5), 0)
	return d.render(ctx, in, e.size, e.options, e.contentType, skip, frameAt(to, Rate)-first)
}

// seek copies the whole recording and lets ffmpeg seek in it.
func (d *Decoder) seek(ctx context.Context, s Stored, from, to time.Duration) (*Cut, error) {
	in, err := nameless(d.temp(), "parley-media-*")
	if err != nil {
		return nil, err
	}
	defer in.Close()
	if _, err := io.CopyBuffer(in, contextReader{ctx, io.NewSectionReader(s, 0, s.Size)}, make([]byte, 1<<20)); err != nil {
		return nil, readFailed(err)
	}
	at := strconv.FormatFloat(from.Seconds(), 'f', 6, 64)
	return d.render(ctx, in, s.Size, []string{"-ss", at}, s.ContentType, 0, frameAt(to, Rate)-frameAt(from, Rate))
}

// contextReader ends with a context.
type contextReader struct {
	ctx context.Context
	io.Reader
}

func (c contextReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, context.Cause(c.ctx)
	}
	return c.Reader.Read(p)
}

// render decodes a file from where ffmpeg is told to seek, and keeps some frames after those that are skipped.
func (d *Decoder) render(
	ctx context.Context, in *os.File, size int64, seek []string, contentType string, skip, frames int64,
) (*Cut, error) {
	args := append([]string{"-nostdin", "-hide_banner", "-v", "error", "-y", "-threads", "1"}, confinement()...)
	args = append(args, headerless[contentType]...)
	args = append(args, seek...)
	length := strconv.FormatFloat(float64(skip+frames)/Rate+0.1, 'f', 6, 64)
	args = append(args, "-guess_layout_max", "2", "-i", input, "-map", "0:a:0", "-vn", "-sn", "-dn", "-map_metadata", "-1",
		"-t", length, "-ar", strconv.Itoa(Rate), "-c:a", "pcm_s16le", "-f", "wav", "-flush_packets", "0", "pipe:1")
	out, err := nameless(d.temp(), "parley-clip-*")
	if err != nil {
		return nil, err
	}
	p := d.program(ctx, d.ffmpeg(), in, d.allowance(size), args...)
	c := &Cut{close: out.Close}
	exited, err := p.run(func(r io.Reader) error { return c.fill(bufio.NewReaderSize(r, 64<<10), out, skip, frames) })
	if err == nil && c.Channels == 0 {
		if exited == 0 {
			err = fault.New(fault.Invalid, fault.CodeDecode, "the recording has no audio at this time")
		} else {
			err = unreadable(fault.CodeDecode, "the audio cannot be decoded", &p.said)
		}
	}
	if err != nil {
		out.Close()
		return nil, err
	}
	return c, nil
}

// fill reads a WAV file of unknown length and keeps some of its frames.
func (c *Cut) fill(r *bufio.Reader, out *os.File, skip, frames int64) error {
	header, _ := r.Peek(4096)
	channels, at := streamedWAV(header)
	if channels == 0 {
		_, err := io.Copy(io.Discard, r)
		return err
	}
	width := int64(2 * channels)
	if _, err := io.CopyN(io.Discard, r, at+skip*width); err != nil && err != io.EOF {
		return err
	}
	n, err := io.Copy(out, io.LimitReader(r, frames*width))
	if err != nil {
		return noSpace(err)
	}
	c.Channels, c.Frames, c.content = channels, n/width, out
	_, err = io.Copy(io.Discard, r)
	return err
}

// streamedWAV returns the channels of a WAV file and the position of its samples, from the start of the file.
func streamedWAV(head []byte) (channels int, at int64) {
	for c := range wavChunks(bytesAt(head), int64(len(head))+1) {
		switch c.id {
		case "fmt ":
			if c.at+4 <= int64(len(head)) {
				channels = int(binary.LittleEndian.Uint16(head[c.at+2:]))
			}
		case "data":
			return channels, c.at
		}
	}
	return 0, 0
}

package audio

import (
	"bufio"
	"errors"
	"io"
	"os"

	"parley/internal/speech/waveform"
	"parley/internal/words/fault"
)

// spool writes interleaved little-endian 16-bit samples at Rate to an unlinked file, and their waveform to another one.
// It compares the channels meanwhile.
type spool struct {
	file     *os.File
	points   *os.File
	waveform *waveform.Collector
	channels int
	limits   Limits
	frames   int64 // samples per channel
	likeness likeness
}

func newSpool(dir string, channels int, limits Limits) (*spool, error) {
	f, err := nameless(dir, "parley-pcm-*")
	if err != nil {
		return nil, err
	}
	points, err := nameless(dir, "parley-peaks-*")
	if err != nil {
		f.Close()
		return nil, err
	}
	return &spool{file: f, points: points, waveform: waveform.NewCollector(points, channels, Rate), channels: channels,
		limits: limits, likeness: newLikeness(channels)}, nil
}

func (s *spool) close() error { return errors.Join(s.file.Close(), s.points.Close()) }

func noSpace(err error) error {
	return fault.New(fault.Unavailable, fault.CodeUnavailable, "write to the temporary folder: %w", err)
}

// fill copies all whole frames of r.
func (s *spool) fill(r io.Reader) error {
	const frames = 16 << 10
	in := bufio.NewReaderSize(r, 64<<10)
	buf := make([]byte, frames*2*s.channels)
	for {
		n, err := io.ReadFull(in, buf)
		if failed := s.add(buf[:n-n%(2*s.channels)]); failed != nil {
			return failed
		}
		if err == io.EOF || err == io.ErrUnexpectedEOF || errors.Is(err, os.ErrClosed) {
			return nil // closed: the killed child has not exited yet; its exit status is checked later
		}
		if err != nil {
			return fault.New(fault.Internal, fault.CodeDecode, "read decoded audio: %w", err)
		}
	}
}

func (s *spool) add(p []byte) error {
	s.frames += int64(len(p) / (2 * s.channels))
	switch {
	case s.frames*int64(2*s.channels) > s.limits.Samples:
		return fault.New(fault.TooLarge, fault.CodeTooLarge,
			"the recording is too large: its %d channels decode to more than %d MB of samples", s.channels,
			s.limits.Samples>>20)
	case s.frames > int64(s.limits.Length.Seconds()*Rate):
		return fault.New(fault.TooLarge, fault.CodeTooLarge,
			"the recording is longer than %v, the limit of this server (--max-duration)", s.limits.Length)
	}
	s.likeness.add(p)
	if err := s.waveform.Add(p); err != nil {
		return noSpace(err)
	}
	if _, err := s.file.Write(p); err != nil {
		return noSpace(err)
	}
	return nil
}

package waveform

import (
	"bufio"
	"bytes"
	"io"
	"slices"
	"time"

	"parley/internal/words/sound"
)

// Encode returns a waveform as it is stored, made from the points that a Collector has written. The points that touch
// one of the stretches are flat. It needs memory for a few points only.
func Encode(points io.ReaderAt, s Shape, flat []sound.Segment) io.Reader {
	parts := []io.Reader{bytes.NewReader(s.header())}
	for _, factor := range factors {
		finest := io.NewSectionReader(points, 0, s.Points*s.width())
		parts = append(parts, &level{finest: bufio.NewReaderSize(finest, 32<<10), shape: s, factor: factor, flat: sorted(flat)})
	}
	return io.MultiReader(parts...)
}

// sorted returns stretches in order of their ends.
func sorted(flat []sound.Segment) []sound.Segment {
	return slices.SortedFunc(slices.Values(flat), func(a, b sound.Segment) int { return int(a.End - b.End) })
}

// level reads the points of one resolution.
type level struct {
	finest io.Reader
	shape  Shape
	factor int64
	flat   []sound.Segment // those that may touch points to come
	at     int64           // the next point in the finest resolution
	rest   []byte          // of what was read
	buffer []byte
}

// Read implements io.Reader.
func (l *level) Read(p []byte) (int, error) {
	if len(l.rest) == 0 {
		if err := l.fill(); err != nil {
			return 0, err
		}
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// pointsAtOnce is the number of points of a resolution that are made at a time.
const pointsAtOnce = 64

func (l *level) fill() error {
	width := int(l.shape.width())
	l.buffer = append(l.buffer[:0], make([]byte, pointsAtOnce*width*int(l.factor))...)
	n, err := io.ReadFull(l.finest, l.buffer)
	if n -= n % width; n == 0 {
		if err == io.ErrUnexpectedEOF || err == nil {
			err = io.EOF
		}
		return err
	}
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return err
	}
	for at := 0; at < n; at += width {
		if l.hidden() {
			clear(l.buffer[at : at+width])
		}
		l.at++
	}
	l.rest = reduce(l.buffer[:n], width, int(l.factor))
	return nil
}

// hidden reports whether the next point touches a flat stretch.
func (l *level) hidden() bool {
	const point = time.Second / PerSecond
	from := time.Duration(l.at) * point
	for len(l.flat) > 0 && l.flat[0].End <= from {
		l.flat = l.flat[1:]
	}
	for _, s := range l.flat {
		if s.Start < from+point && s.End > from {
			return true
		}
	}
	return false
}

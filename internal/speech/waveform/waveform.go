// Package waveform keeps the smallest and the largest samples of a recording over time, so that its waveform can be
// drawn at any zoom without decoding it.
//
// Collector takes them from decoded samples; Encode writes them as they are stored, in three resolutions; a Window is
// what one picture needs of them, and is written in the formats of BBC audiowaveform. Decoding and storage are in other
// packages.
package waveform

import (
	"encoding/binary"
	"time"

	"parley/internal/words/fault"
)

// PerSecond is the number of points per second and channel that a Collector keeps.
const PerSecond = 100

// factors are the points of a Collector in a point of each stored resolution, the finest first.
var factors = [...]int64{1, 10, 100}

// Shape describes a waveform.
type Shape struct {
	Channels int
	Rate     int   // samples per second
	Points   int64 // of each channel in the finest resolution; the last one may cover less than the others
}

// The stored format: a header, then the points of each resolution, the finest first. A point has a pair of signed bytes
// for each channel: the smallest and the largest sample, in 256ths of 16 bits.
const (
	magic      = "parleypk"
	version    = 1
	HeaderSize = 8 + 4*4 + 8
)

// header returns the start of the stored format.
func (s Shape) header() []byte {
	b := append(make([]byte, 0, HeaderSize), magic...)
	b = binary.LittleEndian.AppendUint32(b, version)
	b = binary.LittleEndian.AppendUint32(b, uint32(s.Channels))
	b = binary.LittleEndian.AppendUint32(b, uint32(s.Rate))
	b = binary.LittleEndian.AppendUint32(b, PerSecond)
	return binary.LittleEndian.AppendUint64(b, uint64(s.Points))
}

// Parse reads the header of a stored waveform of so many bytes. The error is of kind Internal if it is corrupt, or was
// written in a format that this program does not know.
func Parse(header []byte, size int64) (s Shape, err error) {
	corrupt := fault.New(fault.Internal, fault.CodeInternal, "a stored waveform is corrupt or of a newer version")
	if len(header) < HeaderSize || string(header[:8]) != magic {
		return s, corrupt
	}
	number := func(at int) int { return int(binary.LittleEndian.Uint32(header[at:])) }
	points := binary.LittleEndian.Uint64(header[24:])
	if number(8) != version || number(20) != PerSecond || points > 1<<40 || number(12) < 1 || number(12) > 1<<10 {
		return s, corrupt
	}
	s = Shape{Channels: number(12), Rate: number(16), Points: int64(points)}
	if s.Rate < PerSecond || s.Size() != size {
		return s, corrupt
	}
	return s, nil
}

// width is the number of bytes in a point.
func (s Shape) width() int64 { return 2 * int64(s.Channels) }

// points returns the number of points of which each covers so many of the finest.
func (s Shape) points(factor int64) int64 { return (s.Points + factor - 1) / factor }

// Size is the number of bytes of the stored waveform.
func (s Shape) Size() int64 {
	size := int64(HeaderSize)
	for _, factor := range factors {
		size += s.points(factor) * s.width()
	}
	return size
}

// Length is the time that the points cover.
func (s Shape) Length() time.Duration { return time.Duration(s.Points) * (time.Second / PerSecond) }

// merge widens a point by another one, for each channel.
func merge(to, point []byte) {
	for c := 0; c < len(to); c += 2 {
		if int8(point[c]) < int8(to[c]) {
			to[c] = point[c]
		}
		if int8(point[c+1]) > int8(to[c+1]) {
			to[c+1] = point[c+1]
		}
	}
}

// reduce merges each factor consecutive points of a list into one, in place. It returns the merged points.
func reduce(points []byte, width, factor int) []byte {
	out := points[:0]
	for at := 0; at < len(points); at += width * factor {
		n := len(out)
		out = append(out, points[at:at+width]...)
		for next := at + width; next < min(at+width*factor, len(points)); next += width {
			merge(out[n:], points[next:next+width])
		}
	}
	return out
}

// ContentType is the type of stored waveforms.
const ContentType = "application/octet-stream"

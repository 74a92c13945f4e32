package waveform

import (
	"encoding/binary"
	"time"
)

// Window is a part of a stored waveform in one resolution.
type Window struct {
	Offset, Bytes int64 // where its points are stored
	Start         time.Duration
	Covers        int64 // points of the finest resolution in each point
	shape         Shape
	merged        int64 // stored points in each point
}

// Window returns the points from a time to another, not more than most: those of the finest stored resolution that has
// not more, or else as many points of the coarsest as it takes merged to one. The first point is the one that contains
// from.
func (s Shape) Window(from, to time.Duration, most int) Window {
	const point = time.Second / PerSecond
	first := min(max(int64(from/point), 0), s.Points)
	end := min(max(int64((to+point-1)/point), first), s.Points)
	offset := int64(HeaderSize)
	for _, factor := range factors {
		if spanned(first, end, factor) <= int64(most) {
			return s.window(first, end, factor, 1, offset)
		}
		offset += s.points(factor) * s.width()
	}
	coarsest := factors[len(factors)-1]
	offset -= s.points(coarsest) * s.width()
	merged := int64(1)
	for spanned(first, end, coarsest*merged) > int64(most) {
		merged = max(merged+1, (end-first)/coarsest/int64(most))
	}
	return s.window(first, end, coarsest, merged, offset)
}

// spanned returns how many points of a factor touch a range of points.
func spanned(first, end, factor int64) int64 {
	if end <= first {
		return 0
	}
	return (end-1)/factor - first/factor + 1
}

func (s Shape) window(first, end, factor, merged, offset int64) Window {
	covers := factor * merged
	at := first / covers * merged                                             // stored points
	n := min(spanned(first, end, covers)*merged, max(s.points(factor)-at, 0)) // likewise
	return Window{Offset: offset + at*s.width(), Bytes: n * s.width(), Covers: covers, shape: s, merged: merged,
		Start: time.Duration(at*factor) * (time.Second / PerSecond)}
}

// Points returns the points of the window from its stored bytes, which it overwrites.
func (w Window) Points(stored []byte) []byte {
	return reduce(stored, int(w.shape.width()), int(w.merged))
}

// SamplesPerPoint returns how many samples of a channel each point covers.
func (w Window) SamplesPerPoint() int { return w.shape.Rate / PerSecond * int(w.Covers) }

// Audiowaveform is the description of points in the data format of BBC audiowaveform, version 2, as JSON. Start is an
// addition.
type Audiowaveform struct {
	Version         int    `json:"version"`
	Channels        int    `json:"channels"`
	SampleRate      int    `json:"sample_rate"`
	SamplesPerPixel int    `json:"samples_per_pixel"`
	Bits            int    `json:"bits"`
	Length          int    `json:"length"`
	Start           int64  `json:"start"` // milliseconds
	Data            []int8 `json:"data"`
}

// Describe returns points of the window.
func (w Window) Describe(points []byte) Audiowaveform {
	a := Audiowaveform{Version: 2, Channels: w.shape.Channels, SampleRate: w.shape.Rate,
		SamplesPerPixel: w.SamplesPerPoint(), Bits: 8, Length: len(points) / int(w.shape.width()),
		Start: w.Start.Milliseconds(), Data: make([]int8, len(points))}
	for i, b := range points {
		a.Data[i] = int8(b)
	}
	return a
}

// Binary returns points of the window as a .dat file of audiowaveform: a header and the points.
func (w Window) Binary(points []byte) []byte {
	b := make([]byte, 0, 24+len(points))
	for _, n := range []int{2, 1, w.shape.Rate, w.SamplesPerPoint(), len(points) / int(w.shape.width()), w.shape.Channels} {
		b = binary.LittleEndian.AppendUint32(b, uint32(n)) // the second one, 1: points have 8 bits
	}
	return append(b, points...)
}

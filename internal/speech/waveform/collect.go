package waveform

import (
	"encoding/binary"
	"io"
)

// Collector takes the points of a recording from its samples, and writes them as they come.
type Collector struct {
	to        io.Writer
	shape     Shape
	low, high []int16 // of the unfinished point
	left      int     // samples that it lacks
	out       []byte
}

// NewCollector returns a collector of points of so many channels and samples per second.
func NewCollector(to io.Writer, channels, rate int) *Collector {
	return &Collector{to: to, shape: Shape{Channels: channels, Rate: rate}, left: rate / PerSecond,
		low: make([]int16, channels), high: make([]int16, channels)}
}

// Add takes whole frames of interleaved little-endian 16-bit samples.
func (c *Collector) Add(p []byte) error {
	width := 2 * c.shape.Channels
	full := c.shape.Rate / PerSecond
	c.out = c.out[:0]
	for len(p) >= width {
		frames := min(c.left, len(p)/width)
		c.extend(p[:frames*width], c.left == full)
		p, c.left = p[frames*width:], c.left-frames
		if c.left == 0 {
			c.point()
			c.left = full
		}
	}
	_, err := c.to.Write(c.out)
	return err
}

// extend widens the unfinished point by samples; a new one begins with them.
func (c *Collector) extend(p []byte, fresh bool) {
	width := 2 * c.shape.Channels
	for channel := range c.low {
		low, high := c.low[channel], c.high[channel]
		if fresh {
			low = int16(binary.LittleEndian.Uint16(p[2*channel:]))
			high = low
		}
		for at := 2 * channel; at+1 < len(p); at += width {
			x := int16(binary.LittleEndian.Uint16(p[at:]))
			low, high = min(low, x), max(high, x)
		}
		c.low[channel], c.high[channel] = low, high
	}
}

// point finishes a point.
func (c *Collector) point() {
	for channel := range c.low {
		c.out = append(c.out, byte(int8(c.low[channel]/256)), byte(int8(c.high[channel]/256)))
	}
	c.shape.Points++
}

// Finish writes the last, unfinished point and returns the shape of the waveform.
func (c *Collector) Finish() (Shape, error) {
	c.out = c.out[:0]
	if c.left < c.shape.Rate/PerSecond {
		c.point()
		c.left = c.shape.Rate / PerSecond
	}
	_, err := c.to.Write(c.out)
	return c.shape, err
}

package diarize

import (
	"time"

	"parley/internal/words/sound"
)

const cellFrames = 10 // of a cell, in which nobody takes turns

// cell is a short stretch of speech.
type cell struct {
	from, to int  // frames
	first    bool // of a segment: there is a pause before
}

// timeline is speech as a row of cells.
type timeline struct {
	features *Features
	speech   []sound.Segment
	cells    []cell
	all      gaussian
	prior    [triangle]float64 // covariance of all frames
	floor    [width]float64    // least variance in a mixture
}

const leastVariance = 0.05 // of that of all frames

func newTimeline(f *Features, speech []sound.Segment) *timeline {
	t := &timeline{features: f, speech: speech}
	frames := len(f.rows) / width
	for _, s := range speech {
		from := min(max(int(s.Start/hop), 0), frames)
		to := min(max(int(s.End/hop), from), frames)
		count := max((to-from+cellFrames/2)/cellFrames, 1)
		for k := range count {
			t.cells = append(t.cells, cell{from + (to-from)*k/count, from + (to-from)*(k+1)/count, k == 0})
		}
	}
	for _, c := range t.cells {
		t.add(&t.all, c)
	}
	if t.all.n > 0 {
		t.prior = t.all.covariance(&t.prior, 0)
	}
	for i := range t.floor {
		t.floor[i] = max(leastVariance*t.prior[i*(i+1)/2+i], 1e-6)
	}
	return t
}

func (t *timeline) row(frame int) (row [width]float32) {
	for i, x := range t.features.rows[frame*width : (frame+1)*width] {
		row[i] = float32(x) / grain
	}
	return row
}

func (t *timeline) add(g *gaussian, c cell) {
	for i := c.from; i < c.to; i++ {
		row := t.row(i)
		g.add(row[:])
	}
}

// labels has the speaker of each cell; −1 where that is open.
type labels []int

// count returns how many speakers there are, whose numbers have no gaps.
func (l labels) count() int {
	n := 0
	for _, speaker := range l {
		n = max(n, speaker+1)
	}
	return n
}

// compact numbers the speakers by their first cells.
func (l labels) compact() labels {
	number := map[int]int{}
	out := make(labels, len(l))
	for i, speaker := range l {
		n, known := number[speaker]
		if !known && speaker >= 0 {
			n = len(number)
			number[speaker] = n
		}
		out[i] = n
		if speaker < 0 {
			out[i] = -1
		}
	}
	return out
}

// found makes turns of labelled cells.
func (t *timeline) found(l labels) *Found {
	l = l.compact()
	f := &Found{Speakers: l.count()}
	segment := -1
	for i, c := range t.cells {
		if c.first {
			segment++
			f.Turns = append(f.Turns, Turn{l[i], t.speech[segment]})
			continue
		}
		last := len(f.Turns) - 1
		if f.Turns[last].Speaker != l[i] {
			at := time.Duration(c.from) * hop
			f.Turns = append(f.Turns, Turn{l[i], sound.Segment{Start: at, End: f.Turns[last].End}})
			f.Turns[last].End = at
		}
	}
	return f
}

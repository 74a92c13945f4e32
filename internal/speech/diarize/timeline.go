package diarize

import (
	"time"

	"parley/internal/words/sound"
)

const cellFrames = 10 // frames per cell; speakers do not change within a cell

// cell is a short stretch of speech.
type cell struct {
	from, to int  // frames
	first    bool // of a segment: a pause precedes it
}

// timeline is the speech as a sequence of cells.
type timeline struct {
	features *Features
	speech   []sound.Segment
	cells    []cell
	all      gaussian
	prior    [triangle]float64 // covariance of all frames
	floor    [width]float64    // minimum variance in a mixture
}

const leastVariance = 0.05 // relative to the variance of all frames

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

// labels is the speaker of each cell; −1 if undecided.
type labels []int

// count returns the number of speakers. Their numbers are contiguous.
func (l labels) count() int {
	n := 0
	for _, speaker := range l {
		n = max(n, speaker+1)
	}
	return n
}

// compact renumbers the speakers in order of their first cells.
func (l labels) compact() labels {
	number := numbering{}
	out := make(labels, len(l))
	for i, speaker := range l {
		out[i] = -1
		if speaker >= 0 {
			out[i] = number.of(speaker)
		}
	}
	return out
}

// numbering numbers speakers in order of their first occurrence.
type numbering map[int]int

func (n numbering) of(speaker int) int {
	if _, known := n[speaker]; !known {
		n[speaker] = len(n)
	}
	return n[speaker]
}

// found converts labelled cells to turns.
func (t *timeline) found(l labels) *Result {
	l = l.compact()
	f := &Result{Speakers: l.count()}
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

package main

import (
	"time"

	"parley/internal/speech/punctuation"
)

// limits are the bounds of the pause classes (punctuation.PauseClass).
var limits = [punctuation.PauseClasses + 1]time.Duration{
	0, 20 * time.Millisecond, 60 * time.Millisecond, 120 * time.Millisecond, 200 * time.Millisecond,
	350 * time.Millisecond,
	600 * time.Millisecond, time.Second, 2 * time.Second, 6 * time.Second,
}

// counts is a histogram of pauses by class.
type counts [punctuation.PauseClasses]int

// style holds the pauses of a speaking style: where there is no mark, at commas, at sentence ends, before the other
// side's turn as heard in a mix, and before the next turn of the same speaker.
type style struct{ nothing, comma, end, turn, answer counts }

// The styles. README.md names the source of the counts.
var (
	read = style{
		nothing: counts{746, 10, 10, 10, 11, 11, 1, 1, 0},
		comma:   counts{8, 1, 12, 8, 12, 3, 1, 2, 0},
		end:     counts{1, 0, 0, 2, 8, 8, 18, 1, 0},
		turn:    counts{0, 0, 0, 1, 4, 8, 18, 4, 1},
		answer:  counts{0, 0, 0, 0, 0, 0, 2, 8, 10},
	}
	spontaneous = style{
		nothing: counts{675, 1, 5, 2, 9, 11, 6, 5, 0},
		comma:   counts{15, 2, 2, 6, 6, 3, 3, 1, 0},
		end:     counts{8, 0, 1, 3, 5, 3, 1, 1, 0},
		turn:    counts{0, 0, 0, 0, 2, 4, 5, 16, 1},
		answer:  counts{0, 0, 0, 0, 0, 0, 2, 8, 10},
	}
	gapless = style{counts{1}, counts{1}, counts{1}, counts{1}, counts{0, 0, 0, 0, 0, 0, 2, 8, 10}}
)

// styles is the distribution for training.
var styles = []style{spontaneous, spontaneous, spontaneous, read, read, read, gapless}

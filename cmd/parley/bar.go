package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

const barWidth = 30

// bar is a progress bar on a terminal; elsewhere it prints a line at every tenth.
type bar struct {
	w        io.Writer
	name     string
	terminal bool
	shown    int // percentage printed last
	start    time.Time
}

func newBar(f *os.File, name string) *bar {
	info, err := f.Stat()
	terminal := err == nil && info.Mode()&os.ModeCharDevice != 0
	return &bar{w: f, name: name, terminal: terminal, shown: -1, start: time.Now()}
}

// Set shows a percentage and the current activity.
func (b *bar) Set(percent int, doing string) {
	percent = max(min(percent, 100), 0)
	if !b.terminal {
		if tenth := percent / 10 * 10; tenth > b.shown {
			b.shown = tenth
			fmt.Fprintf(b.w, "%s  %3d %%  %s\n", b.name, tenth, doing)
		}
		return
	}
	full := percent * barWidth / 100
	fmt.Fprintf(b.w, "\r%s  %s%s %3d %%  %-22s", b.name, strings.Repeat("█", full), strings.Repeat("░", barWidth-full),
		percent, doing)
}

// Done ends the bar with the outcome.
func (b *bar) Done(outcome string) {
	took := time.Since(b.start).Round(100 * time.Millisecond)
	if b.terminal {
		fmt.Fprintf(b.w, "\r%s  %s  in %s%s\n", b.name, outcome, took, strings.Repeat(" ", barWidth+20))
		return
	}
	fmt.Fprintf(b.w, "%s  %s  in %s\n", b.name, outcome, took)
}

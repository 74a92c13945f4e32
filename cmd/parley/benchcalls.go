package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"parley/internal/lab/bench"
	"parley/internal/operation/config"
)

type benchCalls struct {
	URL        []string      `help:"Server to measure; repeat it for several nodes, which are used in turn. They need --allow-insecure-callbacks and --allow-networks 127.0.0.0/8." required:"" placeholder:"URL" name:"url"`
	Token      string        `help:"Access token." env:"PARLEY_TOKEN" required:"" placeholder:"TOKEN"`
	Rate       float64       `help:"Calls per second; a million a day are 12." default:"12"`
	Duration   time.Duration `help:"Duration of the measurement." default:"1m"`
	Dialogues  int           `help:"Generated dialogues that make up a call, of about 60 words each." default:"5"`
	Categories int           `help:"Categories that each call is judged by." default:"20"`
	Size       string        `help:"Size of the recording of each call." default:"20kB"`
}

// Run submits calls with given words and prints how long they took.
func (c *benchCalls) Run(ctx context.Context) error {
	size, err := config.ParseSize(c.Size)
	if err != nil {
		return misuse(err)
	}
	if c.Rate <= 0 || c.Duration <= 0 || c.Categories < 0 {
		return usagef("--rate and --duration must be positive, and --categories not negative")
	}
	if err := positive("--dialogues", c.Dialogues); err != nil {
		return err
	}
	for i, base := range c.URL {
		c.URL[i] = strings.TrimSuffix(base, "/")
	}
	load := bench.Calls{Servers: c.URL, Token: c.Token, Rate: c.Rate, Duration: c.Duration, Turns: c.Dialogues,
		Categories: c.Categories, Size: int(size)}
	found, err := measured("calls", func(p bench.Progress) (bench.CallsResult, error) { return load.Run(ctx, p) })
	if err != nil {
		return err
	}
	if err := table(callRows(found, c.Duration)); err != nil {
		return err
	}
	if found.Refused+found.Missing > 0 {
		fmt.Fprintf(os.Stderr, "%d refused, %d callbacks missing; first refusal: %s\n", found.Refused, found.Missing,
			found.First)
		return errFailed
	}
	return nil
}

// callRows is the table of the results: a row for each tenth of the time, and the totals.
func callRows(found bench.CallsResult, took time.Duration) [][]any {
	rows := [][]any{{"part", "accepted", "until accepted, median, 99 %", "until delivered, median, 99 %"}}
	accepted := 0
	for n, w := range found.Windows {
		accepted += w.Accepted
		rows = append(rows, []any{n + 1, w.Accepted,
			milliseconds(bench.Percentile(w.Accepts, 50)) + ", " + milliseconds(bench.Percentile(w.Accepts, 99)),
			milliseconds(bench.Percentile(w.Deliveries, 50)) + ", " + milliseconds(bench.Percentile(w.Deliveries, 99))})
	}
	if accepted == 0 {
		return rows
	}
	each := func(d time.Duration) string { return milliseconds(d / time.Duration(accepted)) }
	return append(rows,
		[]any{"all", accepted, fmt.Sprintf("%.1f a second of %d words each", float64(accepted)/took.Seconds(),
			found.Words/accepted)},
		[]any{"servers", each(found.Work), "CPU time of each call, without decoders"},
		[]any{"last callback", found.Drained.Round(time.Millisecond), "after the last call"})
}

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"parley/internal/bench"
)

type benchCallbacks struct {
	Calls     int    `help:"Generated calls, one delivery each." default:"3000"`
	Words     int    `help:"Words a call." default:"1500"`
	Receivers int    `help:"Receivers of this machine." default:"20"`
	Data      string `help:"Folder on the disk to measure; data are kept in it only meanwhile." default:"." placeholder:"DIR" type:"existingdir"`
	Database  string `help:"PostgreSQL database to measure instead; it must be empty, and is full afterwards." placeholder:"URL"`
}

// Run delivers generated calls and prints how fast that went.
func (c *benchCallbacks) Run(ctx context.Context) error {
	if c.Calls < 1 || c.Words < 20 || c.Receivers < 1 {
		return errors.New("--calls and --receivers must be positive, --words at least 20")
	}
	url, _, remove, err := benchDatabase(c.Data, c.Database)
	if err != nil {
		return err
	}
	defer remove()
	shown := newBar(os.Stderr, "callbacks")
	found, err := bench.Callbacks{URL: url, Calls: c.Calls, Words: c.Words, Receivers: c.Receivers}.Run(ctx, func(what string, done, total int64) { shown.Set(percent(done, total), what) })
	if err != nil {
		shown.Done("failed")
		return err
	}
	shown.Done("measured")
	return table([][]any{
		{"deliveries", fmt.Sprintf("%d of %d words, %s each, to %d receivers", c.Calls, c.Words, bytesText(found.Bytes/int64(c.Calls)), c.Receivers)},
		{"per second", fmt.Sprintf("%.0f", float64(c.Calls)/found.Took.Seconds())},
		{"processor time each", milliseconds(found.Work / time.Duration(c.Calls))},
	})
}

package main

import (
	"context"
	"fmt"

	"parley/internal/lab/eval"
	"parley/internal/speech/audio"
)

type evalDER struct {
	Data string `help:"Folder of recordings, each with its speaker turns in an .rttm file of the same name." required:"" type:"existingdir" placeholder:"DIR"`
	Most int    `help:"Maximum number of speakers to look for." default:"2" placeholder:"N"`
}

// Run prints a table with two rows per recording.
func (c *evalDER) Run(ctx context.Context) error {
	table, err := eval.DER(ctx, c.Data, &audio.Decoder{}, c.Most)
	if len(table) > 0 {
		fmt.Print(table) // printed even after an interrupt or if some failed; the error names those
	}
	return err
}

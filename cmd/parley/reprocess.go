package main

import (
	"context"
	"fmt"
)

// reprocessCommand has recordings on a server processed again and waits for their results.
type reprocessCommand struct {
	IDs []string `arg:"" name:"media-id" help:"Recordings, by the ids that submit prints."`
	connection
	Configuration string `help:"File with the configuration (JSON); without it that of before is used." type:"existingfile" placeholder:"FILE"`
	Metadata      string `help:"File with metadata (JSON) in place of the present." type:"existingfile" placeholder:"FILE"`
	waiting
}

// Run asks for one recording after the other, then waits for all; the exit code is 1 when one failed.
func (c *reprocessCommand) Run(ctx context.Context) error {
	if c.Transcript != "" && len(c.IDs) != 1 {
		return fmt.Errorf("--transcript belongs to one recording, and there are %d", len(c.IDs))
	}
	form, err := readDocuments(c.Configuration, c.Metadata, c.Transcript)
	if err != nil {
		return err
	}
	cl := c.client()
	done, err := each(ctx, c.IDs, func(id string) error {
		_, err := cl.Reprocess(ctx, id, form)
		return err
	})
	if err == nil && !c.NoWait {
		done, err = each(ctx, done, func(id string) error { return wait(ctx, cl, id, id, c.Format) })
	}
	if err != nil {
		return err
	}
	return recordingsDone(len(done), len(c.IDs))
}

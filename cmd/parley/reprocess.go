package main

import (
	"context"
	"errors"

	"github.com/google/uuid"
)

// reprocessCommand reprocesses recordings on a server and waits for their results.
type reprocessCommand struct {
	IDs []string `arg:"" name:"media-id" help:"Ids of recordings, as submit and list print them."`
	connection
	Configuration string `help:"File with a new configuration (JSON); default: the current one. Unless it says otherwise, punctuation is restored and the recordings are indexed for parley query." type:"existingfile" placeholder:"FILE"`
	Metadata      string `help:"File with new metadata (JSON); default: the current metadata." type:"existingfile" placeholder:"FILE"`
	resultFlags
}

// Run sends a request for each recording, then waits for all; the exit code is 1 if one failed.
func (c *reprocessCommand) Run(ctx context.Context) error {
	if c.Transcript != "" && len(c.IDs) != 1 {
		return usagef("--transcript applies to one recording, but there are %d", len(c.IDs))
	}
	if err := c.contradiction(); err != nil {
		return err
	}
	out, err := newResults(c.Format, c.Output, c.Force, c.IDs)
	if err != nil {
		return err
	}
	form, err := readDocuments(c.Configuration, c.Metadata, c.Transcript)
	if err != nil {
		return err
	}
	if c.Configuration != "" {
		form.Configuration = withDefaults(form.Configuration)
	}
	cl, err := c.client()
	if err != nil {
		return err
	}
	if err := greet(ctx, cl); err != nil {
		return err
	}
	done, err := each(ctx, c.IDs, func(id string) error {
		form.IdempotencyKey = "again-" + uuid.NewString() // so that a retried request reprocesses only once
		err := cl.Patience.Do(ctx, func() error { _, err := cl.Reprocess(ctx, id, form); return err })
		switch {
		case err != nil && ctx.Err() == nil:
			return errors.Join(err, out.failed(id, id, err))
		case err == nil && c.NoWait:
			return out.line(resultLine{MediaID: id, Status: "accepted"})
		}
		return err
	})
	if err == nil && !c.NoWait {
		done, err = each(ctx, done, func(id string) error { return wait(ctx, cl, id, id, id, out) })
	}
	if err != nil {
		return err
	}
	return recordingsDone(len(done), len(c.IDs))
}

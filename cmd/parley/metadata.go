package main

import (
	"bytes"
	"context"

	"parley/internal/terminal/client"
	"parley/internal/words/media"
)

// metadataCommand prints the metadata of a recording on a server, or replaces it.
type metadataCommand struct {
	ID  string `arg:"" name:"media-id" help:"Id of the recording, as submit and list print it."`
	Put string `help:"File with metadata (JSON) that replaces all of it; - reads standard input." type:"existingfile" placeholder:"FILE"`
	connection
}

// Run prints the metadata as stored by the server afterwards.
func (c *metadataCommand) Run(ctx context.Context) error {
	var replacement []byte
	if c.Put != "" {
		var err error
		if replacement, err = readInput(c.Put); err != nil {
			return err
		}
		if _, err := media.ParseMetadata(replacement); err != nil {
			return inFile(c.Put, err)
		}
	}
	return printRaw(c.ask(ctx, func(cl *client.Client, ctx context.Context) ([]byte, error) {
		if c.Put == "" {
			return cl.Metadata(ctx, c.ID)
		}
		return cl.PutMetadata(ctx, c.ID, bytes.NewReader(replacement))
	}))
}

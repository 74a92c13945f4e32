package main

import (
	"context"
	"io"
	"os"

	"parley/internal/client"
)

// metadataCommand prints the metadata of a recording on a server, or replaces it.
type metadataCommand struct {
	ID  string `arg:"" name:"media-id" help:"The recording, by the id that submit prints."`
	Put string `help:"File with metadata (JSON) that replaces all of it; - reads standard input." placeholder:"FILE"`
	connection
}

// Run prints the metadata as the server has it afterwards.
func (c *metadataCommand) Run(ctx context.Context) error {
	body, err := c.answer(ctx, c.client())
	if err != nil {
		return err
	}
	_, err = os.Stdout.Write(body)
	return err
}

func (c *metadataCommand) answer(ctx context.Context, cl *client.Client) ([]byte, error) {
	switch c.Put {
	case "":
		return cl.Metadata(ctx, c.ID)
	case "-":
		return cl.PutMetadata(ctx, c.ID, io.NopCloser(os.Stdin))
	}
	file, err := os.Open(c.Put)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return cl.PutMetadata(ctx, c.ID, file)
}

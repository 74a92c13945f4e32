package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"parley/internal/client"
)

// reprocessCommand has recordings on a server processed again and waits for their results.
type reprocessCommand struct {
	IDs           []string `arg:"" name:"media-id" help:"Recordings, by the ids that submit prints."`
	Server        string   `help:"Address of the server." default:"http://127.0.0.1:8080" env:"PARLEY_SERVER" placeholder:"URL"`
	Token         string   `help:"Access token." env:"PARLEY_TOKEN" required:"" placeholder:"TOKEN"`
	Configuration string   `help:"File with the configuration (JSON); without it that of before is used." type:"existingfile" placeholder:"FILE"`
	Metadata      string   `help:"File with metadata (JSON) in place of the present." type:"existingfile" placeholder:"FILE"`
	Transcript    string   `help:"File with what is said in the recording: text, or a result with word times." type:"existingfile" placeholder:"FILE"`
	NoWait        bool     `help:"Return when everything is accepted."`
	Format        string   `help:"Print transcripts: none, text, json, srt, webvtt or dfxp." default:"none" enum:"none,text,json,srt,webvtt,dfxp"`
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
	cl := &client.Client{Base: c.Server, Token: c.Token, HTTP: http.DefaultClient}
	accepted, failed := []string{}, 0
	for _, id := range c.IDs {
		_, err := cl.Reprocess(ctx, id, form)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", id, err)
			failed++
			continue
		}
		accepted = append(accepted, id)
	}
	for _, id := range accepted {
		if !c.NoWait && wait(ctx, cl, id, id, c.Format) != nil {
			failed++
		}
	}
	if failed > 0 {
		fmt.Fprintf(os.Stderr, "%d of %d recordings failed\n", failed, len(c.IDs))
		return errFailed
	}
	return ctx.Err()
}

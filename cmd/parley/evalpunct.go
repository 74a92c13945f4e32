package main

import (
	"context"
	"fmt"

	"parley/internal/audio"
	"parley/internal/eval"
	"parley/internal/punctuation"
	"parley/internal/server"
	"parley/internal/transcript"
)

type evalPunct struct {
	Data    string `help:"Folder: each recording has its punctuated text in a file of the same name ending in .txt." required:"" type:"existingdir" placeholder:"DIR"`
	Engines int    `help:"Recogniser processes; default: one a processor." default:"0" placeholder:"N"`
}

// Run prints F1 of the restored punctuation, next to sentence ends at pauses, and how long pauses are.
func (c *evalPunct) Run(ctx context.Context) error {
	restorer, err := punctuation.Load()
	if err != nil {
		return err
	}
	command, err := engineCommandLine()
	if err != nil {
		return err
	}
	pool := server.NewPool(command, c.Engines, nil)
	defer pool.Close()
	info, err := pool.Info(ctx)
	if err != nil {
		return err
	}
	table, err := eval.RestorePunctuation(ctx, c.Data, &audio.Decoder{}, pool, info.MaxChunk, func(t *transcript.Transcript) *transcript.Transcript {
		return punctuation.Apply(t, restorer)
	})
	if err != nil {
		return err
	}
	fmt.Print(table)
	return nil
}

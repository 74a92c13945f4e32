package main

import (
	"context"
	"fmt"

	"parley/internal/audio"
	"parley/internal/eval"
	"parley/internal/server"
)

// evalCommand measures accuracy.
type evalCommand struct {
	WER   evalWER   `cmd:"" name:"wer" help:"Word error rate on a folder of recordings with reference texts beside them."`
	Punct evalPunct `cmd:"" name:"punct" help:"F1 of restored punctuation on a folder of recordings with punctuated texts beside them."`
}

type evalWER struct {
	Data    string `help:"Folder: each recording has its words in a file of the same name ending in .txt." required:"" type:"existingdir" placeholder:"DIR"`
	Engines int    `help:"Recogniser processes; default: one a processor." default:"0" placeholder:"N"`
}

// Run prints a table with a row a set of recordings.
func (c *evalWER) Run(ctx context.Context) error {
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
	table, err := eval.WER(ctx, c.Data, &audio.Decoder{}, pool, info.MaxChunk)
	if err != nil {
		return err
	}
	fmt.Print(table)
	return nil
}

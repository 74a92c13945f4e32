package main

import (
	"context"
	"fmt"
	"os"

	"parley/internal/lab/eval"
	"parley/internal/speech/audio"
	"parley/internal/speech/punctuation"
	"parley/internal/words/transcript"
)

type evalPunct struct {
	Data      string `help:"Folder of recordings, each with its punctuated text in a .txt file of the same name." required:"" type:"existingdir" placeholder:"DIR"`
	ModelData string `help:"Data directory with the installed models." name:"model-data" default:"data" env:"PARLEY_DATA_DIR" placeholder:"DIR" type:"path"`
	engineFlags
}

// Run prints the F1 of the restored punctuation, compared with sentence ends at pauses, and statistics of pauses.
func (c *evalPunct) Run(ctx context.Context) error {
	restorer, err := punctuation.Load()
	if err != nil {
		return err
	}
	engine, pool, err := c.open(ctx, c.ModelData)
	if err != nil {
		return err
	}
	defer pool.Close()
	fmt.Fprintf(os.Stderr, "measuring punctuation of %s/%s\n", engine.Info.Engine, engine.Info.Model)
	table, err := eval.RestorePunctuation(ctx, c.Data, &audio.Decoder{}, pool, engine.Info.MaxChunk,
		func(t *transcript.Transcript) *transcript.Transcript {
			return punctuation.Apply(t, restorer)
		})
	if len(table) > 0 {
		fmt.Print(table) // printed even after an interrupt or if some failed; the error names those
	}
	return err
}

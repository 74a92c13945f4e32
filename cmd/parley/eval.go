package main

import (
	"context"
	"fmt"
	"os"

	"parley/internal/lab/eval"
	"parley/internal/speech/audio"
)

// evalCommand measures accuracy.
type evalCommand struct {
	WER   evalWER   `cmd:"" name:"wer" help:"Word error rate on a folder of recordings with reference texts next to them."`
	DER   evalDER   `cmd:"" name:"der" help:"Diarization error rate on a folder of recordings with speaker turns next to them."`
	Punct evalPunct `cmd:"" name:"punct" help:"F1 of restored punctuation on a folder of recordings with punctuated texts next to them."`
}

type evalWER struct {
	Data      string `help:"Folder of recordings, each with its words in a .txt file of the same name." required:"" type:"existingdir" placeholder:"DIR"`
	Telephone bool   `help:"Simulate a telephone line: 300 to 3400 Hz, 8000 samples a second, mu-law."`
	ModelData string `help:"Data directory with the installed models." name:"model-data" default:"data" env:"PARLEY_DATA_DIR" placeholder:"DIR" type:"path"`
	engineFlags
}

// Run prints a table with one row per set of recordings.
func (c *evalWER) Run(ctx context.Context) error {
	engine, pool, err := c.open(ctx, c.ModelData)
	if err != nil {
		return err
	}
	defer pool.Close()
	fmt.Fprintf(os.Stderr, "measuring %s/%s\n", engine.Info.Engine, engine.Info.Model)
	table, err := eval.WER(ctx, &eval.Request{
		Dir: c.Data, Decoder: &audio.Decoder{}, Recognizer: pool, Longest: engine.Info.MaxChunk, Telephone: c.Telephone,
	})
	if len(table) > 0 {
		fmt.Print(table) // printed even after an interrupt or if some failed; the error names those
	}
	return err
}

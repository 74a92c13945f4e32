package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"strings"
	"unicode"

	sherpaonnx "github.com/k2-fsa/sherpa-onnx-go-linux"

	"parley/internal/words/vocabulary"
)

// lexicon describes which texts a model can output, given its pieces.
type lexicon struct {
	pieces []string // by id; "▁" stands for a space
	has    map[string]bool
	upper  bool // no lower-case letters
	lower  bool // no upper-case letters
}

// readLexicon reads a model's tokens: one piece and its id per line.
func readLexicon(name string) (*lexicon, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	l := &lexicon{has: map[string]bool{}, upper: true, lower: true}
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) == 2 && !(strings.HasPrefix(fields[0], "<") && strings.HasSuffix(fields[0], ">")) {
			l.add(fields[0])
		}
	}
	if err := lines.Err(); err != nil || len(l.pieces) == 0 {
		return nil, errors.Join(err, fmt.Errorf("%s has no tokens", name))
	}
	return l, nil
}

func (l *lexicon) add(piece string) {
	l.pieces = append(l.pieces, piece)
	l.has[piece] = true
	l.upper = l.upper && !strings.ContainsFunc(piece, unicode.IsLower)
	l.lower = l.lower && !strings.ContainsFunc(piece, unicode.IsUpper)
}

// sentences reports whether the model outputs sentences: with full stops, or with letters of both cases.
func (l *lexicon) sentences() bool { return l.has["."] || !l.upper && !l.lower }

// The score bonus of a piece of a boosted word, in natural logarithms of probability. The default of sherpa-onnx is
// 1.5; a weight of 5 gives twice that.
const (
	bonus       = 1.5
	weightBonus = 0.3 // per point of weight
)

// hotwords returns the terms of vocabularies with their bonus in the library's format: separated by slashes. It leaves
// out terms that the model cannot output, with a warning. It ignores scripts and pronunciations: the model knows sounds
// only by their spelling.
func (l *lexicon) hotwords(vocabularies []vocabulary.Vocabulary) (list string, warnings []string) {
	var terms []string
	for _, v := range vocabularies {
		for _, t := range v.Terms {
			text, ok := l.spell(t.Text)
			if !ok {
				warnings = append(warnings, fmt.Sprintf(
					"vocabulary term %q is ignored: the model cannot output some of its characters", t.Text))
				continue
			}
			terms = append(terms, fmt.Sprintf("%s :%.2f", text, bonus+weightBonus*t.Weight))
		}
	}
	return strings.Join(terms, "/"), warnings
}

// spell writes a term with the characters of the model.
func (l *lexicon) spell(term string) (text string, ok bool) {
	words := strings.Fields(term)
	if l.upper {
		words = strings.Fields(strings.ToUpper(term))
	}
	for _, w := range words {
		if !l.writes(w) {
			return "", false
		}
	}
	return strings.Join(words, " "), len(words) > 0
}

// writes reports whether a word can be composed of single characters; the library chooses larger pieces where they fit.
// Characters with a special meaning in the library's list of words are not allowed.
func (l *lexicon) writes(word string) bool {
	for i, r := range word {
		one := string(r)
		first := i == 0 && l.has["▁"+one]
		if strings.Contains("/:#@", one) || !l.has[one] && !first || i == 0 && !l.has["▁"] && !first {
			return false
		}
	}
	return true
}

// prepare configures the model for boosted words. The library splits them into pieces by rank, which is the token id:
// pieces that were merged first when the tokenizer was trained come first. The library reads the ranks from a file when
// it loads the model; done removes the file.
func (l *lexicon) prepare(c *sherpaonnx.OfflineRecognizerConfig) (done func(), err error) {
	file, err := os.CreateTemp("", "parley-pieces-")
	if err != nil {
		return nil, err
	}
	done = func() { os.Remove(file.Name()) }
	w := bufio.NewWriter(file)
	for rank, piece := range l.pieces {
		fmt.Fprintf(w, "%s\t%d\n", piece, -rank)
	}
	if err := errors.Join(w.Flush(), file.Close()); err != nil {
		done()
		return nil, err
	}
	c.DecodingMethod, c.MaxActivePaths, c.HotwordsScore = "modified_beam_search", 4, bonus
	c.ModelConfig.ModelingUnit, c.ModelConfig.BpeVocab = "bpe", file.Name()
	return done, nil
}

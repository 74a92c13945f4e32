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

// lexicon is what a model can write: the pieces of its words.
type lexicon struct {
	pieces []string // by number; "▁" stands for a space
	has    map[string]bool
	upper  bool // no small letters
	lower  bool // no capitals
}

// readLexicon reads a model's tokens: a piece and its number a line.
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

// sentences tells whether the model writes sentences: with full stops, or with letters of both cases.
func (l *lexicon) sentences() bool { return l.has["."] || !l.upper && !l.lower }

// The bonus of a piece of a favoured word, in natural logarithms of probability: sherpa-onnx uses 1.5 where
// nothing else is said. A weight of 5 gives twice that.
const (
	bonus       = 1.5
	weightBonus = 0.3 // for each point of weight
)

// hotwords lists the terms of vocabularies with their bonus, as the library takes them: separated by slashes.
// Terms that the model cannot write are left out, with a warning. Scripts and pronunciations are not used:
// the model knows sounds only by their spelling.
func (l *lexicon) hotwords(vocabularies []vocabulary.Vocabulary) (list string, warnings []string) {
	var terms []string
	for _, v := range vocabularies {
		for _, t := range v.Terms {
			text, ok := l.spell(t.Text)
			if !ok {
				warnings = append(warnings, fmt.Sprintf(
					"the term %q has characters that the model cannot write; it is not used", t.Text))
				continue
			}
			terms = append(terms, fmt.Sprintf("%s :%.2f", text, bonus+weightBonus*t.Weight))
		}
	}
	return strings.Join(terms, "/"), warnings
}

// spell writes a term with the characters that the model has.
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

// writes tells whether a word can be put together from single characters; larger pieces are chosen where they fit.
// Characters that mean something in the library's list of words cannot be used.
func (l *lexicon) writes(word string) bool {
	for i, r := range word {
		if one := string(r); strings.Contains("/:#@", one) || !l.has[one] && !(i == 0 && l.has["▁"+one]) {
			return false
		}
		if i == 0 && !l.has["▁"] && !l.has["▁"+string(r)] {
			return false
		}
	}
	return true
}

// prepare makes a configuration favour words. The library splits them into pieces by ranks, which are the
// numbers of the tokens: pieces that were joined first when the model was made come first. It reads them from a
// file when the model is loaded; done removes it.
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

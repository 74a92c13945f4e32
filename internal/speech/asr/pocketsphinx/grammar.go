package pocketsphinx

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"parley/internal/speech/asr"
)

const (
	edge          = 3 // number of phrases at each end that are optional
	formsOfPhrase = 6
)

// grammar is a finite-state grammar in the format of sphinxbase: states numbered from 0, arcs with an optional word.
type grammar struct {
	states int
	final  int // the state after the last phrase
	arcs   strings.Builder
	words  map[string]string // text by word of the grammar
}

// grammar returns the phrases in sequence, with their pronounceable forms. Up to edge phrases may be missing at the
// beginning and at the end.
func (a *aligner) grammar(phrases []asr.Phrase) *grammar {
	g := &grammar{states: 1, words: map[string]string{}}
	ends := []int{0} // state before each phrase, and after the last one
	for _, p := range phrases {
		if ways := a.sayable(p); len(ways) > 0 {
			ends = append(ends, g.phrase(ends[len(ends)-1], ways, a.names))
		}
	}
	g.final = ends[len(ends)-1]
	for i := 1; i <= min(edge, (len(ends)-1)/2); i++ {
		g.arc(0, ends[i], "")
		g.arc(ends[len(ends)-1-i], g.final, "")
	}
	return g
}

// sayable returns the forms of a phrase whose words are all in the dictionary.
func (a *aligner) sayable(p asr.Phrase) [][]string {
	var ways [][]string
	for _, form := range p.Forms[:min(len(p.Forms), formsOfPhrase)] {
		known := len(form) > 0
		for _, w := range form {
			known = known && a.names[w] != ""
		}
		if known {
			ways = append(ways, form)
		}
	}
	return ways
}

// phrase adds the forms of a phrase after a state, and returns the state after the phrase.
func (g *grammar) phrase(from int, ways [][]string, names map[string]string) int {
	end := g.state()
	for _, way := range ways {
		at := from
		for i, w := range way {
			to := end
			if i < len(way)-1 {
				to = g.state()
			}
			g.words[names[w]] = w
			g.arc(at, to, names[w])
			at = to
		}
	}
	return end
}

func (g *grammar) state() int {
	g.states++
	return g.states - 1
}

func (g *grammar) arc(from, to int, word string) {
	fmt.Fprintf(&g.arcs, "TRANSITION %d %d 1.0 %s\n", from, to, word)
}

// String returns the grammar in its file format.
func (g *grammar) String() string {
	return fmt.Sprintf("FSG_BEGIN <text>\nNUM_STATES %d\nSTART_STATE 0\nFINAL_STATE %d\n%sFSG_END\n", g.states, g.final,
		&g.arcs)
}

// follow makes the decoder search with a grammar.
func (d *decoder) follow(grammar string) error {
	r, path, err := piped(func(w io.Writer) { io.WriteString(w, grammar) })
	if err != nil {
		return err
	}
	defer r.Close()
	fsg := d.lib.readGrammar(path, d.lib.logMath(d.ps), 1)
	if fsg == 0 {
		return errors.New("invalid grammar")
	}
	defer d.lib.freeGrammar(fsg) // the search holds a reference
	if d.lib.giveGrammar(d.ps, expected, fsg) < 0 || d.lib.setSearch(d.ps, expected) < 0 {
		return errors.New("the grammar has words that are not in the dictionary")
	}
	return nil
}

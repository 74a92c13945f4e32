package pocketsphinx

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"parley/internal/speech/asr"
)

const (
	edge          = 3 // phrases at each end that need not be said
	formsOfPhrase = 6
)

// grammar is a finite-state grammar as sphinxbase reads it: states from 0 on, arcs with a word or none.
type grammar struct {
	states int
	final  int // behind the last phrase
	arcs   strings.Builder
	words  map[string]string // text of each word in it
}

// grammar returns the phrases in a row, with what can be said of them. Phrases at both ends may be missing, the
// outer ones first.
func (a *aligner) grammar(phrases []asr.Phrase) *grammar {
	g := &grammar{states: 1, words: map[string]string{}}
	ends := []int{0} // state before each phrase, and behind the last one
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

// sayable returns the ways of saying a phrase whose words are all in the dictionary.
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

// phrase adds the ways of saying a phrase behind a state, and returns the state behind it.
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

// String returns the grammar as a file.
func (g *grammar) String() string {
	return fmt.Sprintf("FSG_BEGIN <text>\nNUM_STATES %d\nSTART_STATE 0\nFINAL_STATE %d\n%sFSG_END\n", g.states, g.final,
		&g.arcs)
}

// follow makes the decoder search for a grammar. It goes through a pipe, as it is what callers said.
func (d *decoder) follow(grammar string) error {
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	defer r.Close()
	go func() {
		defer w.Close()
		w.WriteString(grammar) // cut short, it is refused
	}()
	fsg := d.lib.readGrammar(fmt.Sprintf("/dev/fd/%d", r.Fd()), d.lib.logMath(d.ps), 1)
	if fsg == 0 {
		return errors.New("it is no grammar")
	}
	defer d.lib.freeGrammar(fsg) // the search keeps it
	if d.lib.giveGrammar(d.ps, expected, fsg) < 0 || d.lib.setSearch(d.ps, expected) < 0 {
		return errors.New("it has words that are not in the dictionary")
	}
	return nil
}

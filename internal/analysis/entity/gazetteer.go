package entity

import (
	"bufio"
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"io"
	"strings"
	"sync"

	"parley/internal/words/phrase"
)

// Known is what a name may be the name of, and what else it may be.
type Known uint8

// The kinds of names.
const (
	FirstName Known = 1 << iota
	Surname         // or a well known person
	Place           // a city, country, mountain and so on
	Company         // or another organization
	Common          // it is an ordinary word as well
)

// letters are how kinds are written in a gazetteer.
const letters = "fspoc"

// Gazetteer is a list of names. It is immutable and may be used by many goroutines.
type Gazetteer struct {
	names map[string]Known // by folded name
	heads map[string]int   // first words, and how many words the longest name has that begins so
}

//go:embed names.tsv.gz
var packed []byte

// Load returns the gazetteer that is built in. It is read once a process, which takes a few tens of milliseconds, and
// shared.
func Load() (*Gazetteer, error) { return builtIn() }

var builtIn = sync.OnceValues(func() (*Gazetteer, error) { return ReadGazetteer(bytes.NewReader(packed)) })

// ReadGazetteer reads lines of a name as it is written and letters of what it is, separated by a tab, packed by gzip.
// The letters are f (first name), s (surname), p (place), o (organization), c (a common word as well).
func ReadGazetteer(r io.Reader) (*Gazetteer, error) {
	unpacked, err := gzip.NewReader(r)
	if err != nil {
		return nil, fmt.Errorf("gazetteer: %w", err)
	}
	g := &Gazetteer{names: make(map[string]Known, 1<<15), heads: make(map[string]int, 1<<15)}
	lines := bufio.NewScanner(unpacked)
	var words []string
	for lines.Scan() {
		name, kinds, ok := strings.Cut(lines.Text(), "\t")
		words = words[:0]
		for part := range strings.FieldsSeq(strings.ToLower(name)) {
			words = phrase.Append(words, part)
		}
		if !ok || len(words) == 0 {
			return nil, fmt.Errorf("gazetteer: line %q has no name or no kinds", lines.Text())
		}
		var known Known
		for _, letter := range kinds {
			at := strings.IndexRune(letters, letter)
			if at < 0 {
				return nil, fmt.Errorf("gazetteer: name %q is of unknown kind %q", name, letter)
			}
			known |= 1 << at
		}
		key := strings.Join(words, " ")
		g.names[key] |= known
		g.heads[words[0]] = max(g.heads[words[0]], len(words))
	}
	return g, lines.Err()
}

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

// NameKinds is the set of kinds that a name may have, and whether it is also an ordinary word.
type NameKinds uint8

// The kinds of names.
const (
	FirstName NameKinds = 1 << iota
	Surname             // or a well-known person
	Place               // a city, country, mountain and so on
	Company             // or another organization
	Common              // also an ordinary word
)

// letters are the codes of the kinds in a gazetteer file.
const letters = "fspoc"

// Gazetteer is a list of names. It is immutable and safe for concurrent use.
type Gazetteer struct {
	names map[string]NameKinds // by folded name
	heads map[string]int       // first words, with the number of words of the longest name that begins with them
}

//go:embed names.tsv.gz
var packed []byte

// Load returns the built-in gazetteer. It is read once per process, which takes a few tens of milliseconds, and shared.
func Load() (*Gazetteer, error) { return builtIn() }

var builtIn = sync.OnceValues(func() (*Gazetteer, error) { return ReadGazetteer(bytes.NewReader(packed)) })

// ReadGazetteer reads gzip-compressed lines of a name, a tab, and the letters of its kinds: f (first name), s
// (surname), p (place), o (organization), c (also a common word).
func ReadGazetteer(r io.Reader) (*Gazetteer, error) {
	unpacked, err := gzip.NewReader(r)
	if err != nil {
		return nil, fmt.Errorf("gazetteer: %w", err)
	}
	g := &Gazetteer{names: make(map[string]NameKinds, 1<<15), heads: make(map[string]int, 1<<15)}
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
		var known NameKinds
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

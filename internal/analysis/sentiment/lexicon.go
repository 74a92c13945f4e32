package sentiment

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Lexicon knows the valence of words, -4 (very negative) to 4 (very positive).
type Lexicon struct{ entries map[string]entry }

// entry is what is known of a word.
type entry struct {
	known   float64 // mean of the lists that have it; 0: none does
	side    float64 // -1, 0, 1: the list of positive and negative words
	guessed float64 // from the words used like it
}

// known returns the valence that lists give a word.
func (l *Lexicon) known(w string) float64 { return l.entries[w].known }

func (l *Lexicon) side(w string) float64 { return l.entries[w].side }

// guess returns the valence of the words that are used like a word.
func (l *Lexicon) guess(w string) float64 { return l.entries[w].guessed }

// unknown returns the guess for a word that no list has.
func (l *Lexicon) unknown(w string) float64 {
	if e := l.entries[w]; e.known == 0 {
		return e.guessed
	}
	return 0
}

// value returns the best that is known of a word.
func (l *Lexicon) value(w string) float64 {
	if e := l.entries[w]; e.known != 0 {
		return e.known
	}
	return .6 * l.entries[w].guessed
}

// ReadLexicon reads lines of word, known, side and guessed valence, the latter in hundredths, separated by
// tabs and packed by gzip.
func ReadLexicon(r io.Reader) (*Lexicon, error) {
	unpacked, err := gzip.NewReader(r)
	if err != nil {
		return nil, fmt.Errorf("lexicon: %w", err)
	}
	l := &Lexicon{entries: map[string]entry{}}
	lines := bufio.NewScanner(unpacked)
	for lines.Scan() {
		f := strings.Split(lines.Text(), "\t")
		if len(f) != 4 {
			return nil, fmt.Errorf("lexicon: line %q has %d fields, want 4", lines.Text(), len(f))
		}
		var n [3]int
		for i := range n {
			if n[i], err = strconv.Atoi(f[i+1]); err != nil {
				return nil, fmt.Errorf("lexicon: word %q: %w", f[0], err)
			}
		}
		l.entries[f[0]] = entry{float64(n[0]) / 100, float64(n[1]), float64(n[2]) / 100}
	}
	return l, lines.Err()
}

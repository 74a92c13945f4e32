package sentiment

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// Lexicon maps words to valences, from -4 (very negative) to 4 (very positive).
type Lexicon struct{ entries map[string]entry }

// entry holds the valences of a word from several sources.
type entry struct {
	rules   float64 // lexicon of the rules; 0: absent
	known   float64 // mean of the lists that have the word; 0: absent
	side    float64 // list of positive and negative words
	guessed float64 // predicted from words with similar use
}

// of returns the entry of a phrase: all sources have the same value.
func of(v float64) entry { return entry{v, v, v, v} }

// readings are functions that combine the valences of an entry into one.
var readings = []func(entry) float64{
	func(e entry) float64 { return e.rules },
	func(e entry) float64 { return e.known },
	func(e entry) float64 { return e.side },
	func(e entry) float64 { return beyond(e.guessed, .4) },
	func(e entry) float64 { return e.mixed(.5, .4, .8) },
	func(e entry) float64 { return e.mixed(.4, .6, 1) },
}

// mixed returns a weighted mean of the known and the predicted valence. For unknown words it returns a share of the
// prediction, if that exceeds a threshold.
func (e entry) mixed(guessed, threshold, share float64) float64 {
	if e.known != 0 {
		return (1-guessed)*e.known + guessed*e.guessed
	}
	return share * beyond(e.guessed, threshold)
}

// beyond returns the amount by which v exceeds a threshold in absolute value; below it, 0.
func beyond(v, threshold float64) float64 {
	return math.Copysign(max(0, math.Abs(v)-threshold), v)
}

const sided = 1.8 // valence of words in lists that give only a side

// ReadLexicon reads gzip-compressed lines of word, valence of the rules, known valence, side and predicted valence,
// separated by tabs. Valences are in hundredths.
func ReadLexicon(r io.Reader) (*Lexicon, error) {
	unpacked, err := gzip.NewReader(r)
	if err != nil {
		return nil, fmt.Errorf("lexicon: %w", err)
	}
	l := &Lexicon{entries: make(map[string]entry, 1<<15)}
	lines := bufio.NewScanner(unpacked)
	for lines.Scan() {
		f := strings.Split(lines.Text(), "\t")
		if len(f) != 5 {
			return nil, fmt.Errorf("lexicon: line %q has %d fields, want 5", lines.Text(), len(f))
		}
		var n [4]int
		for i := range n {
			if n[i], err = strconv.Atoi(f[i+1]); err != nil {
				return nil, fmt.Errorf("lexicon: word %q: %w", f[0], err)
			}
		}
		l.entries[f[0]] = entry{float64(n[0]) / 100, float64(n[1]) / 100, sided * float64(n[2]), float64(n[3]) / 100}
	}
	return l, lines.Err()
}

package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"parley/internal/analysis/knowledge"
)

// synset is one sense of nouns.
type synset struct {
	words  []string // as written, spaces for underscores
	above  []string // offsets of hypernyms, also of instances
	fields []string // offsets of the categories it belongs to
	living bool     // plant or animal
	proper bool     // an instance: a name
}

// lemma is a base form in WordNet.
type lemma struct {
	// counts by n, v, a: frequency in WordNet's tagged texts, plus a little for each sense.
	counts  map[byte]float64
	senses  []string // noun synsets, the most frequent first
	written string   // spelling in a noun synset
}

type wordNet struct {
	nouns  map[string]*synset // by offset
	lemmas map[string]*lemma  // folded, with spaces
	forms  []knowledge.Irregular
	tags   map[string]map[int]float64 // noun lemma: count by sense number
}

// each calls f with the lines of a WordNet file, skipping its licence.
func each(folder, name string, f func(line string) error) error {
	file, err := os.Open(filepath.Join(folder, name))
	if err != nil {
		return err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "  ") {
			continue
		}
		if err := f(lines.Text()); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return lines.Err()
}

func readWordNet(folder string) (*wordNet, error) {
	n := &wordNet{nouns: map[string]*synset{}, lemmas: map[string]*lemma{}, tags: map[string]map[int]float64{}}
	if err := each(folder, "data.noun", n.addSynset); err != nil {
		return nil, err
	}
	for _, kind := range []struct {
		file string
		as   byte
	}{{"noun", 'n'}, {"verb", 'v'}, {"adj", 'a'}, {"adv", 'a'}} {
		if err := each(folder, "index."+kind.file, func(line string) error {
			return n.addLemma(line, kind.as)
		}); err != nil {
			return nil, err
		}
	}
	if err := each(folder, "cntlist.rev", n.addCount); err != nil {
		return nil, err
	}
	for _, kind := range []string{"noun", "verb", "adj"} {
		if err := each(folder, kind+".exc", n.addForm); err != nil {
			return nil, err
		}
	}
	return n, nil
}

// addSynset parses a line of data.noun; see wndb(5WN).
func (n *wordNet) addSynset(line string) error {
	f := strings.Fields(line)
	count, err := strconv.ParseInt(f[3], 16, 32)
	if err != nil {
		return err
	}
	s := &synset{living: f[1] == "05" || f[1] == "20"}
	at := 4
	for range count {
		s.words = append(s.words, strings.ReplaceAll(f[at], "_", " "))
		at += 2
	}
	pointers, err := strconv.Atoi(f[at])
	if err != nil {
		return err
	}
	at++
	for range pointers {
		symbol, target := f[at], f[at+1]
		switch symbol {
		case "@", "@i":
			s.above = append(s.above, target)
			s.proper = s.proper || symbol == "@i"
		case ";c":
			s.fields = append(s.fields, target)
		}
		at += 4
	}
	n.nouns[f[0]] = s
	return nil
}

func (n *wordNet) lemma(word string) *lemma {
	l := n.lemmas[word]
	if l == nil {
		l = &lemma{counts: map[byte]float64{}, written: word}
		n.lemmas[word] = l
	}
	return l
}

// ofSense is added to the count of a lemma for each sense, because a sense may exist without occurring in the tagged
// texts.
const ofSense = .4

// addLemma parses a line of an index file.
func (n *wordNet) addLemma(line string, as byte) error {
	f := strings.Fields(line)
	senses, err := strconv.Atoi(f[2])
	if err != nil {
		return err
	}
	word := strings.ReplaceAll(f[0], "_", " ")
	l := n.lemma(word)
	l.counts[as] += ofSense * float64(senses)
	if as == 'n' {
		l.senses = f[len(f)-senses:]
		for _, w := range n.nouns[l.senses[0]].words {
			if strings.EqualFold(w, word) {
				l.written = w
			}
		}
	}
	return nil
}

// addCount parses a line such as "abandon%2:31:00:: 5 4": sense key, sense number, count.
func (n *wordNet) addCount(line string) error {
	f := strings.Fields(line)
	word, key, ok := strings.Cut(f[0], "%")
	count, err := strconv.ParseFloat(f[2], 64)
	if err != nil || !ok {
		return fmt.Errorf("line %q: %v", line, err)
	}
	as := map[byte]byte{'1': 'n', '2': 'v', '3': 'a', '4': 'a', '5': 'a'}[key[0]]
	word = strings.ReplaceAll(word, "_", " ")
	n.lemma(word).counts[as] += count
	if as == 'n' {
		sense, err := strconv.Atoi(f[1])
		if err != nil {
			return err
		}
		if n.tags[word] == nil {
			n.tags[word] = map[int]float64{}
		}
		n.tags[word][sense] = count
	}
	return nil
}

func (n *wordNet) addForm(line string) error {
	f := strings.Fields(line)
	if len(f) >= 2 && f[0] != f[1] && !strings.ContainsAny(line, "_-./") {
		n.forms = append(n.forms, knowledge.Irregular{Form: f[0], Lemma: f[1]})
	}
	return nil
}

// shares returns the share of each sense in the uses of a noun, in the order of the senses; the sum is 1.
func (n *wordNet) shares(word string) []float64 {
	l := n.lemmas[word]
	shares, sum := make([]float64, len(l.senses)), 0.
	for i := range shares {
		shares[i] = n.tags[word][i+1] + 1/float64(i+1)
		sum += shares[i]
	}
	for i := range shares {
		shares[i] /= sum
	}
	return shares
}

// irregular returns the irregular forms of words in use.
func (n *wordNet) irregular(space *space) []knowledge.Irregular {
	var kept []knowledge.Irregular
	seen := map[string]bool{}
	for _, f := range n.forms {
		_, common := space.rank[f.Form]
		if n.lemmas[f.Lemma] != nil && common && !seen[f.Form] {
			seen[f.Form] = true
			kept = append(kept, f)
		}
	}
	return kept
}

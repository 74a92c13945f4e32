package main

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"math"
	"os"
	"strings"

	"parley/internal/words/phrase"
)

const (
	dimensions = 100
	frequent   = 80_000 // number of most frequent words of the vectors that count as in use
	similar    = 30_000 // number of most frequent words that may get a subtopic by their vectors
)

// space holds the vectors of words in use.
type space struct {
	words []string       // the most frequent first
	rank  map[string]int // of words, from 0
	rows  map[string][]float64
}

func readVectors(path string) (*space, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var all struct {
		Words   []string             `json:"words"`
		Vectors map[string][]float32 `json:"vectors"`
	}
	if err := json.NewDecoder(bufio.NewReaderSize(file, 1<<20)).Decode(&all); err != nil {
		return nil, err
	}
	s := &space{words: all.Words[:frequent], rank: map[string]int{}, rows: map[string][]float64{}}
	for i, w := range s.words {
		s.rank[w] = i
		if v, ok := all.Vectors[w]; ok {
			row := make([]float64, dimensions)
			for k := range row {
				row[k] = float64(v[k])
			}
			s.rows[w] = row
		}
	}
	s.centre()
	return s, nil
}

// centre removes the common component from all vectors (Mu and Viswanath, "All-but-the-Top", ICLR 2018) and scales them
// to length 1.
func (s *space) centre() {
	mean := make([]float64, dimensions)
	for _, w := range s.words {
		for k, x := range s.rows[w] {
			mean[k] += x / float64(len(s.rows))
		}
	}
	for _, row := range s.rows {
		for k := range row {
			row[k] -= mean[k]
		}
		unit(row)
	}
}

func unit(v []float64) []float64 {
	length := 0.
	for _, x := range v {
		length += x * x
	}
	for i := range v {
		v[i] /= math.Sqrt(max(length, 1e-12))
	}
	return v
}

func dot(a, b []float64) (sum float64) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

// talk counts the words of conversations.
type talk struct {
	counts map[string]float64
	all    float64
}

func countTalk(paths []string) (*talk, error) {
	t := &talk{counts: map[string]float64{}}
	for _, path := range paths {
		if err := t.add(path); err != nil {
			return nil, err
		}
	}
	return t, nil
}

func (t *talk) add(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(unpacked)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		text := lines.Text()
		for _, w := range phrase.Words(text[strings.LastIndexByte(text, '\t')+1:]) {
			t.counts[w]++
			t.all++
		}
	}
	return lines.Err()
}

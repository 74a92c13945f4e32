package main

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/jonreiter/govader"
	"gonum.org/v1/gonum/mat"
)

const (
	frequent = 60_000 // number of most frequent words whose vectors are used for training
	kept     = 60_000 // number of words that get a prediction
	grammar  = 150    // number of most frequent words, which get no prediction
	neutral  = 5_000  // words outside all lists that are assumed to be neutral in training
	waves    = 1_000  // random Fourier features of the kernel
	penalty  = .3
	weak     = .4  // weaker predictions are dropped
	sided    = 1.8 // valence of words in lists that give only a side
)

// lists holds the words with human ratings.
type lists struct {
	rules map[string]float64 // valence in the lexicon of the rules
	known map[string]float64 // mean valence
	side  map[string]int
}

// makeLexicon writes the known and predicted valences of words.
func makeLexicon(vectors, folder, out string) error {
	judged, err := readLists(folder)
	if err != nil {
		return err
	}
	words, rows, err := readVectors(vectors)
	if err != nil {
		return err
	}
	guesses, err := guess(words, rows, judged)
	if err != nil {
		return err
	}
	lines := map[string]string{}
	for w, v := range judged.known {
		lines[w] = fmt.Sprintf("%s\t%d\t%d\t%d\t%d", w, cents(judged.rules[w]), cents(v), judged.side[w],
			cents(guesses[w]))
	}
	for i, w := range words[:min(kept, len(words))] {
		if _, done := lines[w]; !done && i >= grammar && math.Abs(guesses[w]) >= weak && plainWord.MatchString(w) {
			lines[w] = fmt.Sprintf("%s\t0\t0\t0\t%d", w, cents(guesses[w]))
		}
	}
	return writeLines(out, lines)
}

var plainWord = regexp.MustCompile(`^[a-z]+$`)

func cents(v float64) int { return int(math.Round(v * 100)) }

func writeLines(out string, lines map[string]string) error {
	sorted := slices.Sorted(maps.Values(lines))
	file, err := os.Create(out)
	if err != nil {
		return err
	}
	packed, err := gzip.NewWriterLevel(file, gzip.BestCompression)
	if err != nil {
		return err
	}
	for _, line := range sorted {
		fmt.Fprintln(packed, line)
	}
	if err := packed.Close(); err != nil {
		return err
	}
	return file.Close()
}

// readLists merges the lexicon of the rules, AFINN and the lists of positive and negative opinion words.
func readLists(folder string) (*lists, error) {
	l := &lists{rules: govader.NewSentimentIntensityAnalyzer().Lexicon, known: map[string]float64{},
		side: map[string]int{}}
	said := map[string][]float64{}
	for w, v := range l.rules {
		said[w] = append(said[w], v)
	}
	afinn, err := os.ReadFile(filepath.Join(folder, "afinn.js"))
	if err != nil {
		return nil, err
	}
	for _, f := range regexp.MustCompile(`(?:'([^']+)'|(\w+)): (-?\d)`).FindAllStringSubmatch(string(afinn), -1) {
		v, _ := strconv.Atoi(f[3])
		said[f[1]+f[2]] = append(said[f[1]+f[2]], .9*float64(v))
	}
	for name, side := range map[string]int{"positive.txt": 1, "negative.txt": -1} {
		data, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			return nil, err
		}
		for _, w := range strings.Fields(string(data)) {
			said[w], l.side[w] = append(said[w], sided*float64(side)), side
		}
	}
	for w, values := range said {
		for _, v := range values {
			l.known[w] += v / float64(len(values))
		}
	}
	return l, nil
}

// readVectors reads the vectors of the most frequent words, scaled to length 1.
func readVectors(path string) ([]string, [][]float64, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	var all struct {
		Words   []string             `json:"words"`
		Vectors map[string][]float32 `json:"vectors"`
	}
	if err := json.NewDecoder(bufio.NewReaderSize(file, 1<<20)).Decode(&all); err != nil {
		return nil, nil, err
	}
	var words []string
	var rows [][]float64
	for _, w := range all.Words[:frequent] {
		v, ok := all.Vectors[w]
		if !ok {
			continue
		}
		row, length := make([]float64, 100), 0.0
		for i := range row {
			row[i] = float64(v[i])
			length += row[i] * row[i]
		}
		for i := range row {
			row[i] /= math.Sqrt(length)
		}
		words, rows = append(words, w), append(rows, row)
	}
	return words, rows, nil
}

// guess trains a regression from word vectors to valences, on rated words and on some unrated ones that are assumed to
// be neutral, and applies it to all words. The kernel is Gaussian, approximated by random Fourier features (Rahimi and
// Recht, NIPS 2007).
func guess(words []string, rows [][]float64, judged *lists) (map[string]float64, error) {
	random := rand.New(rand.NewPCG(1, 2))
	project := wave(random, len(rows[0]))
	gram, target := mat.NewSymDense(waves+1, nil), mat.NewVecDense(waves+1, nil)
	learn := func(i int, valence float64) {
		z := mat.NewVecDense(waves+1, project(rows[i]))
		gram.SymRankOne(gram, 1, z)
		target.AddScaledVec(target, valence, z)
	}
	var others []int
	for i, w := range words {
		if v, ok := judged.known[w]; ok {
			learn(i, v)
		} else if i < 20_000 && plainWord.MatchString(w) {
			others = append(others, i)
		}
	}
	random.Shuffle(len(others), func(i, j int) { others[i], others[j] = others[j], others[i] })
	for _, i := range others[:neutral] {
		learn(i, 0)
	}
	solved, err := ridge(gram, target, penalty)
	if err != nil {
		return nil, err
	}
	guesses := map[string]float64{}
	for i, w := range words {
		guesses[w] = mat.Dot(solved, mat.NewVecDense(waves+1, project(rows[i])))
	}
	return guesses, nil
}

// wave returns a function that computes random Fourier features of exp(-|x-y|²) and a constant.
func wave(random *rand.Rand, dimensions int) func([]float64) []float64 {
	directions, phases := make([][]float64, waves), make([]float64, waves)
	for i := range directions {
		directions[i] = make([]float64, dimensions)
		for k := range directions[i] {
			directions[i][k] = random.NormFloat64() * math.Sqrt2
		}
		phases[i] = random.Float64() * 2 * math.Pi
	}
	return func(row []float64) []float64 {
		z := make([]float64, waves+1)
		for i, d := range directions {
			sum := phases[i]
			for k, x := range row {
				sum += d[k] * x
			}
			z[i] = math.Cos(sum) * math.Sqrt(2./waves)
		}
		z[waves] = 1
		return z
	}
}

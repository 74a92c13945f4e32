package classify

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"parley/internal/words/packed"
	"parley/internal/words/transcript"
)

// Model classifies texts by their words. It is immutable and safe for concurrent use. It keeps only hashes of features
// of the texts that it was trained on.
type Model struct {
	labels     []string
	vocabulary *vocabulary
	weights    matrix // a row for each feature and one for the bias; two classes share one column
	scale      scale

	packed  []int8    // weights in units of 1/127 of the largest in their row
	largest []float32 // of each row
}

// Labels returns the labels of the classes, sorted.
func (m *Model) Labels() []string { return m.labels }

// Judge returns the probability of each class of a conversation.
func (m *Model) Judge(t *transcript.Transcript) []float64 { return m.Probabilities(Spoken(t)) }

// Probabilities returns the probability of each class of a text, given its folded words.
func (m *Model) Probabilities(text []string) []float64 {
	return m.scale.probabilities(m.margins(read(text)))
}

func (m *Model) margins(r *reading) []float32 {
	margins := make([]float32, m.columns())
	x := m.vocabulary.vector(r)
	if m.packed == nil {
		m.weights.margins(x, margins)
		return margins
	}
	for i, f := range x.features {
		times := x.values[i] * m.largest[f] / math.MaxInt8
		row := m.packed[int(f)*len(margins) : (int(f)+1)*len(margins)]
		for c := range margins[:len(row)] {
			margins[c] += times * float32(row[c])
		}
	}
	return margins
}

func (m *Model) columns() int {
	if len(m.labels) == 2 {
		return 1
	}
	return len(m.labels)
}

// pack quantizes the weights to bytes.
func (m *Model) pack() {
	rows := len(m.weights.cells) / m.weights.columns
	m.packed, m.largest = make([]int8, len(m.weights.cells)), make([]float32, rows)
	for i := range rows {
		row := m.weights.row(int32(i))
		for _, w := range row {
			m.largest[i] = max(m.largest[i], float32(math.Abs(float64(w))))
		}
		for c, w := range row {
			if m.largest[i] > 0 {
				m.packed[i*len(row)+c] = int8(math.Round(float64(w / m.largest[i] * math.MaxInt8)))
			}
		}
	}
	m.weights = matrix{}
}

// format is the version of the binary form.
const format = 1

var errModel = errors.New("the stored model is truncated or corrupt")

// Append appends the binary form of a model: version, labels, scale, vocabulary and weights. Hashes are stored as
// differences.
func (m *Model) Append(to []byte) []byte {
	to = append(to, format)
	to = binary.AppendUvarint(to, uint64(len(m.labels)))
	for _, l := range m.labels {
		to = binary.AppendUvarint(to, uint64(len(l)))
		to = append(to, l...)
	}
	to = binary.LittleEndian.AppendUint64(to, math.Float64bits(m.scale.slope))
	to = binary.LittleEndian.AppendUint64(to, math.Float64bits(m.scale.shift))
	for _, hashes := range m.vocabulary.hashes {
		to = binary.AppendUvarint(to, uint64(len(hashes)))
		before := uint64(0)
		for _, h := range hashes {
			to = binary.AppendUvarint(to, h-before)
			before = h
		}
	}
	for _, list := range [][]float32{m.vocabulary.rarity, m.largest} {
		for _, v := range list {
			to = binary.LittleEndian.AppendUint32(to, math.Float32bits(v))
		}
	}
	for _, w := range m.packed {
		to = append(to, byte(w))
	}
	return to
}

// Parse reads the output of Append, of this version or an earlier one.
func Parse(data []byte) (*Model, error) {
	if len(data) == 0 || data[0] == 0 {
		return nil, errModel
	}
	if data[0] > format {
		return nil, fmt.Errorf("the model has format %d, but this version reads formats up to %d; use a newer version",
			data[0], format)
	}
	p := &parser{packed.Reader{Rest: data[1:]}}
	m := &Model{}
	for range p.Count(1) {
		m.labels = append(m.labels, p.Text())
	}
	m.scale = scale{p.float64(), p.float64()}
	var hashes [kinds][]uint64
	features := 0
	for k := range hashes {
		before := uint64(0)
		for range p.Count(1) {
			before += p.Uvarint()
			hashes[k] = append(hashes[k], before)
		}
		features += len(hashes[k])
	}
	rarity := p.floats(features)
	m.largest = p.floats(features + 1)
	for _, b := range p.Take((features + 1) * m.columns()) {
		m.packed = append(m.packed, int8(b))
	}
	if p.Broken || len(p.Rest) > 0 || len(m.labels) < 2 || len(m.labels) > MaxLabels {
		return nil, errModel
	}
	m.vocabulary = newVocabulary(hashes, rarity)
	return m, nil
}

// parser reads values of a model.
type parser struct{ packed.Reader }

func (p *parser) float64() float64 {
	b := p.Take(8)
	if b == nil {
		return 0
	}
	v := math.Float64frombits(binary.LittleEndian.Uint64(b))
	if !finite(v) {
		p.Break()
	}
	return v
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

func (p *parser) floats(n int) []float32 {
	data := p.Take(4 * n)
	if data == nil {
		return nil
	}
	list := make([]float32, n)
	for i := range list {
		list[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
		if !finite(float64(list[i])) {
			p.Break()
		}
	}
	return list
}

package punctuation

import (
	"compress/gzip"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// slots is the size of a model's hash table.
const slots = 1 << 19

// learnt is the number of marks with their own weights; None is the reference, with weights of zero.
const learnt = int(marks) - 1

// Model scores the marks after a word: a log-linear model over features. A feature, a 32-bit hash, is stored in one
// of two adjacent slots of a table together with 8 check bits, so that one in a few hundred unknown features is
// mistaken for a known one.
type Model struct {
	bias  points
	table []slot
	exp   []float64 // of −0, −1, −2 … points, until negligible relative to 1
}

// points are unnormalised log probabilities of the marks after a word, in units of 1/unit.
type points [marks]int32

const unit = 24

// newModel returns a model without features.
func newModel(bias points) *Model {
	m := &Model{bias: bias, table: make([]slot, slots), exp: make([]float64, 12*unit)}
	for i := range m.exp {
		m.exp[i] = math.Exp(-float64(i) / unit)
	}
	return m
}

type slot struct {
	check   uint8 // 0: empty
	weights [learnt]int8
}

// place returns the first slot of a feature and its check bits.
func place(feature uint32) (at uint32, check uint8) {
	return feature % slots, uint8(feature>>24) | 1
}

// sum adds the weights of the features.
func (m *Model) sum(features []uint32, p *points) {
	for _, f := range features {
		at, check := place(f)
		found := &m.table[at]
		if found.check != check {
			if found = &m.table[at^1]; found.check != check {
				continue
			}
		}
		p[Comma] += int32(found.weights[0])
		p[Period] += int32(found.weights[1])
		p[Question] += int32(found.weights[2])
	}
}

// normalize converts points to log probabilities.
func (m *Model) normalize(p *points) scores {
	top := max(p[0], p[1], p[2], p[3])
	sum := 0.0
	for _, v := range p {
		if below := int(top - v); below < len(m.exp) {
			sum += m.exp[below]
		}
	}
	rest := 0.0
	if sum != 1 {
		rest = math.Log(sum)
	}
	var s scores
	for k, v := range p {
		s[k] = float64(v-top)/unit - rest
	}
	return s
}

// FeatureWeights is a feature with its weights for comma, period and question mark.
type FeatureWeights struct {
	Feature uint32
	Weights [3]float32
}

// NewModel builds a model. Weights are rounded to 8 bits; if features collide, the earlier one is kept.
func NewModel(features []FeatureWeights) *Model {
	m := newModel(points{})
	for _, f := range features {
		at, check := place(f.Feature)
		if m.table[at].check != 0 {
			at ^= 1
		}
		s := slot{check: check}
		for k, w := range f.Weights {
			s.weights[k] = int8(max(-127, min(127, math.Round(float64(w)*unit))))
		}
		if m.table[at].check == 0 && s.weights != [learnt]int8{} {
			m.table[at] = s
		}
	}
	return m
}

// Shifted returns the model with a constant added to the score of each mark, which trades precision for recall.
func (m *Model) Shifted(comma, period, question float64) *Model {
	shifted := *m
	for i, v := range []float64{comma, period, question} {
		shifted.bias[i+1] = int32(math.Round(v * unit))
	}
	return &shifted
}

const magic = "parley punctuation 1\n"

// Write writes the model in the format of ReadModel.
func (m *Model) Write(w io.Writer) error {
	z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	_, err = io.WriteString(z, magic)
	return errors.Join(err, binary.Write(z, binary.LittleEndian, m.bias),
		binary.Write(z, binary.LittleEndian, m.columns()), z.Close())
}

// ReadModel reads a model.
func ReadModel(r io.Reader) (*Model, error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, fmt.Errorf("punctuation model: %w", err)
	}
	first := make([]byte, len(magic))
	if _, err := io.ReadFull(z, first); err != nil || string(first) != magic {
		return nil, errors.New("punctuation model: the file has another format or version")
	}
	var bias points
	if err := binary.Read(z, binary.LittleEndian, &bias); err != nil {
		return nil, fmt.Errorf("punctuation model: %w", err)
	}
	columns := make([]uint8, slots*(1+learnt))
	if _, err := io.ReadFull(z, columns); err != nil {
		return nil, fmt.Errorf("punctuation model: %w", err)
	}
	if n, err := z.Read(first); n != 0 || err != io.EOF { // reading to the end verifies the checksum
		return nil, errors.New("punctuation model: data after the end, or a wrong checksum")
	}
	m := newModel(bias)
	for i := range m.table {
		m.table[i].check = columns[i]
		for k := range learnt {
			m.table[i].weights[k] = int8(columns[(k+1)*slots+i])
		}
	}
	return m, nil
}

// columns returns the table by columns, which compresses better.
func (m *Model) columns() []uint8 {
	columns := make([]uint8, slots*(1+learnt))
	for i, s := range m.table {
		columns[i] = s.check
		for k, w := range s.weights {
			columns[(k+1)*slots+i] = uint8(w)
		}
	}
	return columns
}

//go:embed model.bin.gz
var modelFile []byte

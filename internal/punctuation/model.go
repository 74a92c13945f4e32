package punctuation

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// slots is the size of a model's table.
const slots = 1 << 19

// learnt is the number of marks with weights of their own; None is the reference with weights of zero.
const learnt = int(marks) - 1

// Model gives each mark behind a word a score: a log-linear model over features. A feature, a hash of 32
// bits, has its place in one of two neighbouring slots of a table; 8 further bits of it are kept there, so
// that one feature in a few hundred that was never learnt is mistaken for one that was.
type Model struct {
	bias  scores
	scale float64
	table []slot
}

type slot struct {
	check   uint8 // 0: empty
	weights [learnt]int8
}

// place returns the first slot of a feature and what is kept there.
func place(feature uint32) (at uint32, check uint8) {
	return feature % slots, uint8(feature>>24) | 1
}

// sum adds the weights of the features to the scores.
func (m *Model) sum(features []uint32, s *scores) {
	var total [learnt]int32
	for _, f := range features {
		at, check := place(f)
		found := &m.table[at]
		if found.check != check {
			if found = &m.table[at^1]; found.check != check {
				continue
			}
		}
		total[0] += int32(found.weights[0])
		total[1] += int32(found.weights[1])
		total[2] += int32(found.weights[2])
	}
	for k, v := range total {
		s[k+1] += m.scale * float64(v)
	}
}

// Learnt is a feature with its weights for comma, period and question mark.
type Learnt struct {
	Feature uint32
	Weights [3]float32
}

// NewModel makes a model. Weights are rounded to 8 bits; where features are in each other's way, the
// earlier one is kept.
func NewModel(features []Learnt) *Model {
	m := &Model{scale: 1.0 / 24, table: make([]slot, slots)}
	for _, f := range features {
		at, check := place(f.Feature)
		if m.table[at].check != 0 {
			at ^= 1
		}
		s := slot{check: check}
		for k, w := range f.Weights {
			s.weights[k] = int8(max(-127, min(127, math.Round(float64(w)/m.scale))))
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
	shifted.bias = scores{0, comma, period, question}
	return &shifted
}

const magic = "parley punctuation 1\n"

// header is what precedes the table in a model's file, behind magic; little endian.
type header struct {
	Bias  [marks]float64
	Scale float64
}

// Write writes the model as ReadModel reads it.
func (m *Model) Write(w io.Writer) error {
	z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(z, magic); err != nil {
		return err
	}
	if err := binary.Write(z, binary.LittleEndian, header{m.bias, m.scale}); err != nil {
		return err
	}
	if err := binary.Write(z, binary.LittleEndian, m.columns()); err != nil {
		return err
	}
	return z.Close()
}

// ReadModel reads a model.
func ReadModel(r io.Reader) (*Model, error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, fmt.Errorf("punctuation model: %w", err)
	}
	first := make([]byte, len(magic))
	if _, err := io.ReadFull(z, first); err != nil || string(first) != magic {
		return nil, errors.New("not a punctuation model of this version")
	}
	var h header
	if err := binary.Read(z, binary.LittleEndian, &h); err != nil {
		return nil, fmt.Errorf("punctuation model: %w", err)
	}
	columns := make([]uint8, slots*(1+learnt))
	if _, err := io.ReadFull(z, columns); err != nil {
		return nil, fmt.Errorf("punctuation model: %w", err)
	}
	if n, err := z.Read(first); n != 0 || err != io.EOF { // reaching the end checks the sum
		return nil, errors.New("punctuation model: broken end")
	}
	m := &Model{bias: h.Bias, scale: h.Scale, table: make([]slot, slots)}
	for i := range m.table {
		m.table[i].check = columns[i]
		for k := range learnt {
			m.table[i].weights[k] = int8(columns[(k+1)*slots+i])
		}
	}
	return m, nil
}

// columns lays the table out by columns, which compress better.
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

func embeddedModel() (*Model, error) { return ReadModel(bytes.NewReader(modelFile)) }

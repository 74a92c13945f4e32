package pocketsphinx

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"parley/internal/speech/cmllr"
)

// acousticModel holds the files of the acoustic model: the Gaussians that score a frame. Each phone has one set of
// Gaussians per stream, and its states weight them differently (phonetically tied mixtures).
type acousticModel struct {
	phones    map[string]int                   // by name
	density   int                              // Gaussians per set
	gaussians [][cmllr.Streams][]gaussian      // by phone
	states    int                              // number of states of all phones
	weights   [cmllr.Streams][]byte            // by Gaussian and state: exponents of weightBase
	ways      map[triphone][phoneStates]uint16 // states of phones in context
}

// gaussian has a diagonal covariance.
type gaussian struct {
	mean, variance cmllr.Vector
	norm           float64 // logarithm of what it is multiplied by
}

// triphone is a phone with its left and right neighbours.
type triphone struct {
	phone, before, after, place byte
}

// Positions of a phone in its word, as numbered in the model.
const (
	inside byte = iota
	first
	last
	single
)

const (
	phoneStates   = 3
	weightStep    = 1024 * 0.000099995000333 // natural logarithm of the base, 1.0001^1024
	leastVariance = 1e-4                     // same as in the library
	noPhone       = 0xff
)

// Size limits of model files; larger files are invalid.
const (
	mostPhones    = 128
	mostDensity   = 512
	mostStates    = 1 << 16
	mostTriphones = 1 << 20
	mostSequences = 1 << 17
	largestFile   = 64 << 20
)

var errModel = errors.New("unsupported format of the acoustic model")

// readAcoustic reads the model from a folder.
func readAcoustic(dir string) (*acousticModel, error) {
	m := &acousticModel{}
	for _, part := range []struct {
		name string
		read func([]byte) error
	}{{"mdef", m.readPhones}, {"means", m.readMeans}, {"variances", m.readVariances}, {"sendump", m.readWeights}} {
		data, err := readBounded(filepath.Join(dir, part.name))
		if err == nil {
			err = part.read(data)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", part.name, err)
		}
	}
	return m, nil
}

func readBounded(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Size() > largestFile {
		return nil, errModel
	}
	return os.ReadFile(path)
}

// numberReader reads 32-bit numbers, and records whether the data was too short.
type numberReader struct {
	data  []byte
	short bool
}

func (w *numberReader) bytes(n int) []byte {
	if n < 0 || n > len(w.data) {
		w.short, w.data = true, nil
		return nil
	}
	b := w.data[:n]
	w.data = w.data[n:]
	return b
}

func (w *numberReader) next() int {
	b := w.bytes(4)
	if b == nil {
		return 0
	}
	return int(int32(binary.LittleEndian.Uint32(b)))
}

// readPhones reads the model definition: names of phones, and the states of each phone in context.
func (m *acousticModel) readPhones(data []byte) error {
	w := &numberReader{data: data}
	if string(w.bytes(4)) != "BMDF" {
		return errModel
	}
	w.next() // version
	w.bytes(w.next())
	phones, all, states := w.next(), w.next(), w.next()
	w.next() // states of context-independent phones
	m.states = w.next()
	w.next() // transitions
	sequences, contexts, tree := w.next(), w.next(), w.next()
	w.next() // silence
	if w.short || phones <= 0 || phones > mostPhones || states != phoneStates || contexts != 3 || m.states <= 0 ||
		m.states > mostStates ||
		all < phones || all > mostTriphones || sequences <= 0 || sequences > mostSequences || tree < 0 ||
		tree > mostTriphones {
		return errModel
	}
	m.phones = make(map[string]int, phones)
	length := 0
	for i := range phones {
		name, _, ok := bytes.Cut(w.data, []byte{0})
		if !ok {
			return errModel
		}
		m.phones[string(name)] = i
		w.bytes(len(name) + 1)
		length += len(name) + 1
	}
	w.bytes(-length & 3)
	w.bytes(8 * tree)
	entries := w.bytes(12 * all)
	numbers := w.bytes(4 + 2*phoneStates*sequences)
	if w.short || len(m.phones) != phones {
		return errModel
	}
	return m.readTriphones(phones, entries, numbers[4:])
}

// readTriphones reads entries of phones, and the states of their sequences.
func (m *acousticModel) readTriphones(phones int, entries, numbers []byte) error {
	m.ways = make(map[triphone][phoneStates]uint16, len(entries)/12)
	for i := 0; i < len(entries); i += 12 {
		e := entries[i : i+12]
		t := triphone{e[9], e[10], e[11], e[8]}
		if i/12 < phones {
			t = triphone{byte(i / 12), noPhone, noPhone, 0}
		}
		sequence := int(binary.LittleEndian.Uint32(e))
		at := 2 * phoneStates * sequence
		if sequence < 0 || at+2*phoneStates > len(numbers) {
			return errModel
		}
		var s [phoneStates]uint16
		for j := range s {
			s[j] = binary.LittleEndian.Uint16(numbers[at+2*j:])
			if int(s[j]) >= m.states {
				return errModel
			}
		}
		m.ways[t] = s
	}
	return nil
}

// numbersOf reads a file with a vector for each phone, stream and Gaussian.
func (m *acousticModel) numbersOf(data []byte, take func(phone, stream, gaussian int, v cmllr.Vector) error) error {
	_, data, ok := bytes.Cut(data, []byte("endhdr\n"))
	if !ok {
		return errModel
	}
	w := &numberReader{data: data}
	order := w.next()
	phones, streams, density := w.next(), w.next(), w.next()
	if order != 0x11223344 || phones != len(m.phones) || streams != cmllr.Streams || density <= 0 ||
		density > mostDensity || m.density > 0 && density != m.density {
		return errModel
	}
	m.density = density
	for range streams {
		if w.next() != cmllr.Size {
			return errModel
		}
	}
	if n := w.next(); n != phones*streams*density*cmllr.Size || len(w.data) < 4*n {
		return errModel
	}
	for p := range phones {
		for s := range streams {
			for g := range density {
				var v cmllr.Vector
				for i := range v {
					v[i] = float64(math.Float32frombits(uint32(w.next())))
				}
				if err := take(p, s, g, v); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (m *acousticModel) readMeans(data []byte) error {
	return m.numbersOf(data, func(p, s, g int, v cmllr.Vector) error {
		if p == len(m.gaussians) {
			m.gaussians = append(m.gaussians, [cmllr.Streams][]gaussian{})
		}
		for _, x := range v {
			if !(math.Abs(x) < 1e4) {
				return errModel
			}
		}
		m.gaussians[p][s] = append(m.gaussians[p][s], gaussian{mean: v})
		return nil
	})
}

func (m *acousticModel) readVariances(data []byte) error {
	return m.numbersOf(data, func(p, s, g int, v cmllr.Vector) error {
		norm := 0.0
		for i, x := range v {
			if !(x >= 0 && x < 1e8) {
				return errModel
			}
			v[i] = max(x, leastVariance)
			norm -= math.Log(2*math.Pi*v[i]) / 2
		}
		m.gaussians[p][s][g].variance, m.gaussians[p][s][g].norm = v, norm
		return nil
	})
}

// readWeights reads the weights of all Gaussians in all states.
func (m *acousticModel) readWeights(data []byte) error {
	w := &numberReader{data: data}
	for {
		n := w.next()
		if n == 0 {
			break
		}
		line := strings.TrimRight(string(w.bytes(n)), "\x00")
		if w.short || strings.HasPrefix(line, "cluster_count") && line != "cluster_count 0" {
			return errModel
		}
	}
	density, states := w.next(), w.next()
	if w.short || density != m.density || states != m.states || len(w.data) != cmllr.Streams*density*states {
		return errModel
	}
	for s := range m.weights {
		m.weights[s] = w.bytes(density * states)
	}
	return nil
}

// sequence returns the states of a phone in context, or those of the context-independent phone if the model lacks the
// context.
func (m *acousticModel) sequence(phone, before, after int, place byte) [phoneStates]uint16 {
	if s, ok := m.ways[triphone{byte(phone), byte(before), byte(after), place}]; ok {
		return s
	}
	return m.ways[triphone{byte(phone), noPhone, noPhone, 0}]
}

package pocketsphinx

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"parley/internal/speech/cmllr"
)

// A small acoustic model: silence and two phones, with two Gaussians per stream. The first phone has states of its
// own at the beginning of a word between silence and the second phone.
const smallDensity, smallStates = 2, 12

var smallPhones = []string{"SIL", "A", "B"}

func numbered(values ...int32) []byte {
	var b bytes.Buffer
	binary.Write(&b, binary.LittleEndian, values)
	return b.Bytes()
}

func smallDefinition() []byte {
	var b bytes.Buffer
	b.WriteString("BMDF")
	b.Write(numbered(1, 4))
	b.WriteString("doc\x00")
	b.Write(numbered(3, 4, 3, 9, smallStates, 3, 4, 3, 1, 0))
	for _, p := range smallPhones {
		b.WriteString(p + "\x00")
	}
	for b.Len()%4 != 0 {
		b.WriteByte(0)
	}
	b.Write(make([]byte, 8))
	for i := range int32(3) {
		b.Write(numbered(i, i, 0))
	}
	b.Write(numbered(3, 1))
	b.Write([]byte{first, 1, 0, 2})
	b.Write(numbered(12))
	for i := range uint16(12) {
		binary.Write(&b, binary.LittleEndian, i)
	}
	return b.Bytes()
}

func smallVectors(value func(phone, stream, gaussian, i int) float32) []byte {
	var b bytes.Buffer
	b.WriteString("s3\nversion 1.0\nendhdr\n")
	n := int32(len(smallPhones) * cmllr.Streams * smallDensity * cmllr.Size)
	b.Write(numbered(0x11223344, int32(len(smallPhones)), cmllr.Streams, smallDensity, cmllr.Size, cmllr.Size,
		cmllr.Size, n))
	for p := range smallPhones {
		for s := range cmllr.Streams {
			for g := range smallDensity {
				for i := range cmllr.Size {
					binary.Write(&b, binary.LittleEndian, value(p, s, g, i))
				}
			}
		}
	}
	return b.Bytes()
}

func smallWeights() []byte {
	var b bytes.Buffer
	for _, line := range []string{"doc\x00", "cluster_count 0\x00"} {
		b.Write(numbered(int32(len(line))))
		b.WriteString(line)
	}
	b.Write(numbered(0, smallDensity, smallStates))
	b.Write(bytes.Repeat([]byte{7}, cmllr.Streams*smallDensity*smallStates)) // a weight of about a half
	return b.Bytes()
}

func smallFiles() map[string][]byte {
	return map[string][]byte{
		"mdef": smallDefinition(),
		"means": smallVectors(func(p, s, g, i int) float32 {
			if s > 0 {
				return 0
			}
			return float32(10*p + g)
		}),
		"variances": smallVectors(func(_, _, _, _ int) float32 { return 1 }),
		"sendump":   smallWeights(),
	}
}

// modelOf reads a model from these files.
func modelOf(t testing.TB, files map[string][]byte) (*acousticModel, error) {
	dir := t.TempDir()
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return readAcoustic(dir)
}

func TestAnAcousticModelIsReadAsItIsWritten(t *testing.T) {
	m, err := modelOf(t, smallFiles())
	if err != nil {
		t.Fatal(err)
	}
	if q := m.gaussians[2][0][1]; q.mean[12] != 21 || q.variance[0] != 1 ||
		math.Abs(q.norm+6.5*math.Log(2*math.Pi)) > 1e-9 {
		t.Errorf("Gaussian %+v", q)
	}
	states := m.word("A B")
	want := []state{{1, 9}, {1, 10}, {1, 11}, {2, 6}, {2, 7}, {2, 8}}
	if len(states) != len(want) {
		t.Fatalf("states %v", states)
	}
	for i := range want {
		if states[i] != want[i] {
			t.Errorf("state %d is %v, not %v", i, states[i], want[i])
		}
	}
	if m.word("A Q") != nil {
		t.Error("a word with a phone that the model lacks has states")
	}
}

func TestDamagedAcousticModelsAreRefused(t *testing.T) {
	for name, data := range smallFiles() {
		for _, n := range []int{0, 3, len(data) / 2, len(data) - 1} {
			files := smallFiles()
			files[name] = data[:n]
			if _, err := modelOf(t, files); err == nil {
				t.Errorf("%s of %d bytes instead of %d was taken", name, n, len(data))
			}
		}
		files := smallFiles()
		delete(files, name)
		if _, err := modelOf(t, files); err == nil {
			t.Errorf("a model without %s was taken", name)
		}
	}
	files := smallFiles()
	files["means"] = smallVectors(func(_, _, _, _ int) float32 { return float32(math.NaN()) })
	if _, err := modelOf(t, files); err == nil {
		t.Error("means that are no numbers were taken")
	}
	files = smallFiles()
	files["mdef"][len(files["mdef"])-1] = 0x7f
	if _, err := modelOf(t, files); err == nil {
		t.Error("a state that there is not was taken")
	}
}

func FuzzAcousticModelsAreRefusedOrWhole(f *testing.F) {
	small := smallFiles()
	f.Add(small["mdef"], small["means"], small["variances"], small["sendump"])
	f.Fuzz(func(t *testing.T, definition, means, variances, weights []byte) {
		m, err := modelOf(t, map[string][]byte{"mdef": definition, "means": means, "variances": variances,
			"sendump": weights})
		if err != nil {
			return
		}
		frames := make([]observation, 20)
		for name := range m.phones {
			if w, ok := m.align(m.word(name), frames); ok {
				m.gather(&cmllr.Statistics{}, w, frames)
			}
		}
	})
}

func TestFramesGoToTheStatesThatTheyAreLike(t *testing.T) {
	m, err := modelOf(t, smallFiles())
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	frames := make([]observation, 20)
	for i := range frames {
		for j := range cmllr.Size {
			frames[i][0][j] = 10.5 + random.NormFloat64()
			if i >= 8 {
				frames[i][0][j] += 10
			}
		}
	}
	w, ok := m.align(m.word("A B"), frames)
	if !ok {
		t.Fatal("no way through the word")
	}
	for i, s := range w.states {
		if (s.phone == 2) != (i >= 8) {
			t.Errorf("frame %d is of phone %d", i, s.phone)
		}
	}
	if _, ok := m.align(m.word("A B"), frames[:5]); ok {
		t.Error("six states have a way through five frames")
	}
}

func TestDifferencesAreThoseOfTheModel(t *testing.T) {
	cepstra := make([][cmllr.Size]float32, 8)
	for i := range cepstra {
		cepstra[i][0] = float32(i * i)
	}
	o := observe(cepstra)
	if got := [3]float64{o[4][0][0], o[4][1][0], o[4][2][0]}; got != [3]float64{16, 32, 16} {
		t.Errorf("in the middle %v", got)
	}
	if got := [3]float64{o[0][0][0], o[0][1][0], o[0][2][0]}; got != [3]float64{0, 4, 8} {
		t.Errorf("at the start %v", got)
	}
}

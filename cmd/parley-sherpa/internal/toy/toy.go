// Package toy makes speech models that recognise tones, in the formats of real models: so small that they are written
// byte by byte, and so regular that their output is known. With them, the tests cover features, network, search, times
// and packaging without a download.
//
// It makes no models that recognise speech.
package toy

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"parley/internal/speech/modelstore"
	"parley/internal/words/sound"
)

// Piece is a token of the models: its text, and the filter, out of 80, at whose centre its tone lies. A piece without a
// tone is never recognised.
type Piece struct {
	Text   string
	Filter int
	Bias   float32 // added to its score
}

// Pieces returns the tokens of the models. Two share a tone; the first of them is recognised unless the other is
// boosted.
func Pieces() []Piece {
	pieces := []Piece{
		{"▁Parley", 20, 0}, {"▁he", 27, 0}, {"ars", 34, 0}, {"▁tones", 41, 0}, {".", 48, 0},
		{"▁Jon", 55, 0}, {"▁John", 55, -1}, {"▁", 0, 0},
	}
	for _, letter := range "Parleyhsto.Jn" {
		pieces = append(pieces, Piece{string(letter), 0, 0})
	}
	return pieces
}

const (
	filters     = 80
	subsampling = 4 // frames of 10 ms per output step
	threshold   = 6 // natural logarithm of the ratio between a tone and the mean of all filters
	never       = -1e4
)

// Tone is one occurrence of a piece; Length 0 means silence until then.
type Tone struct {
	Piece      string
	Start, End time.Duration
}

// Say returns audio of a length with the given tones, at 16 kHz.
func Say(length time.Duration, tones ...Tone) *sound.PCM {
	const rate = 16000
	pcm := &sound.PCM{Rate: rate, Samples: make([]int16, int(length.Seconds()*rate))}
	for _, t := range tones {
		hertz := frequency(t.Piece)
		for i := int(t.Start.Seconds() * rate); i < int(t.End.Seconds()*rate); i++ {
			pcm.Samples[i] = int16(10000 * math.Sin(2*math.Pi*hertz*float64(i)/rate))
		}
	}
	return pcm
}

// frequency returns the centre of a piece's filter: filters are equally spaced on Slaney's mel scale, which is linear
// below 1000 Hz and logarithmic above.
func frequency(text string) float64 {
	step := math.Log(6.4) / 27
	for _, p := range Pieces() {
		if p.Text == text && p.Filter > 0 {
			mel := float64(p.Filter+1) / (filters + 1) * (15 + math.Log(8)/step)
			if mel < 15 {
				return mel * 200 / 3
			}
			return 1000 * math.Exp(step*(mel-15))
		}
	}
	panic("no piece has the tone of " + text)
}

// InstallCTC writes a model of the family nemo_ctc into a folder, which becomes an installed model named after the
// folder.
func InstallCTC(dir string) error {
	g := &graph{}
	scores(g)
	g.node("Transpose", "rows", []string{"scores"}, integers("perm", 0, 2, 1))
	g.node("LogSoftmax", "logprobs", []string{"rows"}, integer("axis", 2))
	g.output("logprobs", float32s, "B", "frames", len(Pieces())+1)
	files := map[string][]byte{"model.onnx": g.model(metadata(len(Pieces()) + 1))}
	return install(dir, "nemo_ctc", tokens(), files, map[string]string{"model": "model.onnx"})
}

// scores declares the inputs of NeMo's models, features (B, 80, T) and their length, and computes scores (B, pieces,
// T/4): how much louder a piece's filter is than the mean of all; the last score is that of the blank, which equals the
// threshold.
func scores(g *graph) {
	g.input("audio_signal", float32s, "B", filters, "T")
	g.input("length", int64s, "B")
	n := len(Pieces()) + 1
	weights, bias := make([]float32, n*filters), make([]float32, n)
	for i, p := range Pieces() {
		bias[i] = never
		if p.Filter > 0 {
			bias[i] = p.Bias
			for f := range filters {
				weights[i*filters+f] = -1.0 / filters
			}
			weights[i*filters+p.Filter]++
		}
	}
	bias[n-1] = threshold
	g.weights("weights", weights, int64(n), filters, 1)
	g.weights("bias", bias, int64(n))
	g.node("AveragePool", "pooled", []string{"audio_signal"}, integers("kernel_shape", subsampling),
		integers("strides", subsampling))
	g.node("Conv", "scores", []string{"pooled", "weights", "bias"}, integers("kernel_shape", 1))
}

func metadata(vocabulary int) map[string]string {
	return map[string]string{
		"vocab_size": strconv.Itoa(vocabulary), "subsampling_factor": strconv.Itoa(subsampling), "normalize_type": "",
		"model_type": "EncDecCTCModelBPE", "version": "1",
	}
}

// tokens lists the pieces with their ids, and the blank last.
func tokens() string {
	var b strings.Builder
	for i, p := range Pieces() {
		fmt.Fprintf(&b, "%s %d\n", p.Text, i)
	}
	fmt.Fprintf(&b, "<blk> %d\n", len(Pieces()))
	return b.String()
}

// install writes files, tokens and manifest.
func install(dir, family, tokens string, files map[string][]byte, roles map[string]string) error {
	files["tokens.txt"], roles["tokens"] = []byte(tokens), "tokens.txt"
	return write(dir, files, modelstore.Description{Kind: modelstore.Speech, Family: family,
		Languages: []string{"en-US"}, Files: roles})
}

// write writes files and manifest.
func write(dir string, files map[string][]byte, d modelstore.Description) error {
	d.Name, d.Engine = filepath.Base(dir), "sherpa-onnx"
	manifest, err := json.Marshal(modelstore.Manifest{Format: 1, Description: d})
	if err != nil {
		return err
	}
	files["model.json"] = manifest
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			return err
		}
	}
	return nil
}

package toy

import (
	"fmt"
	"math"
	"strings"
)

// InstallSenseVoice writes a model of the family sense_voice: it stacks seven frames every six frames, and outputs
// language, emotion, event and style before the words.
func InstallSenseVoice(dir string) error {
	const window, shift, signs = 7, 6, 4
	n := len(Pieces()) + 1 + signs
	g := &graph{}
	g.input("x", float32s, "N", "T", window*filters)
	g.input("x_length", int32s, "N")
	g.input("language", int32s, "N")
	g.input("text_norm", int32s, "N")
	weights, bias := make([]float32, window*filters*n), make([]float32, n)
	for i := range n {
		bias[i] = never
	}
	bias[len(Pieces())] = threshold
	for i, p := range Pieces() {
		if p.Filter == 0 {
			continue
		}
		bias[i] = p.Bias
		middle := window / 2 * filters
		for f := range filters {
			weights[(middle+f)*n+i] = -1.0 / filters
		}
		weights[(middle+kaldiFilter(frequency(p.Text), 8000))*n+i]++
	}
	prefix := make([]float32, signs*n)
	for i := range signs {
		prefix[i*n+len(Pieces())+1+i] = 1
	}
	g.weights("weights", weights, window*filters, int64(n))
	g.weights("bias", bias, int64(n))
	g.weights("prefix", prefix, 1, signs, int64(n))
	g.node("MatMul", "products", []string{"x", "weights"})
	g.node("Add", "scores", []string{"products", "bias"})
	g.node("Concat", "logits", []string{"prefix", "scores"}, integer("axis", 1))
	g.output("logits", float32s, "N", "T+4", n)
	metadata := map[string]string{
		"model_type": "sense_voice_ctc", "comment": "", "vocab_size": fmt.Sprint(n),
		"blank_id":        fmt.Sprint(len(Pieces())),
		"lfr_window_size": fmt.Sprint(window), "lfr_window_shift": fmt.Sprint(shift), "normalize_samples": "0",
		"with_itn": "14", "without_itn": "15", "lang_auto": "0", "lang_zh": "3", "lang_en": "4", "lang_yue": "7",
		"lang_ja": "11", "lang_ko": "12",
		"neg_mean":   strings.Repeat("0,", window*filters-1) + "0",
		"inv_stddev": strings.Repeat("1,", window*filters-1) + "1",
	}
	tokens := tokens()
	for i, sign := range []string{"<|en|>", "<|NEUTRAL|>", "<|Speech|>", "<|woitn|>"} {
		tokens += fmt.Sprintf("%s %d\n", sign, len(Pieces())+1+i)
	}
	return install(dir, "sense_voice", tokens, map[string][]byte{"model.onnx": g.model(metadata)},
		map[string]string{"model": "model.onnx"})
}

// kaldiFilter returns the filter whose centre is nearest to a frequency, for filters as in Kaldi: equally spaced on the
// HTK mel scale between 20 Hz and the highest frequency.
func kaldiFilter(hertz, highest float64) int {
	mel := func(f float64) float64 { return 1127 * math.Log(1+f/700) }
	step := (mel(highest) - mel(20)) / (filters + 1)
	return int(math.Round((mel(hertz)-mel(20))/step)) - 1
}

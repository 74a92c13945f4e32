package toy

import (
	"fmt"
	"strings"
)

// InstallZipformer writes a model of the family transducer, as exported by icefall: the blank comes first, the decoder
// sees the last two tokens, and tokens have no durations. Otherwise it works like that of InstallTransducer.
func InstallZipformer(dir string) error {
	n := len(Pieces()) + 1
	tokens := "<blk> 0\n"
	for i, p := range Pieces() {
		tokens += fmt.Sprintf("%s %d\n", p.Text, i+1)
	}
	number := fmt.Sprint(n)
	files := map[string][]byte{
		"encoder.onnx": zipEncoder(n).model(map[string]string{"model_type": "zipformer2"}),
		"decoder.onnx": zipDecoder(n).model(map[string]string{"vocab_size": number, "context_size": "2"}),
		"joiner.onnx":  zipJoiner(n).model(map[string]string{"joiner_dim": number}),
	}
	return install(dir, "transducer", strings.TrimSpace(tokens)+"\n", files, map[string]string{
		"encoder": "encoder.onnx", "decoder": "decoder.onnx", "joiner": "joiner.onnx",
	})
}

// zipEncoder converts features (N, T, 80) to scores (N, T/4, n) and their length.
func zipEncoder(n int) *graph {
	const highest = 7600 // Hz: the centre of the last filter lies below it
	g := &graph{}
	g.input("x", float32s, "N", "T", filters)
	g.input("x_lens", int64s, "N")
	weights, bias := make([]float32, n*filters), make([]float32, n)
	bias[0] = threshold
	for i, p := range Pieces() {
		bias[i+1] = never
		if p.Filter > 0 {
			bias[i+1] = p.Bias
			for f := range filters {
				weights[(i+1)*filters+f] = -1.0 / filters
			}
			weights[(i+1)*filters+kaldiFilter(frequency(p.Text), highest)]++
		}
	}
	g.weights("weights", weights, int64(n), filters, 1)
	g.weights("bias", bias, int64(n))
	g.constants("subsampling", []int64{subsampling}, 1)
	g.node("Transpose", "channels", []string{"x"}, integers("perm", 0, 2, 1))
	g.node("AveragePool", "pooled", []string{"channels"}, integers("kernel_shape", subsampling),
		integers("strides", subsampling))
	g.node("Conv", "scores", []string{"pooled", "weights", "bias"}, integers("kernel_shape", 1))
	g.node("Transpose", "encoder_out", []string{"scores"}, integers("perm", 0, 2, 1))
	g.node("Div", "encoder_out_lens", []string{"x_lens", "subsampling"})
	g.output("encoder_out", float32s, "N", "frames", n)
	g.output("encoder_out_lens", int64s, "N")
	return g
}

// zipDecoder converts the last two tokens (N, 2) to (N, n): 1 for the tokens with the last one's tone.
func zipDecoder(n int) *graph {
	g := &graph{}
	g.input("y", int64s, "N", 2)
	table := make([]float32, n*n)
	for i, last := range Pieces() {
		for j, p := range Pieces() {
			if p.Filter == last.Filter {
				table[(i+1)*n+j+1] = 1
			}
		}
	}
	g.weights("table", table, int64(n), int64(n))
	g.constants("second", []int64{1})
	g.node("Gather", "last", []string{"y", "second"}, integer("axis", 1))
	g.node("Gather", "decoder_out", []string{"table", "last"}, integer("axis", 0))
	g.output("decoder_out", float32s, "N", n)
	return g
}

// zipJoiner forbids repeating a tone.
func zipJoiner(n int) *graph {
	g := &graph{}
	g.input("encoder_out", float32s, "N", n)
	g.input("decoder_out", float32s, "N", n)
	g.weights("forbid", []float32{never}, 1)
	g.node("Mul", "forbidden", []string{"decoder_out", "forbid"})
	g.node("Add", "logit", []string{"encoder_out", "forbidden"})
	g.output("logit", float32s, "N", n)
	return g
}

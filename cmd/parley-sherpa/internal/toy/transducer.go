package toy

// Durations that a token of the transducer may have, in steps of 40 ms; the model always uses 2.
const (
	durations = 5
	duration  = 2
)

// InstallTransducer writes a model of the family nemo_transducer, a token-and-duration transducer. The encoder scores
// tones, the decoder remembers the last token, and the joiner forbids that token and others with its tone, since
// otherwise a tone would be recognised once per frame.
func InstallTransducer(dir string) error {
	n := len(Pieces()) + 1
	data := metadata(n - 1) // NeMo does not count the blank
	data["pred_rnn_layers"], data["pred_hidden"], data["url"] = "1", "1", "toy-tdt"
	files := map[string][]byte{
		"encoder.onnx": encoder(n).model(data), "decoder.onnx": decoder(n).model(nil),
		"joiner.onnx": joiner(n).model(nil),
	}
	return install(dir, "nemo_transducer", tokens(), files, map[string]string{
		"encoder": "encoder.onnx", "decoder": "decoder.onnx", "joiner": "joiner.onnx",
	})
}

// encoder converts features to scores (B, n, T/4) and their length.
func encoder(n int) *graph {
	g := &graph{}
	scores(g)
	g.constants("subsampling", []int64{subsampling}, 1)
	g.node("Div", "encoded_lengths", []string{"length", "subsampling"})
	g.output("scores", float32s, "B", n, "frames")
	g.output("encoded_lengths", int64s, "B")
	return g
}

// decoder converts the last token (B, 1) to (B, n, 1): 1 for the tokens with its tone, 0 for the blank. It passes
// lengths and states through.
func decoder(n int) *graph {
	g := &graph{}
	g.input("targets", int32s, "B", 1)
	g.input("target_length", int32s, "B")
	for _, state := range []string{"h", "c"} {
		g.input(state, float32s, 1, "B", 1)
	}
	table := make([]float32, n*n)
	for i, last := range Pieces() {
		for j, p := range Pieces() {
			if p.Filter == last.Filter {
				table[i*n+j] = 1
			}
		}
	}
	g.weights("table", table, int64(n), int64(n))
	g.node("Gather", "last", []string{"table", "targets"}, integer("axis", 0))
	g.node("Transpose", "outputs", []string{"last"}, integers("perm", 0, 2, 1))
	g.node("Identity", "lengths", []string{"target_length"})
	g.output("outputs", float32s, "B", n, 1)
	g.output("lengths", int32s, "B")
	for _, state := range []string{"h", "c"} {
		g.node("Identity", "next_"+state, []string{state})
		g.output("next_"+state, float32s, 1, "B", 1)
	}
	return g
}

// joiner combines one step of encoder and decoder into the scores of tokens and durations (1, 1, 1, n+5).
func joiner(n int) *graph {
	g := &graph{}
	g.input("encoder_outputs", float32s, "B", n, 1)
	g.input("decoder_outputs", float32s, "B", n, 1)
	g.weights("forbid", []float32{never}, 1)
	g.node("Mul", "forbidden", []string{"decoder_outputs", "forbid"})
	g.node("Add", "tokens", []string{"encoder_outputs", "forbidden"})
	skip := make([]float32, durations)
	skip[duration] = 10
	g.weights("durations", skip, 1, durations, 1)
	g.node("Concat", "both", []string{"tokens", "durations"}, integer("axis", 1))
	g.constants("shape", []int64{1, 1, 1, int64(n + durations)}, 4)
	g.node("Reshape", "outputs", []string{"both", "shape"})
	g.output("outputs", float32s, 1, 1, 1, n+durations)
	return g
}

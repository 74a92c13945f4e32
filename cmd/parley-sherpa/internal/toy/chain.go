package toy

import (
	"encoding/base64"
	"fmt"
	"strings"
)

// Chain returns the output of the autoregressive models, whatever the audio: Whisper and Moonshine predict the next
// token from the last one, and the toy versions do nothing else.
func Chain() []string { return []string{"▁Hello", ",", "▁toy", "▁wor", "ld", "."} }

// chain adds nodes that compute the scores (1, n, size) of the next tokens from tokens (1, n): next maps each token to
// its successor.
func chain(g *graph, tokens string, next map[int]int, size int) {
	table := make([]float32, size*size)
	for last, n := range next {
		table[last*size+n] = 10
	}
	g.weights("table", table, int64(size), int64(size))
	g.node("Gather", "logits", []string{"table", tokens}, integer("axis", 0))
}

// InstallMoonshine writes a model of the family moonshine.
func InstallMoonshine(dir string) error {
	const first = 3 // after <unk>, begin and end
	words := Chain()
	size := first + len(words)
	next := map[int]int{1: first, size - 1: 2}
	tokens := "<unk> 0\n<s> 1\n</s> 2\n"
	for i, w := range words {
		tokens += fmt.Sprintf("%s %d\n", w, first+i)
		if i > 0 {
			next[first+i-1] = first + i
		}
	}
	files := map[string][]byte{
		"preprocess.onnx": preprocessor().model(nil), "encode.onnx": moonEncoder().model(nil),
		"uncached.onnx": moonDecoder(next, size, false).model(nil),
		"cached.onnx":   moonDecoder(next, size, true).model(nil),
	}
	return install(dir, "moonshine", tokens, files, map[string]string{
		"preprocessor": "preprocess.onnx", "encoder": "encode.onnx", "uncachedDecoder": "uncached.onnx",
		"cachedDecoder": "cached.onnx",
	})
}

// preprocessor converts audio (1, samples) to one feature per 384 samples (1, T, 1).
func preprocessor() *graph {
	g := &graph{}
	g.input("args_0", float32s, 1, "samples")
	g.constants("shape", []int64{1, 1, -1}, 3)
	g.node("Reshape", "channels", []string{"args_0", "shape"})
	g.node("AveragePool", "pooled", []string{"channels"}, integers("kernel_shape", 384), integers("strides", 384))
	g.node("Transpose", "sequential", []string{"pooled"}, integers("perm", 0, 2, 1))
	g.output("sequential", float32s, 1, "T", 1)
	return g
}

func moonEncoder() *graph {
	g := &graph{}
	g.input("args_0", float32s, 1, "T", 1)
	g.input("args_1", int32s, 1)
	g.node("Identity", "layer_normalization", []string{"args_0"})
	g.output("layer_normalization", float32s, 1, "T", 1)
	return g
}

// moonDecoder has one state, which the cached decoder also takes as input.
func moonDecoder(next map[int]int, size int, cached bool) *graph {
	g := &graph{}
	g.input("args_0", int32s, 1, 1)
	g.input("args_1", float32s, 1, "T", 1)
	g.input("args_2", int32s, 1)
	state := "args_1"
	if cached {
		state = "args_3"
		g.input(state, float32s, 1, "T", 1)
	}
	chain(g, "args_0", next, size)
	g.node("Identity", "state", []string{state})
	g.output("logits", float32s, 1, 1, size)
	g.output("state", float32s, 1, "T", 1)
	return g
}

// InstallWhisper writes a multilingual model of the family whisper that supports English and German and, like most
// published models, outputs no times.
func InstallWhisper(dir string) error {
	words := Chain()
	n := len(words) // token ids after the words are control tokens
	const context = 448
	sot, eot, noTimes := n, n+1, n+7
	next := map[int]int{noTimes: 0, n - 1: eot}
	var tokens strings.Builder
	for i, w := range words {
		fmt.Fprintf(&tokens, "%s %d\n", base64.StdEncoding.EncodeToString([]byte(strings.Replace(w, "▁", " ", 1))), i)
		if i > 0 {
			next[i-1] = i
		}
	}
	number := func(i int) string { return fmt.Sprint(i) }
	metadata := map[string]string{
		"model_type": "whisper-toy", "n_mels": "80", "n_text_layer": "1", "n_text_ctx": number(context),
		"n_text_state": "1", "n_vocab": number(n + 8),
		"sot": number(sot), "eot": number(eot), "blank_id": "0", "transcribe": number(n + 2),
		"translate": number(n + 3), "is_multilingual": "1",
		"no_speech": number(n + 4), "all_language_tokens": number(n+5) + "," + number(n+6),
		"all_language_codes": "en,de", "no_timestamps": number(noTimes),
		"sot_sequence": number(sot) + "," + number(n+5) + "," + number(n+2),
	}
	files := map[string][]byte{"encoder.onnx": whisperEncoder().model(metadata),
		"decoder.onnx": whisperDecoder(next, n+8, context).model(nil)}
	return install(dir, "whisper", tokens.String(), files,
		map[string]string{"encoder": "encoder.onnx", "decoder": "decoder.onnx"})
}

// whisperEncoder converts a spectrogram (1, 80, T) to keys and values (1, 1, T, 1).
func whisperEncoder() *graph {
	g := &graph{}
	g.input("mel", float32s, 1, filters, "T")
	g.node("ReduceMean", "mean", []string{"mel"}, integers("axes", 1))
	g.constants("shape", []int64{1, 1, -1, 1}, 4)
	for _, output := range []string{"n_layer_cross_k", "n_layer_cross_v"} {
		g.node("Reshape", output, []string{"mean", "shape"})
		g.output(output, float32s, 1, 1, "T", 1)
	}
	return g
}

func whisperDecoder(next map[int]int, size, context int) *graph {
	g := &graph{}
	g.input("tokens", int64s, 1, "n")
	for _, cache := range []string{"k", "v"} {
		g.input("in_n_layer_self_"+cache+"_cache", float32s, 1, 1, context, 1)
	}
	for _, cross := range []string{"k", "v"} {
		g.input("n_layer_cross_"+cross, float32s, 1, 1, "T", 1)
	}
	g.input("offset", int64s, 1)
	chain(g, "tokens", next, size)
	g.output("logits", float32s, 1, "n", size)
	for _, cache := range []string{"k", "v"} {
		g.node("Identity", "out_n_layer_self_"+cache+"_cache", []string{"in_n_layer_self_" + cache + "_cache"})
		g.output("out_n_layer_self_"+cache+"_cache", float32s, 1, 1, context, 1)
	}
	return g
}

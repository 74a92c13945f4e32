package toy

import (
	"math"
	"strconv"

	"parley/internal/speech/modelstore"
)

// Voices are the pieces whose tones are the voices of two speakers.
var Voices = [2]string{"▁he", "▁tones"}

// InstallSegmentation writes a model of the family pyannote into a folder. It detects only the two voices, each as one
// of the speakers in its window of two seconds.
func InstallSegmentation(dir string) error {
	const window, field, shift, classes = 32000, 400, 160, 7 // classes: nobody, three speakers, three pairs of them
	g := &graph{}
	g.input("x", float32s, "N", 1, "T")
	waves := make([]float32, 4*field) // sine and cosine of each voice
	for v, voice := range Voices {
		for i := range field {
			phase := 2 * math.Pi * frequency(voice) * float64(i) / 16000
			waves[2*v*field+i] = float32(math.Sin(phase) * 2 / field)
			waves[(2*v+1)*field+i] = float32(math.Cos(phase) * 2 / field)
		}
	}
	weights, bias := make([]float32, classes*4), []float32{0.01, 0, 0, never, never, never, never}
	for v := range Voices {
		weights[(1+v)*4+2*v], weights[(1+v)*4+2*v+1] = 1, 1
	}
	g.weights("waves", waves, 4, 1, field)
	g.weights("weights", weights, classes, 4, 1)
	g.weights("bias", bias, classes)
	g.node("Conv", "parts", []string{"x", "waves"}, integers("kernel_shape", field), integers("strides", shift))
	g.node("Mul", "powers", []string{"parts", "parts"})
	g.node("Conv", "scores", []string{"powers", "weights", "bias"}, integers("kernel_shape", 1))
	g.node("Transpose", "y", []string{"scores"}, integers("perm", 0, 2, 1))
	g.output("y", float32s, "N", "F", classes)
	metadata := map[string]string{
		"model_type": "pyannote-segmentation-3.0", "version": "1", "num_speakers": "3", "powerset_max_classes": "2",
		"num_classes": strconv.Itoa(classes),
		"sample_rate": "16000", "window_size": strconv.Itoa(window), "receptive_field_size": strconv.Itoa(field),
		"receptive_field_shift": strconv.Itoa(shift),
	}
	return write(dir, map[string][]byte{"model.onnx": g.model(metadata)}, modelstore.Description{
		Kind: modelstore.Segmentation, Family: "pyannote", Files: map[string]string{"model": "model.onnx"},
	})
}

// InstallEmbedding writes a speaker embedding model in NeMo's format: its output is how much louder each of the two
// voices is than the mean of all filters.
func InstallEmbedding(dir string) error {
	g := &graph{}
	g.input("audio_signal", float32s, "B", filters, "T")
	g.input("length", int64s, "B")
	weights := make([]float32, filters*len(Voices))
	for v, voice := range Voices {
		for f := range filters {
			weights[f*len(Voices)+v] = -1.0 / filters
		}
		weights[filterOf(voice)*len(Voices)+v]++
	}
	g.weights("weights", weights, filters, int64(len(Voices)))
	g.node("ReduceMean", "means", []string{"audio_signal"}, integers("axes", 2), integer("keepdims", 0))
	g.node("MatMul", "embs", []string{"means", "weights"})
	g.node("Identity", "logits", []string{"means"})
	g.output("logits", float32s, "B", filters)
	g.output("embs", float32s, "B", len(Voices))
	metadata := map[string]string{
		"framework": "nemo", "language": "English", "url": "", "comment": "", "sample_rate": "16000",
		"output_dim":             strconv.Itoa(len(Voices)),
		"feature_normalize_type": "", "window_size_ms": "25", "window_stride_ms": "10", "window_type": "hann",
		"feat_dim": strconv.Itoa(filters),
	}
	return write(dir, map[string][]byte{"model.onnx": g.model(metadata)}, modelstore.Description{
		Kind: modelstore.Embedding, Family: "nemo_titanet", Files: map[string]string{"model": "model.onnx"},
	})
}

func filterOf(text string) int {
	for _, p := range Pieces() {
		if p.Text == text {
			return p.Filter
		}
	}
	panic("no piece " + text)
}

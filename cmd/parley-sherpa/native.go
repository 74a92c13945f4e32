package main

/*
#include <stdint.h>
#include <stdlib.h>

// What the Go binding of sherpa-onnx lacks, as declared in c-api.h of 1.12.25: streams with hotwords, and the log
// probabilities of a result. Only the first fields of the result are declared here.
typedef struct {
	const char *text;
	const float *timestamps;
	int32_t count;
	const char *tokens;
	const char *const *tokens_arr;
	const char *json, *lang, *emotion, *event;
	const float *durations;
	const float *ys_log_probs;
} heard;

const void *SherpaOnnxCreateOfflineStream(const void *recognizer);
const void *SherpaOnnxCreateOfflineStreamWithHotwords(const void *recognizer, const char *hotwords);
void SherpaOnnxDestroyOfflineStream(const void *stream);
void SherpaOnnxAcceptWaveformOffline(const void *stream, int32_t rate, const float *samples, int32_t n);
void SherpaOnnxDecodeOfflineStream(const void *recognizer, const void *stream);
const heard *SherpaOnnxGetOfflineStreamResult(const void *stream);
void SherpaOnnxDestroyOfflineRecognizerResult(const heard *result);
*/
import "C"

import (
	"errors"
	"unsafe"

	sherpaonnx "github.com/k2-fsa/sherpa-onnx-go-linux"
)

// native is a loaded model. Only one goroutine may use it.
type native struct {
	made *sherpaonnx.OfflineRecognizer
	impl unsafe.Pointer // the C recogniser inside made
}

// The binding keeps the C pointer in an unexported field; this line does not compile if the struct gets more fields.
var _ [unsafe.Sizeof(uintptr(0))]byte = [unsafe.Sizeof(sherpaonnx.OfflineRecognizer{})]byte{}

var errLoad = errors.New("sherpa-onnx cannot load the model")

// load loads a model. The files must exist: the library ends the process on some errors.
func load(c *sherpaonnx.OfflineRecognizerConfig) (*native, error) {
	made := sherpaonnx.NewOfflineRecognizer(c)
	if made == nil {
		return nil, errLoad
	}
	impl := *(*unsafe.Pointer)(unsafe.Pointer(made))
	if impl == nil {
		return nil, errLoad
	}
	return &native{made, impl}, nil
}

func (n *native) close() { sherpaonnx.DeleteOfflineRecognizer(n.made) }

// piece is a token with its times in seconds from the start of the audio.
type piece struct {
	text     string
	start    float64
	duration float64 // negative: unknown
	logProb  float64 // natural logarithm; valid only if answer.sure is set
}

// answer is the output of a model.
type answer struct {
	text   string
	pieces []piece
	timed  bool // the pieces have times
	sure   bool // the pieces have probabilities
}

var errSilent = errors.New("sherpa-onnx returned no result")

// hear recognises samples between -1 and 1; there must be at least one. hotwords lists words to boost, separated by
// slashes, for transducers loaded with that option; otherwise it is empty.
func (n *native) hear(samples []float32, rate int, hotwords string) (*answer, error) {
	stream := n.stream(hotwords)
	if stream == nil {
		return nil, errSilent
	}
	defer C.SherpaOnnxDestroyOfflineStream(stream)
	C.SherpaOnnxAcceptWaveformOffline(stream, C.int32_t(rate), (*C.float)(&samples[0]), C.int32_t(len(samples)))
	C.SherpaOnnxDecodeOfflineStream(n.impl, stream)
	result := C.SherpaOnnxGetOfflineStreamResult(stream)
	if result == nil {
		return nil, errSilent
	}
	defer C.SherpaOnnxDestroyOfflineRecognizerResult(result)
	return read(result), nil
}

func (n *native) stream(hotwords string) unsafe.Pointer {
	if hotwords == "" {
		return C.SherpaOnnxCreateOfflineStream(n.impl)
	}
	text := C.CString(hotwords)
	defer C.free(unsafe.Pointer(text))
	return C.SherpaOnnxCreateOfflineStreamWithHotwords(n.impl, text)
}

// read copies a result from the library's memory.
func read(r *C.heard) *answer {
	a := &answer{timed: r.timestamps != nil, sure: r.ys_log_probs != nil}
	if r.text != nil {
		a.text = C.GoString(r.text)
	}
	if r.count <= 0 || r.tokens_arr == nil {
		return a
	}
	n := int(r.count)
	tokens := unsafe.Slice(r.tokens_arr, n)
	starts, durations, logProbs := floats(r.timestamps, n), floats(r.durations, n), floats(r.ys_log_probs, n)
	for i := range n {
		p := piece{text: C.GoString(tokens[i]), duration: -1}
		if starts != nil {
			p.start = float64(starts[i])
		}
		if durations != nil {
			p.duration = float64(durations[i])
		}
		if logProbs != nil {
			p.logProb = float64(logProbs[i])
		}
		a.pieces = append(a.pieces, p)
	}
	return a
}

func floats(p *C.float, n int) []C.float {
	if p == nil {
		return nil
	}
	return unsafe.Slice(p, n)
}

package line_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"parley/internal/speech/asr"
	"parley/internal/speech/asr/line"
)

// greeter is an engine that recognises the same word in all audio.
type greeter struct{}

func (greeter) Recognize(context.Context, asr.Request) (*asr.Recognition, error) {
	return &asr.Recognition{Words: []asr.Word{{Text: "hello", End: time.Second, Confidence: 1}}}, nil
}

// The request has two samples of 16 bits.
func ExampleServe() {
	in := strings.NewReader(`{"id":1,"samples":2,"rate":16000}` + "\n" + "\x00\x00\x00\x00")
	info := asr.Info{Engine: "greeter", Languages: []string{"en-US"}, MaxChunk: 30 * time.Second}
	if err := line.Serve(context.Background(), in, os.Stdout, info, greeter{}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// {"protocol":1,"engine":"greeter","languages":["en-US"],"maxChunk":30}
	// {"id":1,"words":[{"text":"hello","start":0,"end":1,"confidence":1}]}
}

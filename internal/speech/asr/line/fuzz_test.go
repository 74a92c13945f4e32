package line

import (
	"bytes"
	"context"
	"io"
	"testing"
	"time"

	"parley/internal/speech/asr"
	"parley/internal/testkit/asrtest"
)

func FuzzAnswerIsRefusedOrHoldsTheContract(f *testing.F) {
	f.Add([]byte(`{"id":1,"words":[{"text":"a","start":0.1,"end":0.2,"confidence":0.5},{"text":" b ","start":0.2,"end":99,"punctuated":"B. "}]}`))
	f.Add([]byte(`{"id":1,"error":{"kind":"invalid","message":"no"}}`))
	f.Add([]byte(`{"id":1,"words":[{"text":"a","start":1e300,"end":1e301}]}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		const length = 2 * time.Second
		r, err := parseAnswer(line, 1, length)
		if (r == nil) == (err == nil) {
			t.Fatalf("answer %v and error %v", r, err)
		}
		if err != nil {
			return
		}
		var last time.Duration
		for _, w := range r.Words {
			if w.Text == "" || w.Start < last || w.End < w.Start || w.End > length ||
				!(w.Confidence >= 0 && w.Confidence <= 1) {
				t.Fatalf("word %+v", w)
			}
			last = w.Start
		}
	})
}

func FuzzGreetingIsRefusedOrWhole(f *testing.F) {
	f.Add([]byte(`{"protocol":1,"engine":"a","languages":["en-US"],"maxChunk":30}`))
	f.Add([]byte(`{"protocol":1,"error":{"kind":"unavailable","message":"install x"}}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		info, err := parseHello(line)
		if err == nil && (info.Engine == "" || info.MaxChunk < 0 || len(info.Languages) == 0) {
			t.Fatalf("info %+v", info)
		}
	})
}

func FuzzServeTakesNoHarm(f *testing.F) {
	f.Add([]byte(`{"id":1,"samples":2,"rate":16000}` + "\nabcd" + `{"id":2,"samples":0,"rate":16000}` + "\n"))
	f.Add([]byte(`{"id":1,"samples":999999999,"rate":999999999}` + "\n"))
	f.Add([]byte(`{"id":1,"samples":9,"rate":16000}` + "\nab"))
	info := asr.Info{Engine: "e", Languages: []string{"en-US"}, MaxChunk: time.Second}
	f.Fuzz(func(t *testing.T, input []byte) {
		var out bytes.Buffer
		fake := asrtest.NewFake()
		err := Serve(context.Background(), bytes.NewReader(input), &out, info, fake)
		if answers := bytes.Count(out.Bytes(), []byte("\n")) - 1; answers != len(fake.Requests()) {
			t.Fatalf("%d answers to %d requests (%v)", answers, len(fake.Requests()), err)
		}
	})
}

func TestRequestThatBreaksOffIsAnError(t *testing.T) {
	info := asr.Info{Engine: "e", Languages: []string{"en-US"}, MaxChunk: time.Second}
	for _, input := range []string{`{"id":1,"samples":9,"rate":16000}` + "\nab", `{"id":1`, "x\n"} {
		if err := Serve(context.Background(), bytes.NewBufferString(input), io.Discard, info,
			asrtest.NewFake()); err == nil {
			t.Errorf("%q was served", input)
		}
	}
}

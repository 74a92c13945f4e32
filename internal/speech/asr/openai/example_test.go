package openai_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"

	"parley/internal/speech/asr"
	"parley/internal/speech/asr/openai"
	"parley/internal/speech/asr/remote"
	"parley/internal/words/sound"
)

func ExampleRecognizer_Recognize() {
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, `{"text":"Hello there.","words":[
			{"word":"Hello","start":0.1,"end":0.4},{"word":"there","start":0.4,"end":0.8}]}`)
	}))
	defer service.Close()
	endpoint, err := remote.Parse("openai+"+service.URL, os.Getenv)
	if err != nil {
		panic(err)
	}
	recognizer, err := openai.New(endpoint, nil)
	if err != nil {
		panic(err)
	}
	second := &sound.PCM{Rate: 16000, Samples: make([]int16, 16000)}
	r, err := recognizer.Recognize(context.Background(), asr.Request{PCM: second})
	if err != nil {
		panic(err)
	}
	for _, w := range r.Words {
		fmt.Println(w.Punctuated, w.Start, w.End)
	}
	// Output:
	// Hello 100ms 400ms
	// there. 400ms 800ms
}

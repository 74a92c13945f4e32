package openai

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"parley/internal/speech/asr"
	"parley/internal/speech/asr/remote"
	"parley/internal/words/fault"
)

// said formats words as text|punctuated start–end confidence, with times in milliseconds.
func said(words []asr.Word) string {
	var all []string
	for _, w := range words {
		all = append(all, fmt.Sprintf("%s|%s %d–%d %.2f", w.Text, w.Punctuated, w.Start.Milliseconds(),
			w.End.Milliseconds(), w.Confidence))
	}
	return strings.Join(all, "\n")
}

// The answers below are in the formats of the services: whisper-1, whisper.cpp's examples/server, speaches' models of
// its answers, vLLM.
func TestEachDialectIsUnderstood(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"OpenAI: words without punctuation beside segments",
			`{"task":"transcribe","language":"english","duration":3.5,"text":"Hello, this is Contoso. Really?",
			"words":[{"word":"Hello","start":0.0,"end":0.5},{"word":"this","start":0.5,"end":0.7},{"word":"is","start":0.7,"end":0.8},{"word":"Contoso","start":0.8,"end":1.4},{"word":"Really","start":2.0,"end":2.5}],
			"segments":[{"id":0,"seek":0,"start":0.0,"end":1.5,"text":" Hello, this is Contoso.","tokens":[50364],"temperature":0.0,"avg_logprob":-0.1,"compression_ratio":1.0,"no_speech_prob":0.01},
				{"id":1,"seek":0,"start":1.5,"end":3.0,"text":" Really?","tokens":[50364],"temperature":0.0,"avg_logprob":-0.7,"compression_ratio":1.0,"no_speech_prob":0.01}],
			"usage":{"type":"duration","seconds":4}}`,
			"hello|Hello, 0–500 0.90\nthis|this 500–700 0.90\nis|is 700–800 0.90\ncontoso|Contoso. 800–1400 " +
				"0.90\nreally|Really? 2000–2500 0.50"},
		{"speaches: words with spaces, marks and probabilities",
			`{"task":"transcribe","language":"en","duration":2.0,"text":"Hello, world.",
			"words":[{"start":0.0,"end":0.42,"word":" Hello,","probability":0.93,"speaker":null},{"start":0.42,"end":0.9,"word":" world.","probability":0.8,"speaker":null}],
			"segments":[{"avg_logprob":-0.2,"compression_ratio":0.8,"end":0.9,"id":1,"no_speech_prob":0.02,"seek":0,"start":0.0,"temperature":0.0,"text":" Hello, world.","tokens":[1],
				"words":[{"start":0.0,"end":0.42,"word":" Hello,","probability":0.93},{"start":0.42,"end":0.9,"word":" world.","probability":0.8}]}]}`,
			"hello|Hello, 0–420 0.93\nworld|world. 420–900 0.80"},
		{"whisper.cpp: pieces of words in segments",
			`{"task":"transcribe","language":"english","duration":11.0,"text":" Contoso sells gnocchi.\n",
			"segments":[{"id":0,"text":" Contoso sells gnocchi.","start":0.0,"end":2.0,"tokens":[1,2,3,4,5,6],
				"words":[{"word":" Cont","start":0.1,"end":0.3,"t_dtw":-1,"probability":0.6},{"word":"oso","start":0.3,"end":0.5,"t_dtw":-1,"probability":0.8},
					{"word":" sells","start":0.5,"end":0.9,"t_dtw":-1,"probability":0.99},{"word":" gn","start":0.9,"end":1.1,"t_dtw":-1,"probability":0.5},
					{"word":"occhi","start":1.1,"end":1.5,"t_dtw":-1,"probability":0.7},{"word":".","start":1.5,"end":1.6,"t_dtw":-1,"probability":0.9}],
				"temperature":0.0,"avg_logprob":-0.25}]}`,
			"contoso|Contoso 100–500 0.70\nsells|sells 500–900 0.99\ngnocchi|gnocchi. 900–1600 0.70"},
		{"whisper.cpp: letters of several bytes cut into pieces",
			`{"text":" Héllo wörld","segments":[{"text":" Héllo wörld","start":0,"end":1,
			"words":[{"word":" H","start":0,"end":0.1,"probability":1},{"word":"\ufffd","start":0.1,"end":0.2,"probability":1},{"word":"\ufffdllo","start":0.2,"end":0.4,"probability":1},{"word":" wörld","start":0.4,"end":0.8,"probability":1}]}]}`,
			"héllo|Héllo 0–400 1.00\nwörld|wörld 400–800 1.00"},
		{"whisper.cpp: no speech", `{"text":" [BLANK_AUDIO]\n","segments":[{"id":0,"text":" [BLANK_AUDIO]","start":0,"end":2,"tokens":[1],
			"words":[{"word":" [","start":0,"end":0.1,"probability":0.5},{"word":"BL","start":0.1,"end":0.2,"probability":0.5},{"word":"ANK","start":0.2,"end":0.3,"probability":0.5},{"word":"_","start":0.3,"end":0.4,"probability":0.5},{"word":"AUDIO","start":0.4,"end":0.5,"probability":0.5},{"word":"]","start":0.5,"end":0.6,"probability":0.5}],"avg_logprob":-0.4}]}`, ""},
		{"whisper.cpp: a segment without tokens",
			`{"text":"","segments":[{"id":0,"text":"","start":0,"end":2,"temperature":0.0,"avg_logprob":null}]}`, ""},
		{"segments only", `{"task":"transcribe","language":"en","duration":"4.0","text":"ab cd. efgh","segments":[{"id":1,"start":0,"end":1,"text":" Ab cd.","avg_logprob":-0.1},{"id":2,"start":2.0,"end":3.0,"text":" efgh","avg_logprob":-0.1}]}`,
			"ab|Ab 0–500 0.90\ncd|cd. 500–1000 0.90\nefgh|efgh 2000–3000 0.90"},
		{"words null", `{"text":"Ab cd","words":null,"segments":[{"start":0,"end":1,"text":" Ab cd","words":null}]}`,
			"ab|Ab 0–500 0.50\ncd|cd 500–1000 0.50"},
		{"text only", `{"text":"Yes. No."}`, "yes|Yes. 0–2400 0.50\nno|No. 2400–4000 0.50"},
		{"nothing said", `{"text":""}`, ""},
		{"an empty list", `{"text":"","segments":[],"words":[]}`, ""},
		{"a service that does not punctuate",
			`{"text":"hello there","words":[{"word":"hello","start":0,"end":1},{"word":"there","start":1,"end":2}]}`,
			"hello| 0–1000 0.50\nthere| 1000–2000 0.50"},
		{"words without times", `{"text":"Ab cd","words":[{"word":"Ab"},{"word":"cd"}]}`,
			"ab|Ab 0–2000 0.50\ncd|cd 2000–4000 0.50"},
		{"words behind the audio", `{"text":"a b","words":[{"word":"a","start":3.5,"end":4.5},{"word":"b","start":6,"end":7}]}`, "a| 3500–4000 0.50\nb| 4000–4000 0.50"},
		{"remarks and brackets", `{"text":"(upbeat music) Call (650) 555 *laughs* now ♪ [Music]","segments":[{"start":0,"end":4,"text":"(upbeat music) Call (650) 555 *laughs* now ♪ [Music]"}]}`,
			"call|Call 0–1230 0.50\n650|(650) 1230–2153 0.50\n555|555 2153–3076 0.50\nnow|now 3076–4000 0.50"},
		{"marks that stand alone", `{"text":"Well - yes !","segments":[{"start":0,"end":1,"text":"Well - yes !"}]}`,
			"well|Well 0–571 0.50\nyes|yes! 571–1000 0.50"},
	} {
		t.Run(c.name, func(t *testing.T) {
			words, err := (&Recognizer{}).read([]byte(c.body), 4*time.Second)
			if got := said(words); err != nil || got != c.want {
				t.Errorf("%v\n%s\nwant\n%s", err, got, c.want)
			}
		})
	}
}

func TestAnErrorWithStatus200IsAnError(t *testing.T) {
	_, err := (&Recognizer{}).read([]byte(`{"error":"failed to process audio"}`), time.Second)
	if !fault.Is(err, fault.Invalid) || !strings.Contains(err.Error(), "failed to process audio") {
		t.Errorf("error %v", err)
	}
}

func TestJSONThatIsNoTranscriptionIsBroken(t *testing.T) {
	for _, body := range []string{`{}`, `[]`, `null`, `{"status":"ok"}`, `{"text":`} {
		if words, err := (&Recognizer{}).read([]byte(body), time.Second); err == nil {
			t.Errorf("%s was read as %v", body, words)
		}
	}
}

// FuzzAnswers checks that every accepted answer complies with the contract of asr.Recognizer.
func FuzzAnswers(f *testing.F) {
	f.Add([]byte(`{"text":"Hello, (x) ♪ y","words":[{"word":" Hel","start":-1,"end":9e300,"probability":7},{"word":"lo"}],"segments":[{"start":1,"end":0,"text":"a b","avg_logprob":900}]}`))
	f.Add([]byte(`{"segments":[{"text":" [a ","words":[{"word":" ["},{"word":"\ufffd"}]},{"text":"*","start":1e9,"end":2e9}]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		const length = 3 * time.Second
		words, err := (&Recognizer{}).read(body, length)
		if err != nil {
			return
		}
		var last time.Duration
		for _, w := range words {
			if w.Text == "" || remote.Bare(w.Text) == "" || w.Start < last || w.End < w.Start || w.End > length ||
				!(w.Confidence >= 0 && w.Confidence <= 1) || math.IsNaN(w.Confidence) {
				t.Fatalf("word %+v", w)
			}
			last = w.Start
		}
		asr.Encode(&asr.Recognition{Words: words})
	})
}

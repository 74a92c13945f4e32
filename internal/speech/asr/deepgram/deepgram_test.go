package deepgram

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"parley/internal/speech/asr"
	"parley/internal/speech/asr/remote"
	"parley/internal/testkit/asrtest"
	"parley/internal/words/fault"
	"parley/internal/words/sound"
	"parley/internal/words/vocabulary"
)

// standIn is a server with the API for recorded audio. It returns a word for each loud half second.
type standIn struct {
	*httptest.Server
	queries chan url.Values
}

func newStandIn(t *testing.T) *standIn {
	s := &standIn{queries: make(chan url.Values, 100)}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(s.Close)
	return s
}

func (s *standIn) serve(w http.ResponseWriter, r *http.Request) {
	refuse := func(status int, code, message string) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		fmt.Fprintf(w, `{"err_code":%q,"err_msg":%q,"request_id":"9f2c"}`, code, message)
	}
	body, err := io.ReadAll(r.Body)
	switch {
	case err != nil: // the client disconnected
	case r.Method != http.MethodPost || r.URL.Path != "/v1/listen":
		refuse(http.StatusNotFound, "NOT_FOUND", "no such path")
	case r.Header.Get("Authorization") != "Token dg-test":
		refuse(http.StatusUnauthorized, "INVALID_AUTH", "Invalid credentials.")
	case r.Header.Get("Content-Type") != "audio/wav" || len(body) < 46 || string(body[:4]) != "RIFF":
		refuse(http.StatusBadRequest, "Bad Request",
			"Bad Request: failed to process audio: corrupt or unsupported data")
	default:
		select {
		case s.queries <- r.URL.Query():
		default:
		}
		w.Header().Set("Content-Type", "application/json")
		w.Write(listen(body[44:]))
	}
}

// listen builds an answer in the service's format.
func listen(pcm []byte) []byte {
	words, transcript := []map[string]any{}, []string{}
	for i := 0; i+16000 <= len(pcm); i += 16000 {
		loud := 0
		for _, high := range pcm[i : i+16000] {
			if high != 0 {
				loud++
			}
		}
		if loud > 10000 {
			at := float64(i) / 32000
			words = append(words, map[string]any{"word": "tick", "start": at, "end": at + .5, "confidence": 0.97,
				"punctuated_word": "Tick."})
			transcript = append(transcript, "Tick.")
		}
	}
	body, _ := json.Marshal(map[string]any{
		"metadata": map[string]any{"request_id": "9f2c", "channels": 1, "duration": float64(len(pcm)) / 32000},
		"results": map[string]any{"channels": []any{map[string]any{"alternatives": []any{
			map[string]any{"transcript": strings.Join(transcript, " "), "confidence": 0.97, "words": words},
		}}}},
	})
	return body
}

func tone(length time.Duration) *sound.PCM {
	pcm := &sound.PCM{Rate: 16000, Samples: make([]int16, int(length.Seconds()*16000))}
	for i := range pcm.Samples {
		pcm.Samples[i] = int16(8000 * math.Sin(float64(i)/10))
	}
	return pcm
}

func recognizer(t *testing.T, address, parameters, key string) *Recognizer {
	t.Helper()
	e, err := remote.Parse("deepgram+"+address+"/?"+parameters, func(string) string { return key })
	if err != nil {
		t.Fatal(err)
	}
	r, err := New(e, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestTheRecognizerHoldsItsContract(t *testing.T) {
	r := recognizer(t, newStandIn(t).URL, "parallel=3", "dg-test")
	asrtest.Run(t, r, r.Info().MaxChunk, tone(3*time.Second))
}

func TestTheRequestIsWhatTheAPIWants(t *testing.T) {
	s := newStandIn(t)
	terms := []vocabulary.Vocabulary{{Terms: []vocabulary.Term{{Text: "gnocchi"},
		{Text: "Contoso Premium", Weight: 2.5}}}}
	for model, want := range map[string]url.Values{
		"nova-3":         {"keyterm": {"Contoso Premium", "gnocchi"}},
		"nova-3-medical": {"keyterm": {"Contoso Premium", "gnocchi"}},
		"nova-2":         {"keywords": {"Contoso:2.5", "Premium:2.5", "gnocchi"}},
		"nova":           {"keywords": {"Contoso:2.5", "Premium:2.5", "gnocchi"}},
		"base":           {"keywords": {"Contoso:2.5", "Premium:2.5", "gnocchi"}},
	} {
		r := recognizer(t, s.URL, "mip_opt_out=true&model="+model, "dg-test")
		found, err := r.Recognize(t.Context(),
			asr.Request{PCM: tone(time.Second), Language: "en-GB", Vocabulary: terms})
		if err != nil {
			t.Fatal(err)
		}
		want.Set("model", model)
		want.Set("language", "en-GB")
		want.Set("punctuate", "true")
		want.Set("mip_opt_out", "true")
		if got := <-s.queries; !reflect.DeepEqual(got, want) {
			t.Errorf("asked %v, want %v", got, want)
		}
		tick := asr.Word{Text: "tick", End: 500 * time.Millisecond, Confidence: 0.97, Punctuated: "Tick."}
		if len(found.Words) != 2 || found.Words[0] != tick {
			t.Errorf("heard %+v", found)
		}
	}
}

func TestWordsThatTheServiceDoesNotTakeAreWarnedOf(t *testing.T) {
	var terms []vocabulary.Term
	for i := range 300 {
		terms = append(terms, vocabulary.Term{Text: fmt.Sprintf("Product%03d", i)})
	}
	many := []vocabulary.Vocabulary{{Terms: terms}, {Scripts: []string{"Hello."}}}
	for model, want := range map[string]struct {
		parameter string
		values    int
	}{"nova-3": {"keyterm", 115}, "nova-2": {"keywords", 100}, "whisper-large": {"", 0}} {
		parameter, values, warnings := vocabularyFor(model, many)
		if parameter != want.parameter || len(values) != want.values || len(warnings) != 2 ||
			!strings.HasPrefix(warnings[0], fmt.Sprint(300-want.values)) {
			t.Errorf("%s: %d values of %s, warnings %q", model, len(values), parameter, warnings)
		}
	}
}

func TestAnswersAreUnderstood(t *testing.T) {
	for body, want := range map[string][]asr.Word{
		`{"results":{"channels":[{"alternatives":[{"transcript":"Hi there.","words":[{"word":"hi","start":0.08,"end":0.32,"confidence":0.9971,"punctuated_word":"Hi"},{"word":"there","start":0.4,"end":99,"confidence":1.2,"speaker":0,"punctuated_word":"there."}]}]}]}}`: {
			{Text: "hi", Start: 80 * time.Millisecond, End: 320 * time.Millisecond, Confidence: 0.9971,
				Punctuated: "Hi"},
			{Text: "there", Start: 400 * time.Millisecond, End: 2 * time.Second, Confidence: 1, Punctuated: "there."},
		},
		`{"results":{"channels":[{"alternatives":[{"transcript":"Ab cd.","words":[]}]}]}}`: {
			{Text: "ab", End: time.Second, Confidence: remote.Unknown, Punctuated: "Ab"},
			{Text: "cd", Start: time.Second, End: 2 * time.Second, Confidence: remote.Unknown, Punctuated: "cd."},
		},
		`{"results":{"channels":[{"alternatives":[{"transcript":"","confidence":0,"words":[]}]}]}}`: {},
		`{"results":{"channels":[{"alternatives":[]}]}}`:                                            nil,
		`{"results":{"channels":[]}}`:                                                               nil,
	} {
		if got, err := read([]byte(body), 2*time.Second); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s\nread %+v, %v, want %+v", body, got, err, want)
		}
	}
	for _, body := range []string{`{}`, `null`, `{"request_id":"x"}`, `{"results":`} {
		if _, err := read([]byte(body), time.Second); err == nil {
			t.Errorf("%s was taken", body)
		}
	}
}

func TestARefusedKeyIsTheOperatorsConcern(t *testing.T) {
	_, err := recognizer(t, newStandIn(t).URL, "key-env=DG_KEY", "dg-wrong").Recognize(t.Context(),
		asr.Request{PCM: tone(time.Second)})
	if !fault.Is(err, fault.Unavailable) || !strings.Contains(err.Error(), "DG_KEY") ||
		strings.Contains(err.Error(), "dg-wrong") {
		t.Errorf("error %v", err)
	}
}

func TestNewRefusesParametersThatWouldChangeTheAnswer(t *testing.T) {
	for _, parameter := range reserved {
		e, err := remote.Parse("deepgram+http://h/?"+parameter+"=x", func(string) string { return "" })
		if err != nil {
			t.Fatal(err)
		}
		if _, err := New(e, nil); err == nil {
			t.Errorf("%s was taken", parameter)
		}
	}
}

// FuzzAnswers checks that every accepted answer complies with the contract of asr.Recognizer.
func FuzzAnswers(f *testing.F) {
	f.Add([]byte(`{"results":{"channels":[{"alternatives":[{"transcript":"a","words":[{"word":"a","start":-1,"end":1e300,"confidence":-4}]}]}]}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		words, err := read(body, time.Second)
		if err != nil {
			return
		}
		var last time.Duration
		for _, w := range words {
			if w.Text == "" || w.Start < last || w.End < w.Start || w.End > time.Second ||
				!(w.Confidence >= 0 && w.Confidence <= 1) {
				t.Fatalf("word %+v", w)
			}
			last = w.Start
		}
	})
}

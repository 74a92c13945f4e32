package openai

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
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

// standIn is a server with the transcription API. It rejects what OpenAI rejects, and returns a word for each loud
// half second, with times in the format of the real services.
type standIn struct {
	*httptest.Server
	forms  chan map[string][]string
	answer func(samples []int16) string
}

func newStandIn(t *testing.T, answer func(samples []int16) string) *standIn {
	s := &standIn{forms: make(chan map[string][]string, 100), answer: answer}
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(s.Close)
	return s
}

func (s *standIn) serve(w http.ResponseWriter, r *http.Request) {
	refuse := func(status int, why string) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		fmt.Fprintf(w, `{"error":{"message":%q,"type":"invalid_request_error","param":null,"code":null}}`, why)
	}
	if r.Method != http.MethodPost || r.URL.Path != "/v1/audio/transcriptions" {
		refuse(http.StatusNotFound, "Invalid URL")
		return
	}
	if r.Header.Get("Authorization") != "Bearer sk-test" {
		refuse(http.StatusUnauthorized, "Incorrect API key provided: "+r.Header.Get("Authorization"))
		return
	}
	if err := r.ParseMultipartForm(64 << 20); err != nil {
		return // the client disconnected
	}
	file, header, err := r.FormFile("file")
	if err != nil || !strings.HasSuffix(header.Filename, ".wav") {
		refuse(http.StatusBadRequest, "Invalid file format.")
		return
	}
	data, _ := io.ReadAll(file)
	samples, ok := parseWAV(data)
	switch {
	case !ok:
		refuse(http.StatusBadRequest, "Audio file might be corrupted or unsupported")
	case len(samples) < 1600:
		refuse(http.StatusBadRequest, "Audio file is too short. Minimum audio length is 0.1 seconds.")
	case r.FormValue("model") == "":
		refuse(http.StatusBadRequest, "you must provide a model parameter")
	case len(r.FormValue("language")) != 2:
		refuse(http.StatusBadRequest, "Invalid language. Language parameter must be specified in ISO-639-1 format.")
	default:
		form := map[string][]string{}
		for k, v := range r.MultipartForm.Value {
			form[k] = v
		}
		select {
		case s.forms <- form:
		default:
		}
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, s.answer(samples))
	}
}

func parseWAV(data []byte) ([]int16, bool) {
	if len(data) < 44 || string(data[:4]) != "RIFF" || string(data[8:16]) != "WAVEfmt " ||
		string(data[36:40]) != "data" ||
		int(binary.LittleEndian.Uint32(data[4:])) != len(data)-8 ||
		int(binary.LittleEndian.Uint32(data[40:])) != len(data)-44 ||
		binary.LittleEndian.Uint16(data[20:]) != 1 || binary.LittleEndian.Uint16(data[22:]) != 1 ||
		binary.LittleEndian.Uint32(data[24:]) != 16000 {
		return nil, false
	}
	samples := make([]int16, (len(data)-44)/2)
	for i := range samples {
		samples[i] = int16(binary.LittleEndian.Uint16(data[44+2*i:]))
	}
	return samples, true
}

// ticks returns an answer with a word for each loud half second, in OpenAI's format.
func ticks(samples []int16) string {
	type word struct {
		Word  string  `json:"word"`
		Start float64 `json:"start"`
		End   float64 `json:"end"`
	}
	words, text := []word{}, ""
	for i := 0; i+8000 <= len(samples); i += 8000 {
		if energy(samples[i:i+8000]) > 1000 {
			words = append(words, word{"Tick", float64(i) / 16000, float64(i+8000) / 16000})
			text += " Tick,"
		}
	}
	body, _ := json.Marshal(map[string]any{"task": "transcribe", "language": "english",
		"duration": float64(len(samples)) / 16000, "text": strings.TrimSpace(text), "words": words})
	return string(body)
}

func energy(samples []int16) float64 {
	sum := 0.0
	for _, s := range samples {
		sum += float64(s) * float64(s)
	}
	return math.Sqrt(sum / float64(len(samples)))
}

func tone(length time.Duration) *sound.PCM {
	pcm := &sound.PCM{Rate: 16000, Samples: make([]int16, int(length.Seconds()*16000))}
	for i := range pcm.Samples {
		pcm.Samples[i] = int16(8000 * math.Sin(float64(i)/10))
	}
	return pcm
}

func recognizer(t *testing.T, address, parameters string) *Recognizer {
	t.Helper()
	e, err := remote.Parse("openai+"+address+"/?"+parameters, func(string) string { return "sk-test" })
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
	r := recognizer(t, newStandIn(t, ticks).URL, "parallel=3")
	asrtest.Run(t, r, r.Info().MaxChunk, tone(3*time.Second))
}

func TestTheFormIsWhatTheAPIWants(t *testing.T) {
	s := newStandIn(t, ticks)
	r := recognizer(t, s.URL, "model=small.en&vad_filter=false")
	found, err := r.Recognize(t.Context(),
		asr.Request{PCM: tone(time.Second), Language: "en-US", Vocabulary: []vocabulary.Vocabulary{
			{Terms: []vocabulary.Term{{Text: "Gnocchi"}, {Text: "Contoso", Weight: 3}}},
			{Scripts: []string{"Thank you for calling."}},
		}})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{
		"model": {"small.en"}, "language": {"en"}, "response_format": {"verbose_json"},
		"timestamp_granularities[]": {"word", "segment"},
		"vad_filter":                {"false"}, "prompt": {"Thank you for calling. Contoso, Gnocchi."},
	}
	if form := <-s.forms; !reflect.DeepEqual(form, want) {
		t.Errorf("sent %v, want %v", form, want)
	}
	tick := asr.Word{Text: "tick", End: 500 * time.Millisecond, Confidence: remote.Unknown, Punctuated: "Tick,"}
	if len(found.Words) != 2 || found.Words[0] != tick || found.Warnings != nil {
		t.Errorf("heard %+v", found)
	}
}

func TestServicesThatTimeLessAreAskedForLess(t *testing.T) {
	for parameters, want := range map[string]map[string][]string{
		"times=segment":   {"response_format": {"verbose_json"}, "prompt": {"Contoso."}},
		"times=none":      {"response_format": {"json"}, "prompt": {"Contoso."}},
		"vocabulary=none": {"response_format": {"verbose_json"}, "timestamp_granularities[]": {"word", "segment"}},
		"vocabulary=hotwords": {"response_format": {"verbose_json"}, "timestamp_granularities[]": {"word", "segment"},
			"hotwords": {"Contoso"}},
	} {
		s := newStandIn(t, ticks)
		words := []vocabulary.Vocabulary{{Terms: []vocabulary.Term{{Text: "Contoso"}}}}
		if _, err := recognizer(t, s.URL, parameters).Recognize(t.Context(),
			asr.Request{PCM: tone(time.Second), Vocabulary: words}); err != nil {
			t.Fatal(err)
		}
		want["model"], want["language"] = []string{"whisper-1"}, []string{"en"}
		if form := <-s.forms; !reflect.DeepEqual(form, want) {
			t.Errorf("%s: sent %v, want %v", parameters, form, want)
		}
	}
}

func TestNewRefusesParametersThatWeSendOurselves(t *testing.T) {
	for _, parameters := range []string{"response_format=srt", "times=never", "vocabulary=all", "prompt=x"} {
		e, err := remote.Parse("openai+http://h/?"+parameters, func(string) string { return "" })
		if err != nil {
			t.Fatal(err)
		}
		if _, err := New(e, nil); err == nil {
			t.Errorf("%s was taken", parameters)
		}
	}
}

func TestARefusedKeyNamesItsVariableAndNotTheKey(t *testing.T) {
	e, err := remote.Parse("openai+"+newStandIn(t, ticks).URL, func(string) string { return "sk-wrong" })
	if err != nil {
		t.Fatal(err)
	}
	r, err := New(e, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = r.Recognize(t.Context(), asr.Request{PCM: tone(time.Second)})
	if !fault.Is(err, fault.Unavailable) || !strings.Contains(err.Error(), remote.DefaultKeyName) ||
		strings.Contains(err.Error(), "sk-wrong") {
		t.Errorf("error %v", err)
	}
}

func TestTermsThatDoNotFitIntoThePromptAreWarnedOf(t *testing.T) {
	var terms []vocabulary.Term
	for i := range 100 {
		terms = append(terms, vocabulary.Term{Text: fmt.Sprintf("Product %03d", i), Weight: float64(i % 2)})
	}
	s := newStandIn(t, ticks)
	found, err := recognizer(t, s.URL, "").Recognize(t.Context(),
		asr.Request{PCM: tone(time.Second), Vocabulary: []vocabulary.Vocabulary{{Terms: terms}}})
	if err != nil {
		t.Fatal(err)
	}
	prompt := (<-s.forms)["prompt"][0]
	if len(prompt) > budget+1 || !strings.HasPrefix(prompt, "Product 001, Product 003") || len(found.Warnings) != 1 ||
		!strings.Contains(found.Warnings[0], "43 vocabulary terms") {
		t.Errorf("prompt of %d bytes %q, warnings %q", len(prompt), prompt, found.Warnings)
	}
}

func TestVersionFollowsTheParameters(t *testing.T) {
	if a, b := recognizer(t, "http://h", "").Info().Version,
		recognizer(t, "http://h", "vad_filter=true").Info().Version; a == b {
		t.Errorf("both have version %q", a)
	}
}

package remote

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

func environment(name string) string {
	return map[string]string{DefaultKeyName: "usual-secret", "GPU_KEY": "gpu-secret\n"}[name]
}

func TestParseReadsTheOperatorsSetting(t *testing.T) {
	e, err := Parse("openai+http://gpu:8000/api/?model=small.en&languages=en-US+de-DE&name=gpu-1&parallel=8&chunk=60s&key-env=GPU_KEY&vad_filter=false", environment)
	if err != nil {
		t.Fatal(err)
	}
	if e.Shape != OpenAI || e.Name != "gpu-1" || e.Model != "small.en" || e.Parallel != 8 ||
		e.MaxChunk != time.Minute ||
		!reflect.DeepEqual(e.Languages, []string{"en-US", "de-DE"}) || e.Key.Secret() != "gpu-secret" ||
		e.Extra.Encode() != "vad_filter=false" {
		t.Errorf("parsed %+v", e)
	}
	if e, err = Parse("deepgram+https://api.deepgram.com", environment); err != nil {
		t.Fatal(err)
	}
	if e.Name != Deepgram || e.Parallel != 2 || !reflect.DeepEqual(e.Languages, []string{"en-US"}) ||
		e.Key.Secret() != "usual-secret" {
		t.Errorf("parsed %+v", e)
	}
}

func TestParseRefusesWhatCannotWorkWithoutRepeatingSecrets(t *testing.T) {
	for _, setting := range []string{
		"", "http://h/", "azure+http://h/", "openai+ftp://h/", "openai+http:///x", "openai+http://user:hunter2@h/",
		"openai+http://h/?name=UPPER",
		"openai+http://h/?parallel=0", "openai+http://h/?parallel=many", "openai+http://h/?chunk=1s",
		"openai+http://h/?languages=,", "openai+http://h/?a=%zz", "openai+http://h:port/hunter2",
	} {
		if _, err := Parse(setting, environment); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("Parse(%q): error %v", setting, err)
		}
	}
}

func TestAKeyIsNeverPrinted(t *testing.T) {
	e, err := Parse("openai+http://h/?key-env=GPU_KEY", environment)
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
		if text := fmt.Sprintf(format, e); strings.Contains(text, "gpu-secret") {
			t.Errorf("%s prints the key: %s", format, text)
		}
	}
}

func TestAnAddressMayNameTheMethodOrNot(t *testing.T) {
	for address, want := range map[string]string{
		"http://h":                         "http://h/v1/audio/transcriptions",
		"http://h/":                        "http://h/v1/audio/transcriptions",
		"http://h/v1":                      "http://h/v1/audio/transcriptions",
		"http://h/gpu/v1/":                 "http://h/gpu/v1/audio/transcriptions",
		"http://h/inference":               "http://h/inference",
		"http://h/x/audio/transcriptions":  "http://h/x/audio/transcriptions",
		"http://h/v1/audio/transcriptions": "http://h/v1/audio/transcriptions",
	} {
		e, err := Parse("openai+"+address, environment)
		if err != nil {
			t.Fatal(err)
		}
		if got := e.Path("/v1/audio/transcriptions", "/transcriptions", "/inference").String(); got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
}

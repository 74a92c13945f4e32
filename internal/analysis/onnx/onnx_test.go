package onnx

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"parley/internal/words/fault"
)

// network writes the files of an invalid network, and returns its folder.
func network(t *testing.T, parent, name string, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(parent, name)
	for file, content := range files {
		path := filepath.Join(dir, file)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const twoLabels = `{"id2label":{"1":"good","0":"bad"},"model_type":"bert"}`

// program writes a shell script that acts as parley-onnx.
func program(t *testing.T, script string) *Runner {
	t.Helper()
	path := filepath.Join(t.TempDir(), "parley-onnx")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o700); err != nil {
		t.Fatal(err)
	}
	return &Runner{Program: path}
}

func TestNetworksAreFoundAndWhatIsNoneIsSaid(t *testing.T) {
	parent := t.TempDir()
	network(t, parent, "b", map[string]string{"config.json": twoLabels, "tokenizer.json": "{}",
		"onnx/model.onnx": "12345"})
	network(t, parent, "a", map[string]string{"config.json": twoLabels, "tokenizer.json": "{}", "model.onnx": "1"})
	network(t, parent, ".hidden", map[string]string{"config.json": twoLabels})
	for name, files := range map[string]map[string]string{
		"no config":    {"tokenizer.json": "{}", "model.onnx": "1"},
		"no tokenizer": {"config.json": twoLabels, "model.onnx": "1"},
		"no model":     {"config.json": twoLabels, "tokenizer.json": "{}"},
		"one label":    {"config.json": `{"id2label":{"0":"a"}}`, "tokenizer.json": "{}", "model.onnx": "1"},
		"a gap":        {"config.json": `{"id2label":{"0":"a","2":"b"}}`, "tokenizer.json": "{}", "model.onnx": "1"},
		"no json":      {"config.json": `{`, "tokenizer.json": "{}", "model.onnx": "1"},
	} {
		network(t, parent, name, files)
	}
	found, problems := Find(parent)
	if len(found) != 2 || found[0].Name != "a" || found[1].Name != "b" ||
		!slices.Equal(found[1].Labels, []string{"bad", "good"}) ||
		found[1].File != filepath.Join("onnx", "model.onnx") || found[1].Size != 5 || found[0].ID == found[1].ID ||
		len(found[0].ID) != 36 {
		t.Errorf("%+v", found)
	}
	if said := fmt.Sprint(problems); len(problems) != 6 || !strings.Contains(said, "no tokenizer") ||
		!strings.Contains(said, "no model.onnx") {
		t.Error(said)
	}
	again, _ := Find(parent)
	if again[0].ID != found[0].ID {
		t.Error("the id of a network changes")
	}
	if found, problems := Find(filepath.Join(parent, "nowhere")); found != nil || problems != nil {
		t.Errorf("a folder that is not there: %v, %v", found, problems)
	}
}

func TestProbabilitiesAreTheMeanOverWindows(t *testing.T) {
	n, err := Describe(network(t, t.TempDir(), "n",
		map[string]string{"config.json": twoLabels, "tokenizer.json": "{}", "model.onnx": "1"}))
	if err != nil {
		t.Fatal(err)
	}
	r := program(t, `[ "$1 $2 $3" = "classify --model `+n.Dir+`" ] || exit 1
echo '{"scores":[0.5,0.5]}'; while read line; do case "$line" in *first*) ;; *) echo '{"scores":[0.25,0.75]}';; esac; done`)
	words := append([]string{"first"}, slices.Repeat([]string{"word"}, 3*window)...)
	got, err := r.Judge(t.Context(), n, words)
	if err != nil || len(got) != 2 || got[0] < .3 || got[0] > .32 {
		t.Errorf("%v (%v)", got, err)
	}
	if texts := windows(words); len(texts) != 4 || len(strings.Fields(texts[0].Text)) > window ||
		len(windows(nil)) != 1 {
		t.Errorf("%d windows", len(texts))
	}
}

func TestAProgramThatFailsIsSaidToBeUnavailable(t *testing.T) {
	n, err := Describe(network(t, t.TempDir(), "n",
		map[string]string{"config.json": twoLabels, "tokenizer.json": "{}", "model.onnx": "1"}))
	if err != nil {
		t.Fatal(err)
	}
	for script, want := range map[string]string{
		"while read x; do :; done; echo what went wrong >&2; exit 3":        "what went wrong",
		"while read x; do :; done":                                          "answer",
		"while read x; do :; done; echo '{\"error\":\"no such operator\"}'": "no such operator",
		"while read x; do :; done; echo '{\"scores\":[1]}'":                 "1 scores for 2 labels",
		"while read x; do :; done; echo '{\"scores\":[1,1]}'":               "the scores add up to 2",
		"while read x; do :; done; echo '{\"scores\":[-1,2]}'":              "invalid score -1",
		"while read x; do :; done; echo garbage":                            "unreadable",
	} {
		_, err := program(t, script).Judge(t.Context(), n, []string{"a"})
		if !fault.Is(err, fault.Unavailable) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", script, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := program(t, "cat").Judge(ctx, n, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	for script, right := range map[string]bool{"echo " + Greeting: true, "echo parley-onnx 0": false, "exit 1": false} {
		if err := program(t, script).Check(t.Context()); (err == nil) != right {
			t.Errorf("%s: %v", script, err)
		}
	}
}

func FuzzMean(f *testing.F) {
	f.Add([]byte(`{"scores":[0.5,0.5]}`+"\n"+`{"scores":[1,0]}`), 2)
	f.Add([]byte(`{"error":"x"}`), 1)
	f.Fuzz(func(t *testing.T, lines []byte, questions int) {
		scores, err := mean(lines, questions, 2)
		if err == nil && (len(scores) != 2 || scores[0]+scores[1] < .9 || scores[0]+scores[1] > 1.1) {
			t.Fatalf("%v", scores)
		}
	})
}

package api_test

import (
	"os"
	"path/filepath"
	"testing"

	"parley/internal/operation/config"
	"parley/internal/testkit/servertest"
)

func TestNetworksOfTheOperatorAreClassifiersOfAllAccounts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	program := filepath.Join(dir, "parley-onnx")
	for path, content := range map[string]string{
		program: `#!/bin/sh
[ "$1" = version ] && { echo parley-onnx 1; exit; }
while read -r line || [ -n "$line" ]; do case "$line" in *'Please, hurry up!'*) echo '{"scores":[0.1,0.7,0.2]}'; exit;; esac; done`,
		filepath.Join(dir, "urgency", "config.json"):    `{"id2label":{"0":"low","1":"high","2":"none"}}`,
		filepath.Join(dir, "urgency", "tokenizer.json"): "{}",
		filepath.Join(dir, "urgency", "model.onnx"):     "x",
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	s := servertest.Start(t, servertest.Options{Settings: func(c *config.Settings) {
		c.Networks, c.Onnx = dir, program
	}})
	described := ok(t, s.Get(t, classifiers+"/urgency")).JSON(t)
	if described["builtIn"] != true || described["classifierType"] != "multiclass" ||
		len(described["classes"].([]any)) != 3 {
		t.Errorf("%v", described)
	}
	words := servertest.Field("transcript",
		`{"words":[{"s":0,"e":200,"w":"Please"},{"s":200,"e":200,"m":"punc","w":","},{"s":300,"e":400,"w":"hurry"},
		{"s":500,"e":600,"w":"up"},{"s":600,"e":600,"m":"punc","w":"!"}]}`)
	item := s.Await(t, s.Submit(t, sampleCall, words, judging(`{"classifierName":"Urgency"}`)))
	found := at(t, at(t, item, "prediction", "classifiers").([]any)[0])
	if at(t, found, "predictedClassLabel") != "high" || at(t, found, "predictionScore") != .7 ||
		at(t, found, "classifierVersion") != "1.0.0" {
		t.Errorf("%v", found)
	}
	trainNew(t, s, "urgency") // the account's own classifier takes precedence
	item = s.Await(t, s.Submit(t, sampleCall, words, judging(`{"classifierName":"urgency"}`)))
	if got := at(t, at(t, item, "prediction", "classifiers").([]any)[0], "classifierVersion"); got != "1" {
		t.Errorf("version %v", got)
	}
}

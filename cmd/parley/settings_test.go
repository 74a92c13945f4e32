package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

func TestAMistakeInASettingsFileIsToldWithTheFile(t *testing.T) {
	for content, want := range map[string]string{
		"workers: [": "yaml", "wrokers: 3\nlisten: 127.0.0.1:0\n": "unknown flag wrokers",
	} {
		path := filepath.Join(t.TempDir(), "parley.yaml")
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		p, err := kong.New(new(cli), offers, kong.Configuration(yamlSettings))
		if err != nil {
			t.Fatal(err)
		}
		if _, err = p.Parse([]string{"version", "--config", path}); err == nil ||
			!strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", content, err)
		}
	}
}

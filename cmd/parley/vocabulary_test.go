package main

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"parley/internal/flow/pipeline"
	"parley/internal/speech/asr"
	"parley/internal/words/vocabulary"
)

// wordsOf returns the vocabularies that transcribe uses when it is run with files of the given contents.
func wordsOf(t *testing.T, contents ...string) ([]vocabulary.Vocabulary, error) {
	t.Helper()
	c := &transcribeCommand{Language: "en-US"}
	for _, content := range contents {
		path := filepath.Join(t.TempDir(), "list")
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		c.Vocabulary = append(c.Vocabulary, path)
	}
	p, err := c.plan(pipeline.Engine{Info: asr.Info{Engine: "e", Model: "m", Languages: []string{"en-US"}}})
	if err != nil {
		return nil, err
	}
	return p.Recognition.Vocabulary, nil
}

func TestVocabularyFilesAreTextOrJSON(t *testing.T) {
	products := vocabulary.Vocabulary{Terms: []vocabulary.Term{{Text: "Contoso", SoundsLike: []string{"con toso"},
		Weight: 2}, {Text: "Fabrikam One"}}}
	plain := vocabulary.Vocabulary{Terms: []vocabulary.Term{{Text: "Contoso"}, {Text: "Fabrikam One"}}}
	for content, want := range map[string]vocabulary.Vocabulary{
		"Contoso\r\n\n  Fabrikam One ":  plain,
		"\ufeffContoso\nFabrikam One\n": plain,
		`[{"term":"Contoso","soundsLike":["con toso"],"weight":2},{"term":"Fabrikam One"}]`:                                                                     products,
		`{"_links":{},"vocabularyName":"p","vocabularyType":"terms","terms":[{"term":"Contoso","soundsLike":["con toso"],"weight":2},{"term":"Fabrikam One"}]}`: products,
		`{"vocabularyType":"scripts","scripts":[{"script":"thank you for calling"}]}`:                                                                           {Scripts: []string{"thank you for calling"}},
	} {
		if got, err := wordsOf(t, content); err != nil || !reflect.DeepEqual(got, []vocabulary.Vocabulary{want}) {
			t.Errorf("%s: %v, %+v", content, err, got)
		}
	}
	if got, err := wordsOf(t, "Contoso", `{"scripts":[{"script":"thank you"}]}`); err != nil || len(got) != 2 {
		t.Errorf("two files: %v, %+v", err, got)
	}
	if got, err := wordsOf(t); err != nil || got != nil {
		t.Errorf("no file: %v, %+v", err, got)
	}
}

func TestWrongVocabularyFilesSayWhatIsWrong(t *testing.T) {
	for content, want := range map[string]string{
		"":                          "no term",
		" \n":                       "no term",
		`{"terms":`:                 "unexpected end",
		`[{"term":"x","weight":7}]`: "--vocabulary ",
		`{"words":["x"]}`:           `"words"`,
		strings.Repeat("x", 65):     "65 characters",
		"Contoso\nContoso":          "more than once",
	} {
		if got, err := wordsOf(t, content); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, %+v", content, err, got)
		}
	}
}

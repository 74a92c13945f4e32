package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"parley/internal/wire"
)

// readVocabulary returns the custom words in a file as an element of a configuration: JSON as it is saved on
// a server, a JSON list of its terms, or text with one term a line.
func readVocabulary(path string) (any, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	switch text = bytes.TrimSpace(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))); {
	case bytes.HasPrefix(text, []byte("{")):
		return content(text, path)
	case bytes.HasPrefix(text, []byte("[")):
		return content([]byte(`{"terms":`+string(text)+`}`), path)
	}
	var terms []wire.Term
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" {
			terms = append(terms, wire.Term{Term: line})
		}
	}
	if terms == nil {
		return nil, fmt.Errorf("%s: no term; write one a line", path)
	}
	return map[string]any{"terms": terms}, nil
}

// content returns a vocabulary without what it has only on a server: the configuration it goes into is
// checked as a whole.
func content(text []byte, path string) (any, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for _, name := range []string{"_links", "vocabularyName", "vocabularyType"} {
		delete(members, name)
	}
	return members, nil
}

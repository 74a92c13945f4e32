package main

import (
	"bytes"
	"encoding/json"
	"fmt"

	"parley/internal/call/wire"
	"parley/internal/terminal/textfile"
)

// readVocabulary returns the custom words in a file as an element of a configuration. The file is JSON as saved on a
// server, a JSON list of its terms, or text with one term per line.
func readVocabulary(path string) (any, error) {
	text, err := textfile.Read(path)
	if err != nil {
		return nil, err
	}
	switch text = bytes.TrimSpace(text); {
	case bytes.HasPrefix(text, []byte("{")):
		return content(text, path)
	case bytes.HasPrefix(text, []byte("[")):
		return content([]byte(`{"terms":`+string(text)+`}`), path)
	}
	lines := linesOf(text)
	if lines == nil {
		return nil, fmt.Errorf("%s: no terms; write one per line", path)
	}
	return map[string]any{"terms": termsOf(lines)}, nil
}

func termsOf(lines []string) []wire.Term {
	terms := make([]wire.Term, len(lines))
	for i, line := range lines {
		terms[i] = wire.Term{Term: line}
	}
	return terms
}

// content returns a vocabulary without the fields that it has only on a server. It is validated as part of the
// configuration.
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

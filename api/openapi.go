// Package openapi embeds the description of the HTTP API: openapi.yaml, written by hand.
//
// It does not serve the description or generate code from it; tests compare it with the code.
package openapi

import (
	_ "embed"
	"encoding/json"
	"fmt"

	"go.yaml.in/yaml/v3"
)

//go:embed openapi.yaml
var source []byte

// JSON returns the description as JSON. Keys have the order of the file, which documentation generators also use.
func JSON() ([]byte, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(source, &document); err != nil {
		return nil, fmt.Errorf("openapi.yaml: %w", err)
	}
	return encode(nil, &document)
}

// encode appends a node as JSON.
func encode(out []byte, n *yaml.Node) ([]byte, error) {
	switch n.Kind {
	case yaml.DocumentNode:
		return encode(out, n.Content[0])
	case yaml.AliasNode:
		return encode(out, n.Alias)
	case yaml.MappingNode:
		return encodeAll(append(out, '{'), '}', members(n))
	case yaml.SequenceNode:
		return encodeAll(append(out, '['), ']', n.Content)
	}
	var value any
	if err := n.Decode(&value); err != nil {
		return nil, fmt.Errorf("openapi.yaml, line %d: %w", n.Line, err)
	}
	text, err := json.Marshal(value)
	return append(out, text...), err
}

// encodeAll appends nodes and the closing bracket; the opening one is already written. The nodes are items, or
// alternating keys and values.
func encodeAll(out []byte, closing byte, nodes []*yaml.Node) ([]byte, error) {
	var err error
	for i, n := range nodes {
		switch {
		case closing == '}' && i%2 == 1:
			out = append(out, ':')
		case i > 0:
			out = append(out, ',')
		}
		if closing == '}' && i%2 == 0 {
			n = &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: n.Value}
		}
		if out, err = encode(out, n); err != nil {
			return nil, err
		}
	}
	return append(out, closing), nil
}

// members returns the keys and values of a mapping, with the members of << merges in their place.
func members(n *yaml.Node) []*yaml.Node {
	var all []*yaml.Node
	for i := 0; i < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if key.Tag == "!!merge" {
			all = append(all, members(value.Alias)...)
			continue
		}
		all = append(all, key, value)
	}
	return all
}

// Package onnx has the text classification networks of the operator: which there are, and how the program parley-onnx
// is asked for what they say.
//
// A network is a folder as Hugging Face lays them out: config.json with id2label, tokenizer.json, and model.onnx in it
// or in its folder onnx. This package runs no networks; the program does, which is a module of its own.
package onnx

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"parley/internal/analysis/classify"
	"parley/internal/words/fault"
)

// Network is a text classification network.
type Network struct {
	classify.Description
	Dir  string
	File string // the network, below Dir
	Size int64  // bytes of the file
}

// space is what the ids of networks are derived in.
var space = uuid.MustParse("a9a4a3f4-35e1-4f2c-8f6f-0f3b1a5d7e90")

// version is what networks say theirs is: the folder does not tell, and another network goes under another name.
const version = "1.0.0"

// Find returns the networks of a folder, by name, and what is wrong with folders that are none. A folder that is not
// there has none.
func Find(dir string) (found []Network, problems []error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !os.IsNotExist(err) {
		return nil, []error{err}
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") {
			continue
		}
		n, err := Describe(filepath.Join(dir, e.Name()))
		if err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", filepath.Join(dir, e.Name()), err))
			continue
		}
		found = append(found, n)
	}
	return found, problems
}

// Describe reads what a folder says of its network. Its name is the folder's.
func Describe(dir string) (Network, error) {
	n := Network{Dir: dir}
	labels, err := readLabels(filepath.Join(dir, "config.json"))
	if err != nil {
		return n, err
	}
	if _, err := os.Stat(filepath.Join(dir, "tokenizer.json")); err != nil {
		return n, fmt.Errorf("no tokenizer.json; export the network with its tokenizer")
	}
	for _, file := range []string{"model.onnx", filepath.Join("onnx", "model.onnx")} {
		if info, err := os.Stat(filepath.Join(dir, file)); err == nil && info.Mode().IsRegular() {
			name := filepath.Base(dir)
			n.File, n.Size = file, info.Size()
			n.Description = classify.Description{
				ID: uuid.NewSHA1(space, []byte(name)).String(), Name: name, DisplayName: name, Version: version,
				Labels: labels,
			}
			return n, nil
		}
	}
	return n, fmt.Errorf("no model.onnx; export the network to ONNX")
}

func readLabels(path string) ([]string, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var config struct {
		Labels map[string]string `json:"id2label"`
	}
	if err := json.Unmarshal(raw, &config); err != nil {
		return nil, fmt.Errorf("config.json: %w", err)
	}
	labels := make([]string, len(config.Labels))
	for id, label := range config.Labels {
		i, err := strconv.Atoi(id)
		if err != nil || i < 0 || i >= len(labels) || label == "" {
			return nil, fmt.Errorf("config.json: id2label has no label for each number from 0")
		}
		labels[i] = label
	}
	if len(labels) < 2 || slices.Contains(labels, "") {
		return nil, fmt.Errorf("config.json: id2label has fewer than two labels")
	}
	return labels, nil
}

func unavailable(format string, args ...any) error {
	return fault.New(fault.Unavailable, fault.CodeUnavailable, format, args...)
}

// Package onnx manages the operator's text classification networks: it lists them and asks the program parley-onnx for
// their predictions.
//
// A network is a folder in the layout of Hugging Face: config.json with id2label, tokenizer.json, and model.onnx, in
// the folder itself or in its subfolder onnx. This package does not run networks; the program does, and it is a module
// of its own.
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
)

// Network is a text classification network.
type Network struct {
	classify.Description
	Dir  string
	File string // path of the network, relative to Dir
	Size int64  // size of the file in bytes
}

// space is the UUID namespace of the ids of networks.
var space = uuid.MustParse("a9a4a3f4-35e1-4f2c-8f6f-0f3b1a5d7e90")

// version is reported for all networks: the folder holds no version, and a changed network gets another name.
const version = "1.0.0"

// Find returns the networks in a folder, sorted by name, and the problems of invalid subfolders. A missing folder has
// no networks.
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

// Describe reads the metadata of the network in a folder. Its name is that of the folder.
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
			return nil, fmt.Errorf("config.json: id2label must have a label for each number from 0")
		}
		labels[i] = label
	}
	if len(labels) < 2 || slices.Contains(labels, "") {
		return nil, fmt.Errorf("config.json: id2label has fewer than two labels")
	}
	return labels, nil
}

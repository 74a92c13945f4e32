// Parley-onnx runs text classification networks: it loads one with hugot, reads lines of JSON with a text from its
// standard input, and answers each with a line of JSON with the probability of each label. "parley serve" starts it.
//
// It is a separate module, because the packages that run networks are large and the rest of Parley does not need them.
// It needs no cgo.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/knights-analytics/hugot"
	"github.com/knights-analytics/hugot/pipelines"

	"parley/internal/analysis/onnx"
)

const usage = `usage: parley-onnx version
       parley-onnx classify --model DIR`

func main() {
	if err := run(os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "parley-onnx:", err)
		os.Exit(1)
	}
}

// run is main without access to the process.
func run(args []string, in io.Reader, out io.Writer) error {
	switch {
	case len(args) == 1 && args[0] == "version":
		_, err := fmt.Fprintln(out, onnx.Greeting)
		return err
	case len(args) > 0 && args[0] == "classify":
		return classify(args[1:], in, out)
	}
	return errors.New(usage)
}

// classify answers requests until the input ends.
func classify(args []string, in io.Reader, out io.Writer) (err error) {
	flags := flag.NewFlagSet("classify", flag.ContinueOnError)
	dir := flags.String("model", "", "folder of the network")
	if err := flags.Parse(args); err != nil {
		return err
	}
	network, err := onnx.Describe(*dir)
	if err != nil {
		return err
	}
	if err := os.Chdir(network.Dir); err != nil { // hugot finds files in subfolders relative to the working directory
		return err
	}
	session, err := hugot.NewGoSession()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, session.Destroy()) }()
	pipeline, err := hugot.NewPipeline(session, hugot.TextClassificationConfig{
		ModelPath: ".", OnnxFilename: filepath.Base(network.File), Name: network.Name,
		Options: []hugot.TextClassificationOption{pipelines.WithSoftmax(), pipelines.WithMultiLabel()},
	})
	if err != nil {
		return err
	}
	return answer(pipeline, network.Labels, in, out)
}

func answer(pipeline *pipelines.TextClassificationPipeline, labels []string, in io.Reader, out io.Writer) error {
	questions, answers := json.NewDecoder(bufio.NewReader(in)), json.NewEncoder(out)
	for {
		var q onnx.Question
		if err := questions.Decode(&q); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if err := answers.Encode(judge(pipeline, labels, q.Text)); err != nil {
			return err
		}
	}
}

// judge classifies one text.
func judge(pipeline *pipelines.TextClassificationPipeline, labels []string, text string) onnx.Answer {
	output, err := pipeline.RunPipeline([]string{text})
	if err != nil {
		return onnx.Answer{Error: err.Error()}
	}
	if len(output.ClassificationOutputs) != 1 || len(output.ClassificationOutputs[0]) != len(labels) {
		return onnx.Answer{Error: "the network does not return one score per label"}
	}
	a := onnx.Answer{}
	for _, s := range output.ClassificationOutputs[0] {
		a.Scores = append(a.Scores, float64(s.Score))
	}
	return a
}

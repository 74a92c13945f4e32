package onnx

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"parley/internal/host/sandbox"
	"parley/internal/words/fault"
)

// Greeting is the program's answer to "version". It identifies the protocol, which must match that of this package.
const Greeting = "parley-onnx 1"

// Question is one line of the program's input: a text to classify.
type Question struct {
	Text string `json:"text"`
}

// Answer is one line of its output, for one question: a probability per label, or an error.
type Answer struct {
	Scores []float64 `json:"scores,omitempty"`
	Error  string    `json:"error,omitempty"`
}

// Runner runs networks in processes of the program, one process per call, so that a network uses memory only while it
// is in use.
type Runner struct {
	Program string
	Nice    int // added to the niceness
}

// Limits of a process.
const (
	loadTime   = 2 * time.Minute  // to load a network
	windowTime = 20 * time.Second // per window of a text
	baseMemory = 1 << 30          // bytes, plus four times the size of the network's file
	mostAnswer = 64 << 20         // bytes
)

// window is the number of words that are classified together. A window has fewer tokens than the input limit of
// networks.
const window = 180

// Check verifies that the program exists and speaks the protocol.
func (r *Runner) Check(ctx context.Context) error {
	version := sandbox.Errand{Command: []string{r.Program, "version"}, Time: 10 * time.Second, Most: 500}
	err := version.Run(ctx, nil, func(answer []byte) error {
		if got := strings.TrimSpace(string(answer)); got != Greeting {
			return fmt.Errorf("its version is %.80q, not %q", got, Greeting)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("%s: %w; build it with make onnx", r.Program, err)
	}
	return nil
}

// Judge returns the probability of each label of a network for a text, given by its words: the mean over windows of
// words. The error is of kind Unavailable, unless ctx ended.
func (r *Runner) Judge(ctx context.Context, n Network, words []string) (scores []float64, err error) {
	questions := windows(words)
	classify := sandbox.Errand{
		Command: []string{r.Program, "classify", "--model", n.Dir},
		Limits: sandbox.Limits{Memory: baseMemory + 4*uint64(n.Size), Nice: r.Nice,
			Access: sandbox.Access{Read: []string{n.Dir}, Scratch: true}},
		Time: loadTime + time.Duration(len(questions))*windowTime, Most: mostAnswer,
	}
	err = classify.Run(ctx, func(in io.Writer) error { return encode(in, questions) }, func(answer []byte) (err error) {
		scores, err = mean(answer, len(questions), len(n.Labels))
		return err
	})
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, fault.New(fault.Unavailable, fault.CodeUnavailable, "the network %s: %w", n.Name, err)
	}
	return scores, nil
}

func encode(to io.Writer, questions []Question) error {
	lines := json.NewEncoder(to)
	for _, q := range questions {
		if err := lines.Encode(q); err != nil {
			return err
		}
	}
	return nil
}

// windows splits a text into pieces of about the same length; there is at least one.
func windows(words []string) []Question {
	n := max(1, (len(words)+window-1)/window)
	list := make([]Question, n)
	for i := range list {
		list[i].Text = strings.Join(words[i*len(words)/n:(i+1)*len(words)/n], " ")
	}
	return list
}

// mean parses the answers and returns the mean of their scores.
func mean(lines []byte, questions, labels int) ([]float64, error) {
	total := make([]float64, labels)
	answers := bytes.Split(bytes.TrimSpace(lines), []byte("\n"))
	if len(answers) != questions {
		return nil, fmt.Errorf("%d answers for %d texts", len(answers), questions)
	}
	for _, line := range answers {
		var a Answer
		if err := json.Unmarshal(line, &a); err != nil {
			return nil, fmt.Errorf("unreadable answer: %w", err)
		}
		if a.Error != "" {
			return nil, errors.New(a.Error)
		}
		if len(a.Scores) != labels {
			return nil, fmt.Errorf("%d scores for %d labels", len(a.Scores), labels)
		}
		sum := 0.0
		for i, s := range a.Scores {
			if s < 0 || s > 1 {
				return nil, fmt.Errorf("invalid score %g", s)
			}
			total[i] += s / float64(questions)
			sum += s
		}
		if math.Abs(sum-1) > .01 {
			return nil, fmt.Errorf("the scores add up to %g, not 1", sum)
		}
	}
	return total, nil
}

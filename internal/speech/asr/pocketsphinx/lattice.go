package pocketsphinx

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// lattice is an acyclic word graph of an utterance: words with their possible starts, and acoustic scores up to the
// next word.
type lattice struct {
	nodes          []node
	initial, final int
}

// node is a word or filler with its start.
type node struct {
	entry string // dictionary entry
	word  string // without the suffix of its pronunciation; empty for a filler
	start int    // frame
	exits []exit
}

// exit is an edge to a possible next node.
type exit struct {
	to       int
	acoustic float64 // log likelihood of the audio from the word's start to that of the next
}

// impossible is the library's score for ends that were not reached.
const impossible = -300_000_000

// readLattice reads the text format of ps_lattice_write.
func readLattice(from io.Reader) (*lattice, error) {
	l := &lattice{initial: -1, final: -1}
	scanner := bufio.NewScanner(from)
	line := l.header
	for scanner.Scan() {
		text := scanner.Text()
		fields := strings.Fields(text)
		if len(fields) == 0 || text[0] == '#' {
			continue
		}
		switch fields[0] {
		case "Nodes":
			line = l.node
		case "Edges":
			line = l.edge
		case "Frames", "Initial", "Final", "BestSegAscr", "End":
			line = l.header
			fallthrough
		default:
			if err := line(fields); err != nil {
				return nil, fmt.Errorf("lattice: line %q: %w", text, err)
			}
		}
	}
	if err := scanner.Err(); err != nil {
		return nil, err
	}
	return l, l.check()
}

// header parses the numbers of the first and the last node; other lines are ignored.
func (l *lattice) header(fields []string) (err error) {
	switch {
	case len(fields) < 2:
	case fields[0] == "Initial":
		err = numbers(fields[1:], &l.initial)
	case fields[0] == "Final":
		err = numbers(fields[1:], &l.final)
	}
	return err
}

// node parses number, entry and start; the remaining fields are ignored.
func (l *lattice) node(fields []string) error {
	if len(fields) < 3 {
		return errors.New("too short")
	}
	n := node{entry: fields[1]}
	if spoken(n.entry) != "" {
		n.word = variant.ReplaceAllString(n.entry, "")
	}
	l.nodes = append(l.nodes, n)
	return numbers(fields[2:3], &l.nodes[len(l.nodes)-1].start)
}

// edge parses from, to and score.
func (l *lattice) edge(fields []string) error {
	if len(fields) < 3 {
		return errors.New("too short")
	}
	var from, to, score int
	if err := numbers(fields, &from, &to, &score); err != nil {
		return err
	}
	if from < 0 || from >= len(l.nodes) || to < 0 || to >= len(l.nodes) {
		return errors.New("unknown node")
	}
	if score > impossible {
		l.nodes[from].exits = append(l.nodes[from].exits, exit{to, float64(score) * math.Log(logBase)})
	}
	return nil
}

// numbers parses fields as integers.
func numbers(fields []string, into ...*int) error {
	for i, n := range into {
		value, err := strconv.Atoi(fields[i])
		if err != nil {
			return err
		}
		*n = value
	}
	return nil
}

// check rejects a lattice with a missing start or end, or with cycles.
func (l *lattice) check() error {
	if l.initial < 0 || l.initial >= len(l.nodes) || l.final < 0 || l.final >= len(l.nodes) {
		return errors.New("lattice: the initial or the final node is missing")
	}
	for _, n := range l.nodes {
		for _, e := range n.exits {
			if l.nodes[e.to].start <= n.start && e.to != l.final {
				return errors.New("lattice: a word ends before it starts")
			}
		}
	}
	l.nodes[l.final].exits = nil
	return nil
}

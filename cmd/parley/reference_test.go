package main

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"parley/internal/testkit/verify"
)

const (
	referencePage = "../../docs/cli.md"
	referenceMark = "<!-- The help of each command follows; PARLEY_GOLDEN=write go test ./cmd/parley " +
		"-run TestTheReferenceOfCommands writes it. -->\n"
)

// exited is the value that the parser panics with instead of ending the program.
type exited struct{}

// helpOf returns what the program prints for a command with --help.
func helpOf(t *testing.T, parser *kong.Kong, command string) string {
	t.Helper()
	var out bytes.Buffer
	parser.Stdout = &out
	parser.Exit = func(int) { panic(exited{}) }
	func() {
		defer func() {
			if r := recover(); r != nil && r != (exited{}) {
				panic(r)
			}
		}()
		_, err := parser.Parse(append(strings.Fields(command), "--help"))
		t.Fatalf("%s --help: %v", command, err)
	}()
	return out.String()
}

// elsewhere lists the groups of commands that other pages describe, since they concern a server and its machine.
var elsewhere = []string{"Server", "Without a server", "Administration", "Measuring"}

// commands returns the commands of the page that can be run, in the order of the help.
func commands(node *kong.Node) (all []string) {
	for _, c := range node.Children {
		switch {
		case c.Hidden || c.Group != nil && slices.Contains(elsewhere, c.Group.Title):
		case len(c.Children) > 0:
			all = append(all, commands(c)...)
		default:
			path := c.Name
			for p := c.Parent; p != nil && p.Type == kong.CommandNode; p = p.Parent {
				path = p.Name + " " + path
			}
			all = append(all, path)
		}
	}
	return all
}

// TestTheReferenceOfCommandsIsWhatTheySay compares docs/cli.md with the help of the program.
func TestTheReferenceOfCommandsIsWhatTheySay(t *testing.T) {
	t.Setenv("COLUMNS", "100")
	var b strings.Builder
	parser := newParser(t.Context())
	for _, command := range commands(parser.Model.Node) {
		fmt.Fprintf(&b, "\n## parley %s\n\n```text\n%s```\n", command, trimmed(helpOf(t, parser, command)))
	}
	page, err := os.ReadFile(referencePage)
	if err != nil {
		t.Fatal(err)
	}
	head, _, ok := strings.Cut(string(page), referenceMark)
	if !ok {
		t.Fatalf("%s lacks the line %s", referencePage, referenceMark)
	}
	verify.Same(t, referencePage, []byte(head+referenceMark+b.String()))
	for line := range strings.Lines(helpOf(t, parser, "")) {
		if name, _, ok := strings.Cut(strings.TrimPrefix(line, "  "), "  "); ok && strings.HasPrefix(line, "  ") &&
			!strings.HasPrefix(name, " ") && !strings.HasPrefix(name, "-") {
			if !strings.Contains(head, "`"+name+"`") {
				t.Errorf("the table of %s lacks the command %s", referencePage, name)
			}
		}
	}
}

// trimmed returns a text without white space at the ends of lines.
func trimmed(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	return b.String()
}

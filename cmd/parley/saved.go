package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/alecthomas/kong"

	"parley/internal/call/wire"
	"parley/internal/terminal/client"
	"parley/internal/terminal/textfile"
)

// definitionsCommand manages what an account saves under names: categories, keyword groups or vocabularies.
type definitionsCommand struct {
	List   definitionsList   `cmd:"" help:"List the ${kinds}."`
	Get    definitionsGet    `cmd:"" help:"Print a ${kind} as JSON, in the form that put accepts."`
	Put    definitionsPut    `cmd:"" help:"Save a ${kind}, or replace the one with that name."`
	Delete definitionsDelete `cmd:"" help:"Delete ${kinds}. Recordings keep their results; reprocessing one whose configuration names a deleted ${kind} fails unless it is given another configuration."`
}

// savedKind describes a kind of definition for the commands.
type savedKind struct {
	of   client.Definitions
	list func(p printing, body []byte, err error) error
	text func(lines []string) any // makes a definition from a file that is not JSON
}

// savedKinds maps the names of commands to kinds.
var savedKinds = map[string]savedKind{
	"categories": {client.Categories, listOf(func(list wire.Categories) [][]any {
		row := func(c wire.Category) []any { return []any{c.Name, short(c.Description)} }
		return rowsOf(list.Categories, row, "CATEGORY", "DESCRIPTION")
	}), func(lines []string) any { return map[string]any{"query": strings.Join(lines, "\n")} }},
	"groups": {client.Groups, listOf(func(list wire.Groups) [][]any {
		row := func(g wire.Group) []any { return []any{g.Name, short(strings.Join(g.Keywords, ", "))} }
		return rowsOf(list.Groups, row, "GROUP", "KEYWORDS")
	}), func(lines []string) any { return map[string]any{"keywords": lines} }},
	"vocabularies": {client.Vocabularies, listOf(func(list wire.Vocabularies) [][]any {
		row := func(v wire.Vocabulary) []any { return []any{v.Name, len(v.Terms), len(v.Scripts)} }
		return rowsOf(list.Vocabularies, row, "VOCABULARY", "TERMS", "SCRIPTS")
	}), func(lines []string) any { return map[string]any{"terms": termsOf(lines)} }},
}

// listOf prints a list as rows.
func listOf[T any](rows func(T) [][]any) func(printing, []byte, error) error {
	return func(p printing, body []byte, err error) error {
		return answer(p, body, err, func(v T) error { return table(rows(v)) })
	}
}

// kindOf returns the kind of definition of a command, given by the name of its parent.
func kindOf(k *kong.Context) savedKind { return savedKinds[k.Selected().Parent.Name] }

// definitionOf asks for a definition, or for all of a kind if the name is empty.
func definitionOf(of client.Definitions, name string) question {
	return func(cl *client.Client, ctx context.Context) ([]byte, error) { return cl.Definition(ctx, of, name) }
}

type definitionsList struct{ listing }

func (c *definitionsList) Run(ctx context.Context, k *kong.Context) error {
	kind := kindOf(k)
	body, err := c.ask(ctx, definitionOf(kind.of, ""))
	return kind.list(c.printing, body, err)
}

type definitionsGet struct {
	Name string `arg:"" help:"Its name."`
	listing
}

// Run prints a definition as stored by the server, indented for people.
func (c *definitionsGet) Run(ctx context.Context, k *kong.Context) error {
	body, err := c.ask(ctx, definitionOf(kindOf(k).of, c.Name))
	if err != nil || c.JSON {
		return printBody(body, err)
	}
	return printReadable(body)
}

// printReadable prints JSON with one value per line.
func printReadable(body []byte) error {
	var indented bytes.Buffer
	if err := json.Indent(&indented, bytes.TrimSpace(body), "", "  "); err != nil {
		return fmt.Errorf("read the answer of the server: %w", err)
	}
	return printLine(indented.Bytes())
}

type definitionsPut struct {
	Name string `arg:"" help:"Its name."`
	File string `arg:"" help:"${file}; - reads standard input." type:"existingfile" placeholder:"FILE"`
	listing
}

// Run saves a definition.
func (c *definitionsPut) Run(ctx context.Context, k *kong.Context) error {
	kind := kindOf(k)
	content, err := readDefinition(c.File, kind.text)
	if err != nil {
		return err
	}
	cl, err := c.client()
	if err != nil {
		return err
	}
	body, err := cl.PutDefinition(ctx, kind.of, c.Name, content)
	if err != nil || c.JSON {
		return printBody(body, err)
	}
	fmt.Println(c.Name)
	return nil
}

// readDefinition reads a file with JSON, or with text that is converted to a definition.
func readDefinition(path string, text func(lines []string) any) ([]byte, error) {
	body, err := readInput(path)
	if err != nil {
		return nil, err
	}
	body = bytes.TrimSpace(body)
	if bytes.HasPrefix(body, []byte("{")) {
		return body, nil
	}
	lines := linesOf(body)
	if len(lines) == 0 {
		return nil, fmt.Errorf("%s is empty", path)
	}
	return wire.Marshal(text(lines))
}

// readInput reads a text file; - means standard input.
func readInput(path string) ([]byte, error) {
	if path != "-" {
		return textfile.Read(path)
	}
	raw, err := io.ReadAll(os.Stdin)
	if err != nil {
		return nil, err
	}
	return textfile.Decode("standard input", raw)
}

// linesOf returns the non-empty lines of a text.
func linesOf(text []byte) (lines []string) {
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

type definitionsDelete struct {
	Names []string `arg:"" name:"name" help:"Their names."`
	removal
}

func (c *definitionsDelete) Run(ctx context.Context, k *kong.Context) error {
	of := kindOf(k).of
	return c.all(ctx, strings.Join(c.Names, ", "), c.Names, func(cl *client.Client, name string) error {
		return cl.DeleteDefinition(ctx, of, name)
	})
}

// searchFieldsCommand manages the list of search fields.
type searchFieldsCommand struct {
	Get    searchFieldsGet    `cmd:"" help:"Print the fields, one per line."`
	Put    searchFieldsPut    `cmd:"" help:"Replace the list; it applies to recordings that are processed from then on."`
	Delete searchFieldsDelete `cmd:"" help:"Delete the list."`
}

type searchFieldsGet struct{ listing }

// Run prints one field per line.
func (c *searchFieldsGet) Run(ctx context.Context) error {
	body, err := c.ask(ctx, definitionOf(client.SearchFields, ""))
	return answer(c.printing, body, err, printFields)
}

func printFields(list wire.SearchFields) error {
	for _, field := range list.Fields {
		fmt.Println(field)
	}
	return nil
}

type searchFieldsPut struct {
	Fields []string `arg:"" name:"field" help:"Paths of metadata, such as extended.campaign or callDetails.agent.fullName."`
	listing
}

// Run saves the list.
func (c *searchFieldsPut) Run(ctx context.Context) error {
	cl, err := c.client()
	if err != nil {
		return err
	}
	content, err := wire.Marshal(map[string]any{"fields": c.Fields})
	if err != nil {
		return err
	}
	body, err := cl.PutDefinition(ctx, client.SearchFields, "", content)
	return answer(c.printing, body, err, printFields)
}

type searchFieldsDelete struct{ removal }

func (c *searchFieldsDelete) Run(ctx context.Context) error {
	cl, err := c.client()
	if err != nil {
		return err
	}
	if err := c.agreed(fmt.Sprintf("Delete all search fields on %s?", cl.Base)); err != nil {
		return err
	}
	return cl.DeleteDefinition(ctx, client.SearchFields, "")
}

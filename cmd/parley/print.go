package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"golang.org/x/term"

	"parley/internal/terminal/client"
	"parley/internal/words/jsondoc"
)

// printing has the flag of commands that print for people or for programs.
type printing struct {
	JSON bool `help:"Print JSON, for machines." name:"json"`
}

// listing has the flags of commands that list what a server has.
type listing struct {
	connection
	printing
}

// question is what a command asks a server; the answer is JSON.
type question func(*client.Client, context.Context) ([]byte, error)

// ask returns the answer of a server.
func (c connection) ask(ctx context.Context, q question) ([]byte, error) {
	cl, err := c.client()
	if err != nil {
		return nil, err
	}
	return q(cl, ctx)
}

// printList asks a server for a list and prints it.
func printList[T any](ctx context.Context, l listing, q question, rows func(T) [][]any) error {
	body, err := l.ask(ctx, q)
	return answer(l.printing, body, err, func(v T) error { return table(rows(v)) })
}

// rowsOf returns a table: the heading, if there is one, then a row for each item.
func rowsOf[T any](items []T, row func(T) []any, heading ...any) (rows [][]any) {
	if len(heading) > 0 {
		rows = [][]any{heading}
	}
	for _, item := range items {
		rows = append(rows, row(item))
	}
	return rows
}

// answer prints the answer of a server: unchanged, or for people by show.
func answer[T any](p printing, body []byte, err error, show func(T) error) error {
	if err != nil || p.JSON {
		return printBody(body, err)
	}
	v, err := read[T](body)
	if err != nil {
		return err
	}
	return show(v)
}

// read decodes the answer of a server.
func read[T any](body []byte) (v T, err error) {
	if err = json.Unmarshal(body, &v); err != nil {
		err = fmt.Errorf("read the answer of the server: %w", err)
	}
	return v, err
}

// parseJSON parses a document whose size is not limited here: a server has written it or will check it.
func parseJSON(body []byte) (*jsondoc.Value, error) {
	return jsondoc.Parse(body, jsondoc.Limits{Bytes: len(body), Depth: 1000, Values: len(body)})
}

// local prints a value that did not come from a server, as JSON or as rows.
func local[T any](p printing, v T, rows func(T) [][]any) error {
	if p.JSON {
		return printIndented(v)
	}
	return table(rows(v))
}

// printLine prints a document and a newline if it lacks one.
func printLine(body []byte) error {
	_, err := os.Stdout.Write(append(bytes.TrimSpace(body), '\n'))
	return err
}

// printIndented prints a value as JSON.
func printIndented(v any) error {
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(v)
}

// moment formats a time for tables, in the local time zone; empty for the zero time.
func moment(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return day(t)
}

// minutes formats a duration given in milliseconds.
func minutes(ms int64) string {
	s := (ms + 500) / 1000
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

func onTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

// deletion has the flag of commands that delete on a server.
type deletion struct {
	Yes bool `help:"Do not ask for confirmation."`
}

// agreed asks on a terminal whether to delete something. Elsewhere nobody can be asked, so --yes is required.
func (d deletion) agreed(question string) error {
	if d.Yes {
		return nil
	}
	if err := canAsk(); err != nil {
		return err
	}
	fmt.Fprint(os.Stderr, question+" [y/N] ")
	if said := typedWord(); said == "y" || said == "Y" || said == "yes" {
		return nil
	}
	fmt.Fprintln(os.Stderr, "nothing deleted")
	return errFailed
}

// canAsk refuses a deletion without --yes if there is no terminal to ask on.
func canAsk() error {
	if onTerminal(os.Stdin) {
		return nil
	}
	return usagef("there is no terminal to ask for confirmation, so nothing was deleted; give --yes to delete without it")
}

// typedWord reads a line from the terminal and returns its first word.
func typedWord() (word string) {
	fmt.Scanln(&word)
	return word
}

// each asks once, then deletes the given things and prints each deletion. It returns errFailed if any of several
// failed.
func (d deletion) each(ctx context.Context, question string, names []string, do func(name string) error) error {
	if err := d.agreed(question); err != nil {
		return err
	}
	shown := func(name string) error {
		err := do(name)
		if err == nil {
			fmt.Println(name)
		}
		return err
	}
	if len(names) == 1 {
		return shown(names[0])
	}
	done, err := each(ctx, names, shown)
	if err == nil && len(done) < len(names) {
		fmt.Fprintf(os.Stderr, "%d of %d failed\n", len(names)-len(done), len(names))
		err = errFailed
	}
	return err
}

// removal has the flags of commands that delete on a server.
type removal struct {
	connection
	deletion
}

// all asks whether to delete what the question names, and deletes it.
func (r removal) all(
	ctx context.Context, what string, names []string, do func(cl *client.Client, name string) error,
) error {
	cl, err := r.client()
	if err != nil {
		return err
	}
	question := fmt.Sprintf("Delete %s on %s?", what, cl.Base)
	return r.each(ctx, question, names, func(name string) error { return do(cl, name) })
}

// positive refuses a number below 1.
func positive(flag string, n int) error {
	if n < 1 {
		return usagef("%s %d; give 1 or more", flag, n)
	}
	return nil
}

// many formats a number and a noun.
func many[N int | int64](n N, of string) string {
	if n == 1 {
		return "1 " + of
	}
	return fmt.Sprintf("%d %ss", n, of)
}

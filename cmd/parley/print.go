package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"golang.org/x/term"
)

// printing is the flag of commands that print for people, or for machines.
type printing struct {
	JSON bool `help:"Print JSON, for machines." name:"json"`
}

// answer prints what a server answered: as it is, or what rows makes of it.
func answer[T any](p printing, body []byte, err error, rows func(T) [][]any) error {
	if err != nil {
		return err
	}
	if p.JSON {
		return printLine(body)
	}
	v, err := read[T](body)
	if err != nil {
		return err
	}
	return table(rows(v))
}

// read reads the answer of a server.
func read[T any](body []byte) (v T, err error) {
	if err = json.Unmarshal(body, &v); err != nil {
		err = fmt.Errorf("read the answer of the server: %w", err)
	}
	return v, err
}

// local prints what was read without a server, T for machines or rows for people.
func local[T any](p printing, v T, rows func(T) [][]any) error {
	if p.JSON {
		return printIndented(v)
	}
	return table(rows(v))
}

// printLine prints a document so that the next one begins on a line of its own.
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

// moment is a time as tables have it, in the zone of this machine; nothing for none.
func moment(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return day(t)
}

// minutes is a length as people read it.
func minutes(ms int64) string {
	s := (ms + 500) / 1000
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

func onTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

// deletion is the flag of commands that delete on a server.
type deletion struct {
	Yes bool `help:"Do it without asking."`
}

// agreed asks on a terminal whether something is to be deleted. Elsewhere nobody can be asked, so that --yes has to say
// it.
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

// canAsk refuses deletions that nobody can be asked about.
func canAsk() error {
	if onTerminal(os.Stdin) {
		return nil
	}
	return usagef("nothing is deleted without a terminal to ask on; --yes does it without asking")
}

// typedWord is the first word of a line that somebody types.
func typedWord() (word string) {
	fmt.Scanln(&word)
	return word
}

// each asks once, then deletes one thing after the other and prints what it has deleted. It returns errFailed where it
// failed with any of several.
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

// many is a number of things.
func many[N int | int64](n N, of string) string {
	if n == 1 {
		return "1 " + of
	}
	return fmt.Sprintf("%d %ss", n, of)
}

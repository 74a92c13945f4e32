// Command compare measures Parley's index of calls and three other engines with the same generated calls and the same
// questions: Bleve, SQLite's FTS5 and PostgreSQL's full-text search. It checks that all of them give the same answers.
// It is a module of its own because of the size of what it needs.
//
// Usage: go run . [--calls 20000] [--words 1500] [--queries 50] [--postgres URL], in this folder.
//
// It prints tables for docs/query.md. Each engine runs in a process of its own, one after the other. The database of
// --postgres must be on this machine, if its CPU time is to be measured; the table call in it is replaced.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
}

// options are the flags.
type options struct {
	setup
	queries, runs int
	engine        string // only this one, with its report as JSON
}

// deletions is how many calls are deleted after the questions.
const deletions = 20

func run(ctx context.Context) error {
	var o options
	flag.IntVar(&o.Calls, "calls", 20_000, "number of calls")
	flag.IntVar(&o.Words, "words", 1500, "words per call")
	flag.IntVar(&o.queries, "queries", 50, "questions of each kind")
	flag.IntVar(&o.runs, "runs", 1, "how often each engine is measured; the lowest figures count")
	flag.StringVar(&o.Postgres, "postgres", "", "URL of a PostgreSQL database; empty: without PostgreSQL")
	flag.StringVar(&o.Dir, "dir", "", "folder of files; default: a temporary folder")
	flag.StringVar(&o.engine, "engine", "", "measure only this engine, and print its report as JSON")
	flag.StringVar(&o.Documents, "documents", "", "file of the calls, for --engine")
	flag.Parse()
	if o.Calls <= deletions || o.Words < 1 || o.queries < 1 || o.runs < 1 {
		return fmt.Errorf("--calls must exceed %d; --words, --queries and --runs must be positive", deletions)
	}
	if o.engine != "" {
		r, err := measure(ctx, o.engine, o.setup, o.queries, deletions)
		if err != nil {
			return err
		}
		return json.NewEncoder(os.Stdout).Encode(r)
	}
	return o.compare(ctx)
}

// compare measures all engines and prints the tables.
func (o options) compare(ctx context.Context) error {
	dir, err := os.MkdirTemp(o.Dir, "parley-compare-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	o.Documents = filepath.Join(dir, "calls")
	fmt.Fprintln(os.Stderr, "generating calls")
	if err := writeDocuments(o.Documents, newCorpus(o.Words), o.Calls); err != nil {
		return err
	}
	var best []report
	for n := range o.runs {
		for i, e := range o.names() {
			fmt.Fprintf(os.Stderr, "run %d: %s\n", n+1, e)
			r, err := o.child(ctx, e, filepath.Join(dir, fmt.Sprint(e, n)))
			if err != nil {
				return fmt.Errorf("%s: %w", e, err)
			}
			if n == 0 {
				best = append(best, r)
			} else {
				best[i] = best[i].lower(r)
			}
		}
	}
	printTables(os.Stdout, best, o.Calls)
	return errors.Join(differences(best)...)
}

// names returns the engines to be measured.
func (o options) names() (names []string) {
	for _, e := range engines {
		if e.name != "PostgreSQL" || o.Postgres != "" {
			names = append(names, e.name)
		}
	}
	return names
}

// child measures an engine in another process, so that neither memory nor CPU time of one is counted for another. Its
// files are deleted after that.
func (o options) child(ctx context.Context, engine, dir string) (r report, err error) {
	program, err := os.Executable()
	if err != nil {
		return r, err
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return r, err
	}
	defer os.RemoveAll(dir)
	cmd := exec.CommandContext(ctx, program, "--engine", engine, "--dir", dir, "--documents", o.Documents,
		"--calls", strconv.Itoa(o.Calls), "--words", strconv.Itoa(o.Words), "--queries", strconv.Itoa(o.queries),
		"--postgres", o.Postgres)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return r, err
	}
	return r, json.Unmarshal(out, &r)
}

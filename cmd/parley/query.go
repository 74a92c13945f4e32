package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"parley/internal/call/wire"
	"parley/internal/query"
	"parley/internal/terminal/client"
	"parley/internal/words/jsondoc"
)

// queryCommand runs queries over many calls on a server.
type queryCommand struct {
	Query string `arg:"" help:"SELECT …, EXPLAIN …, ALTER TABLE …, or a condition, which is evaluated on all stored calls."`
	connection
	From    date `help:"For a condition: only calls created on this day or later (UTC); in a SELECT, use dateCreated." placeholder:"DATE"`
	Until   date `help:"For a condition: only calls created on this day or earlier (UTC)." placeholder:"DATE"`
	Samples *int `help:"For a condition: number of calls to show; default: 5." placeholder:"N"`
	JSON    bool `help:"Print the answer of the server unchanged, as JSON." name:"json"`
}

// fewSamples is the default number of calls shown for a condition.
const fewSamples = 5

// Run reports mistakes before it sends the query, and prints a table.
func (c *queryCommand) Run(ctx context.Context) error {
	if _, err := query.Parse(c.Query, nil); err != nil {
		return misquery(err)
	}
	if err := c.contradiction(); err != nil {
		return err
	}
	cl, err := c.client()
	if err != nil {
		return err
	}
	if c.statement() {
		answer, err := cl.Ask(ctx, c.Query)
		if err != nil || c.JSON {
			return printRaw(answer, err)
		}
		return printAnswer(answer)
	}
	trial := client.Trial{
		Query: c.Query, OnOrAfterDate: string(c.From), OnOrBeforeDate: string(c.Until), Samples: fewSamples,
	}
	if c.Samples != nil {
		trial.Samples = *c.Samples
	}
	answer, err := cl.Try(ctx, trial)
	if err != nil || c.JSON {
		return printRaw(answer, err)
	}
	return printTrial(answer)
}

// misquery is the error for a query that no server would accept.
func misquery(err error) error { return usagef("invalid query:\n%w", err) }

// checkCondition refuses a condition that no server would accept; empty is none.
func checkCondition(text string) error {
	if text == "" {
		return nil
	}
	if _, err := query.ParseCondition(text, nil); err != nil {
		return misquery(err)
	}
	return nil
}

// statement reports whether the query is a statement rather than a condition.
func (c *queryCommand) statement() bool {
	first := strings.TrimSpace(c.Query)
	ends := func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("*(/-", r) }
	if end := strings.IndexFunc(first, ends); end >= 0 {
		first = first[:end]
	}
	return slices.Contains([]string{"SELECT", "EXPLAIN", "ALTER"}, strings.ToUpper(first))
}

// mostSamples is the maximum number of samples that a server shows.
const mostSamples = 100

// contradiction refuses flags for conditions on a statement, and numbers of samples that a server refuses.
func (c *queryCommand) contradiction() error {
	if n := c.Samples; n != nil && (*n < 0 || *n > mostSamples) {
		return usagef("--samples %d; give a number from 0 to %d", *n, mostSamples)
	}
	if !c.statement() {
		return nil
	}
	for _, flag := range []struct {
		name  string
		given bool
	}{{"from", c.From != ""}, {"until", c.Until != ""}, {"samples", c.Samples != nil}} {
		if flag.given {
			return usagef("--%s applies only to a condition; in a statement, write it out, such as "+
				`SELECT … FROM media WHERE dateCreated >= "2026-11-01" AND dateCreated < "2026-12-01" LIMIT 5`,
				flag.name)
		}
	}
	return nil
}

// printRaw prints the bytes of an answer.
func printRaw(answer []byte, err error) error {
	if err == nil {
		_, err = os.Stdout.Write(answer)
	}
	return err
}

// printAnswer prints the rows of an answer, or the plan of EXPLAIN.
func printAnswer(answer []byte) error {
	var a wire.Answer
	if err := json.Unmarshal(answer, &a); err != nil {
		return err
	}
	if a.Plan != nil {
		rows := [][]any{{"step", "calls", "what"}}
		for _, s := range a.Plan.Steps {
			rows = append(rows, []any{s.Step, s.Calls, s.What})
		}
		warn(a.Warnings)
		rows = append(rows, []any{"matched", a.Plan.Matched,
			fmt.Sprintf("of %d, in %.1f ms", a.Plan.Calls, a.Plan.TimeMillis)})
		return table(rows)
	}
	var rows [][]any
	for _, raw := range a.Rows {
		row, err := parseJSON(raw)
		if err != nil {
			return err
		}
		var names, cells []any
		for _, m := range row.Members() {
			names, cells = append(names, m.Name()), append(cells, cellText(m))
		}
		if rows == nil {
			rows = append(rows, names)
		}
		rows = append(rows, cells)
	}
	least := ""
	if a.TotalIsLowerBound {
		least = "at least "
	}
	fmt.Fprintf(os.Stderr, "%d of %s%s, in %d ms\n", len(a.Rows), least, many(a.TotalResults, "row"), a.QueryTimeMillis)
	warn(a.Warnings)
	return table(rows)
}

// warn prints the warnings in an answer.
func warn(warnings []wire.Message) {
	for _, w := range warnings {
		fmt.Fprintln(os.Stderr, "parley:", w.Message)
	}
}

// cellText formats a value for a cell.
func cellText(v *jsondoc.Value) string {
	text := string(bytes.Join(bytes.Fields(v.Bytes()), []byte(" ")))
	switch v.Kind() {
	case jsondoc.String:
		text = v.Text()
	case jsondoc.Null:
		return ""
	}
	return short(text)
}

// printTrial prints how often a condition matches, and where.
func printTrial(answer []byte) error {
	var t wire.Trial
	if err := json.Unmarshal(answer, &t); err != nil {
		return err
	}
	fmt.Printf("%d of %s (%.2f %%), in %d ms\n", t.Matched, many(t.Calls, "call"), 100*t.Rate, t.QueryTimeMillis)
	warn(t.Warnings)
	rows := [][]any{{"day", "calls", "matched", "rate"}}
	for _, d := range t.Days {
		rows = append(rows, []any{d.Date, d.Calls, d.Matched, fmt.Sprintf("%.2f %%", 100*d.Rate)})
	}
	if err := table(rows); err != nil {
		return err
	}
	for _, s := range t.Samples {
		fmt.Printf("\n%s\n", s.MediaID)
		for _, h := range s.Hits {
			fmt.Printf("  %8.1f s  %s: %s\n", float64(h.FieldValues.StartMs)/1000, h.FieldValues.Speaker,
				h.FieldValues.Text)
		}
	}
	return nil
}

// exportCommand exports calls to a file.
type exportCommand struct {
	Table  string `arg:"" help:"calls, words, metrics or categories." enum:"calls,words,metrics,categories"`
	Output string `short:"o" help:"File to write. Its extension sets the format: .csv or .parquet. Default: CSV to standard output." placeholder:"FILE" type:"path"`
	Query  string `help:"Only calls that match this condition." placeholder:"CONDITION"`
	Force  bool   `help:"Replace an existing file."`
	connection
}

// Run writes the file as it arrives, and renames it when it is complete.
func (c *exportCommand) Run(ctx context.Context) (err error) {
	e := client.Export{Table: c.Table, Format: "csv", Query: c.Query}
	switch ending := strings.ToLower(filepath.Ext(c.Output)); ending {
	case ".parquet":
		e.Format = "parquet"
	case ".csv", "":
	default:
		return usagef("--output: unknown extension %s; use .csv or .parquet", ending)
	}
	if err := checkCondition(c.Query); err != nil {
		return err
	}
	cl, err := c.client()
	if err != nil {
		return err
	}
	if c.Output == "" {
		return export(ctx, cl, e, os.Stdout)
	}
	if err := vacant(c.Output, c.Force); err != nil {
		return err
	}
	return writeFile(c.Output, c.Force, func(w io.Writer) error { return export(ctx, cl, e, w) })
}

// export writes rows, and tells how many calls they leave out.
func export(ctx context.Context, cl *client.Client, e client.Export, to io.Writer) error {
	notIndexed, err := cl.Export(ctx, e, to)
	if notIndexed > 0 {
		fmt.Fprintf(os.Stderr, "parley: calls that the file leaves out: %d (uploaded without "+
			"publish.enableAnalyticIndexing, "+
			"not processed yet, or encrypted)\n", notIndexed)
	}
	return err
}

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"parley/internal/client"
	"parley/internal/document"
	"parley/internal/query"
	"parley/internal/wire"
)

// queryCommand asks a server about many calls.
type queryCommand struct {
	Query   string `arg:"" help:"SELECT …, EXPLAIN …, ALTER TABLE …, or a condition, which is tried on all stored calls."`
	Server  string `help:"Address of the server." default:"http://127.0.0.1:8080" env:"PARLEY_SERVER" placeholder:"URL"`
	Token   string `help:"Access token." env:"PARLEY_TOKEN" required:"" placeholder:"TOKEN"`
	From    string `help:"Of a condition: only calls from this day on." placeholder:"DATE"`
	Until   string `help:"Of a condition: only calls up to this day." placeholder:"DATE"`
	Samples int    `help:"Of a condition: how many calls are shown." default:"5"`
	JSON    bool   `help:"Print the answer as the server gives it." name:"json"`
}

// Run tells mistakes before it asks, and prints a table.
func (c *queryCommand) Run(ctx context.Context) error {
	if _, err := query.Parse(c.Query, nil); err != nil {
		return fmt.Errorf("the query has mistakes:\n%w", err)
	}
	cl := &client.Client{Base: c.Server, Token: c.Token, HTTP: http.DefaultClient}
	if c.statement() {
		answer, err := cl.Ask(ctx, c.Query)
		if err != nil || c.JSON {
			return c.raw(answer, err)
		}
		return printAnswer(answer)
	}
	answer, err := cl.Try(ctx, client.Trial{Query: c.Query, OnOrAfterDate: c.From, OnOrBeforeDate: c.Until, Samples: c.Samples})
	if err != nil || c.JSON {
		return c.raw(answer, err)
	}
	return printTrial(answer)
}

// statement reports whether the query is more than a condition.
func (c *queryCommand) statement() bool {
	first, _, _ := strings.Cut(strings.TrimSpace(c.Query), " ")
	switch strings.ToUpper(first) {
	case "SELECT", "EXPLAIN", "ALTER":
		return true
	}
	return false
}

func (c *queryCommand) raw(answer []byte, err error) error {
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
		rows = append(rows, []any{"matched", a.Plan.Matched, fmt.Sprintf("of %d, in %.1f ms", a.Plan.Calls, a.Plan.TimeMillis)})
		return table(rows)
	}
	var rows [][]any
	for _, raw := range a.Rows {
		row, err := document.Parse(raw, document.Limits{Bytes: len(raw) + 1, Depth: 200, Values: 1_000_000})
		if err != nil {
			return err
		}
		var names, cells []any
		for _, m := range row.Members() {
			names, cells = append(names, m.Name()), append(cells, shown(m))
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
	fmt.Fprintf(os.Stderr, "%d of %s%d, in %.1f ms\n", len(a.Rows), least, a.TotalResults, a.QueryTimeMillis)
	return table(rows)
}

// shown is a value in a cell.
func shown(v *document.Value) string {
	text := string(bytes.Join(bytes.Fields(v.Bytes()), []byte(" ")))
	switch v.Kind() {
	case document.String:
		text = v.Text()
	case document.Null:
		return ""
	}
	const widest = 60
	if runes := []rune(text); len(runes) > widest {
		return string(runes[:widest-1]) + "…"
	}
	return text
}

// printTrial prints how often a condition holds, and where.
func printTrial(answer []byte) error {
	var t wire.Trial
	if err := json.Unmarshal(answer, &t); err != nil {
		return err
	}
	fmt.Printf("%d of %d calls (%.2f %%), in %.1f ms\n", t.Matched, t.Calls, 100*t.Rate, t.QueryTimeMillis)
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
			fmt.Printf("  %8.1f s  %s: %s\n", float64(h.FieldValues.StartMs)/1000, h.FieldValues.Speaker, h.FieldValues.Text)
		}
	}
	return nil
}

// exportCommand writes a file.
type exportCommand struct {
	Table  string `arg:"" help:"calls, words, metrics or categories." enum:"calls,words,metrics,categories"`
	Output string `short:"o" help:"File to write; it must not be there. Its ending says the format: .csv or .parquet. Default: CSV to standard output." placeholder:"FILE" type:"path"`
	Query  string `help:"Only calls that fulfil this condition." placeholder:"CONDITION"`
	Server string `help:"Address of the server." default:"http://127.0.0.1:8080" env:"PARLEY_SERVER" placeholder:"URL"`
	Token  string `help:"Access token." env:"PARLEY_TOKEN" required:"" placeholder:"TOKEN"`
}

// Run writes the file as it arrives; one that stays incomplete is removed.
func (c *exportCommand) Run(ctx context.Context) (err error) {
	e := client.Export{Table: c.Table, Format: "csv", Query: c.Query}
	switch ending := strings.ToLower(filepath.Ext(c.Output)); ending {
	case ".parquet":
		e.Format = "parquet"
	case ".csv", "":
	default:
		return fmt.Errorf("--output ends with %s; use .csv or .parquet", ending)
	}
	cl := &client.Client{Base: c.Server, Token: c.Token, HTTP: http.DefaultClient}
	if c.Output == "" {
		return cl.Export(ctx, e, os.Stdout)
	}
	f, err := os.OpenFile(c.Output, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	err = cl.Export(ctx, e, f)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		os.Remove(c.Output)
	}
	return err
}

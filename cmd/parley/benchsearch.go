package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"parley/internal/bench"
)

type benchSearch struct {
	Calls    int    `help:"Generated calls." default:"100000"`
	Words    int    `help:"Words a call." default:"1500"`
	Queries  int    `help:"Queries of each kind." default:"100"`
	Data     string `help:"Folder on the disk to measure; data are kept in it only meanwhile." default:"." placeholder:"DIR" type:"existingdir"`
	Database string `help:"PostgreSQL database to measure instead; it must be empty, and is full afterwards." placeholder:"URL"`
}

// benchDatabase returns the URL of the database to measure: the given one, else one of SQLite in a folder of its own below
// data, which remove removes with the folder.
func benchDatabase(data, given string) (url, dir string, remove func(), err error) {
	if given != "" {
		return given, "", func() {}, nil
	}
	if dir, err = os.MkdirTemp(data, "parley-bench-"); err != nil {
		return "", "", nil, err
	}
	remove = func() { os.RemoveAll(dir) }
	if dir, err = filepath.Abs(dir); err != nil {
		remove()
		return "", "", nil, err
	}
	return "sqlite://" + filepath.Join(dir, "parley.db"), dir, remove, nil
}

// Run fills a database with generated calls and prints what searching them costs.
func (c *benchSearch) Run(ctx context.Context) error {
	if c.Calls < 1 || c.Words < 20 || c.Queries < 1 {
		return errors.New("--calls and --queries must be positive, --words at least 20")
	}
	url, dir, remove, err := benchDatabase(c.Data, c.Database)
	if err != nil {
		return err
	}
	defer remove()
	b := bench.Search{URL: url, Dir: dir, Calls: c.Calls, Words: c.Words, Queries: c.Queries}
	shown := newBar(os.Stderr, "search")
	found, err := b.Run(ctx, func(what string, done, total int64) { shown.Set(percent(done, total), what) })
	if err != nil {
		shown.Done("failed")
		return err
	}
	shown.Done("measured")
	return table(c.rows(found))
}

func (c *benchSearch) rows(f bench.SearchFound) [][]any {
	rate := func(seconds float64) string { return fmt.Sprintf("%.0f calls a second", float64(c.Calls)/seconds) }
	rows := [][]any{
		{"calls", fmt.Sprintf("%d of %d words", c.Calls, c.Words)},
		{"stored", rate(f.Load.Seconds())},
		{"indexed", fmt.Sprintf("%s, %s of processor time each", rate(f.Index.Seconds()), milliseconds(f.Work/time.Duration(c.Calls)))},
	}
	if f.Own > 0 {
		rows = append(rows, []any{"database, index", fmt.Sprintf("%s, %s; %s and %s a call",
			bytesText(f.Database), bytesText(f.Own), bytesText(f.Database/int64(c.Calls)), bytesText(f.Own/int64(c.Calls)))})
	}
	for _, k := range f.Kinds {
		rows = append(rows, []any{k.Kind, fmt.Sprintf("median %s, 95 %% %s, processor %s", milliseconds(k.Median), milliseconds(k.P95), milliseconds(k.Work)), fmt.Sprintf("such as %s: %d", k.Example, k.Found)})
	}
	return rows
}

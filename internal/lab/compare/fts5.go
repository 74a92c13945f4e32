package main

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	_ "modernc.org/sqlite" // registers the driver
)

// fts5 is SQLite's full-text index. It stores no texts, because the transcripts are elsewhere, and has one column for
// each speaker. The rowid is the number of the call, so that the newest calls come first without sorting.
type fts5 struct {
	setup
	db *sql.DB
}

// Tables of fts5. contentless_delete allows deletions from an index without texts.
var fts5Tables = []string{
	`CREATE TABLE call (number INTEGER PRIMARY KEY, score INTEGER NOT NULL)`,
	`CREATE VIRTUAL TABLE said USING fts5(agent, caller, content = '', contentless_delete = 1,
		tokenize = 'unicode61 remove_diacritics 0')`,
}

func openFTS5(ctx context.Context, s setup) (engine, error) {
	settings := url.Values{"_pragma": {"journal_mode(WAL)", "synchronous(FULL)", "cache_size(-65536)",
		"mmap_size(8589934592)"}}
	db, err := sql.Open("sqlite", "file:"+filepath.Join(s.Dir, "fts5.db")+"?"+settings.Encode())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	e := &fts5{s, db}
	for _, statement := range fts5Tables {
		if _, err := db.ExecContext(ctx, statement); err != nil {
			return nil, errors.Join(err, db.Close())
		}
	}
	return e, nil
}

func (e *fts5) Version(ctx context.Context) (v string, err error) {
	err = e.db.QueryRowContext(ctx, `SELECT sqlite_version()`).Scan(&v)
	return "SQLite " + v, err
}

// Build inserts in transactions of a thousand calls, and merges the index into one b-tree at the end.
func (e *fts5) Build(ctx context.Context) (took, work time.Duration, err error) {
	watch := startWatch()
	if err := eachBatch(e.Documents, 1000, func(batch []document) error { return e.insert(ctx, batch) }); err != nil {
		return 0, 0, err
	}
	for _, statement := range []string{`INSERT INTO said (said) VALUES ('optimize')`, `PRAGMA wal_checkpoint(TRUNCATE)`,
		`ANALYZE`} {
		if _, err := e.db.ExecContext(ctx, statement); err != nil {
			return 0, 0, err
		}
	}
	took, work = watch.elapsed()
	return took, work, nil
}

func (e *fts5) insert(ctx context.Context, batch []document) error {
	tx, err := e.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	call, err := tx.PrepareContext(ctx, `INSERT INTO call (number, score) VALUES (?, ?)`)
	if err != nil {
		return err
	}
	said, err := tx.PrepareContext(ctx, `INSERT INTO said (rowid, agent, caller) VALUES (?, ?, ?)`)
	if err != nil {
		return err
	}
	for _, d := range batch {
		if _, err := call.ExecContext(ctx, d.Number, d.Score); err != nil {
			return err
		}
		if _, err := said.ExecContext(ctx, d.Number, d.Agent, d.Caller); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// Bytes excludes the free pages that merging leaves, which later insertions use.
func (e *fts5) Bytes(ctx context.Context) (n int64, err error) {
	err = e.db.QueryRowContext(ctx, `SELECT (page_count - freelist_count) * page_size
		FROM pragma_page_count, pragma_freelist_count, pragma_page_size`).Scan(&n)
	return n, err
}

func (e *fts5) Newest(ctx context.Context, q question, limit int) (numbers []int, err error) {
	from, args := e.where(q)
	rows, err := e.db.QueryContext(ctx, `SELECT said.rowid `+from+` ORDER BY said.rowid DESC LIMIT ?`,
		append(args, limit)...)
	if err != nil {
		return nil, err
	}
	return scanNumbers(rows)
}

func (e *fts5) Count(ctx context.Context, q question) (n int, err error) {
	from, args := e.where(q)
	err = e.db.QueryRowContext(ctx, `SELECT count(*) `+from, args...).Scan(&n)
	return n, err
}

// where returns a question from FROM on.
func (e *fts5) where(q question) (from string, args []any) {
	args = []any{e.text(q)}
	if q.Above < 0 {
		return `FROM said WHERE said MATCH ?`, args
	}
	return `FROM said JOIN call ON call.number = said.rowid WHERE said MATCH ? AND call.score > ?`, append(args, q.Above)
}

// text returns the words of a question in FTS5's language.
func (e *fts5) text(q question) string {
	var all []string
	for _, words := range q.Phrases {
		all = append(all, `"`+strings.Join(words, " ")+`"`)
	}
	if q.Prefix != "" {
		all = append(all, `"`+q.Prefix+`" *`)
	}
	text := strings.Join(all, " AND ")
	if q.Not != "" {
		text = "(" + text + `) NOT "` + q.Not + `"`
	}
	if q.Agent {
		text = "agent : (" + text + ")"
	}
	return text
}

func (e *fts5) Delete(ctx context.Context, number int) error {
	tx, err := e.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for _, statement := range []string{`DELETE FROM said WHERE rowid = ?`, `DELETE FROM call WHERE number = ?`} {
		if _, err := tx.ExecContext(ctx, statement, number); err != nil {
			return err
		}
	}
	return tx.Commit()
}

func (e *fts5) Memory(context.Context) (int64, error) { return ownMemory() }

func (e *fts5) Close() error { return e.db.Close() }

// scanNumbers reads rows of one number, and closes them.
func scanNumbers(rows *sql.Rows) (numbers []int, err error) {
	defer rows.Close()
	for rows.Next() {
		var n int
		if err := rows.Scan(&n); err != nil {
			return nil, err
		}
		numbers = append(numbers, n)
	}
	return numbers, rows.Err()
}

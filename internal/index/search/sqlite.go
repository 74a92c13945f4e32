package search

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"modernc.org/sqlite"

	"parley/internal/host/filelock"
	"parley/internal/storage/sqldb"
)

// sqliteEngine stores each generation in a file beside the database file.
type sqliteEngine struct{ dir, base string }

// newSQLite returns the engine for a database file; for parley.db the index files are named parley-search-NAME.db.
func newSQLite(path string) *sqliteEngine {
	return &sqliteEngine{filepath.Dir(path), strings.TrimSuffix(filepath.Base(path), ".db") + "-search"}
}

func (e *sqliteEngine) path(name string) string {
	return filepath.Join(e.dir, e.base+"-"+name+".db")
}

const sqliteSchema = `
CREATE TABLE account (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE term (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
CREATE TABLE count (first INTEGER PRIMARY KEY, calls BLOB NOT NULL);
CREATE TABLE call (id INTEGER PRIMARY KEY, account INTEGER NOT NULL, media BLOB NOT NULL UNIQUE, tokens BLOB NOT NULL);
CREATE INDEX call_account ON call (account, id);
CREATE TABLE segment (id INTEGER PRIMARY KEY AUTOINCREMENT, account INTEGER NOT NULL, low INTEGER NOT NULL, high INTEGER NOT NULL,
	size INTEGER NOT NULL, calls BLOB NOT NULL);
CREATE INDEX segment_account ON segment (account, high);
CREATE TABLE posting (segment INTEGER NOT NULL, first BLOB NOT NULL, data BLOB NOT NULL, PRIMARY KEY (segment, first)) WITHOUT ROWID;
CREATE TABLE dead (segment INTEGER NOT NULL, call INTEGER NOT NULL, PRIMARY KEY (segment, call)) WITHOUT ROWID;
`

// sqliteBlock is the largest block of which four fit into a page of 16,384 bytes without overflow pages.
const sqliteBlock = 3700

// The page size is large enough for a token file.
func (e *sqliteEngine) create(ctx context.Context, name string) error {
	f, err := os.OpenFile(e.path(name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return wrap("create the file", err)
	}
	f.Close()
	db, err := openFile(e.path(name), 1, false)
	if err != nil {
		return err
	}
	defer db.Close()
	return wrap("create", db.Tx(ctx, nil, func(ctx context.Context, tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, sqliteSchema)
		return err
	}))
}

// openFile opens an index file. Its commits are synced, because a change is deleted from the database, which is another
// file, as soon as the index has it.
func openFile(path string, connections int, readOnly bool) (*sqldb.DB, error) {
	q := url.Values{"_dqs": {"0"},
		"_pragma": {"busy_timeout(10000)", "page_size(16384)", "journal_mode(WAL)", "synchronous(FULL)",
			"secure_delete(1)",
			"journal_size_limit(67108864)", "cache_size(-65536)"}}
	if readOnly {
		q = url.Values{"_dqs": {"0"}, "_pragma": {"busy_timeout(10000)", "query_only(1)", "cache_size(-16384)"},
			"mode": {"rw"}}
	} else {
		q.Set("_txlock", "immediate")
	}
	c, err := sqlite.NewConnector((&url.URL{Scheme: "file", Path: path, RawQuery: q.Encode()}).String())
	if err != nil {
		return nil, err
	}
	return sqldb.SQLite(c, connections), nil
}

func (e *sqliteEngine) connect(ctx context.Context, name string) (*generation, error) {
	if _, err := os.Stat(e.path(name)); errors.Is(err, fs.ErrNotExist) {
		return nil, errAbsent
	}
	read, err := openFile(e.path(name), 8, true)
	if err != nil {
		return nil, err
	}
	write, err := openFile(e.path(name), 1, false)
	if err != nil {
		return nil, err
	}
	g := &generation{read: read, write: write, own: true, blockSize: sqliteBlock, known: map[string]uint32{}}
	var one int
	if err := read.Row(ctx, `SELECT COUNT(*) FROM (SELECT 1 FROM call LIMIT 1)`, nil, &one); err != nil {
		g.close()
		return nil, wrap("open", err)
	}
	return g, nil
}

func (e *sqliteEngine) keep(_ context.Context, names []string) error {
	files, err := filepath.Glob(filepath.Join(e.dir, e.base+"-*.db*"))
	if err != nil {
		return err
	}
	var errs []error
	for _, file := range files {
		name, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(file), e.base+"-"), ".db")
		if !slices.Contains(names, name) {
			errs = append(errs, os.Remove(file))
		}
	}
	return errors.Join(errs...)
}

// lock takes a lock file, which the process releases when it ends.
func (e *sqliteEngine) lock(context.Context) (*lease, error) {
	held, err := filelock.Try(filepath.Join(e.dir, e.base+".lock"))
	if errors.Is(err, filelock.ErrBusy) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &lease{end: func() { held.Close() }}, nil
}

func (e *sqliteEngine) close() error { return nil }

// damaged reports whether a generation is corrupt.
func damaged(err error) bool {
	e, ok := errors.AsType[*sqlite.Error](err)
	return ok && (e.Code()&0xff == 11 || e.Code()&0xff == 26) // SQLITE_CORRUPT, SQLITE_NOTADB
}

package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"golang.org/x/sync/errgroup"
)

// postgres is the full-text search of PostgreSQL: a tsvector with a GIN index. The words of the agent have weight A,
// those of the caller B. It stores no texts, because the transcripts are elsewhere.
type postgres struct {
	setup
	db     *sql.DB
	server int // process that all processes of the server descend from; 0: on another machine
}

// Settings of each connection. Questions are planned with their words, because plans depend on how frequent they are.
var postgresSettings = map[string]string{
	"work_mem": "65536", "maintenance_work_mem": "524288", "plan_cache_mode": "force_custom_plan", "jit": "off",
	"random_page_cost": "1.1", "default_toast_compression": "lz4",
}

func openPostgres(ctx context.Context, s setup) (engine, error) {
	if s.Postgres == "" {
		return nil, errors.New("--postgres is missing: the URL of a database")
	}
	c, err := pgx.ParseConfig(s.Postgres)
	if err != nil {
		return nil, err
	}
	for name, value := range postgresSettings {
		c.RuntimeParams[name] = value
	}
	e := &postgres{setup: s, db: stdlib.OpenDB(*c)}
	e.db.SetMaxIdleConns(writers)
	if _, err = e.db.ExecContext(ctx, `DROP TABLE IF EXISTS call`); err == nil {
		_, err = e.db.ExecContext(ctx, `CREATE TABLE call (number INT NOT NULL, score INT NOT NULL, said TSVECTOR NOT NULL)`)
	}
	if err == nil {
		err = e.findServer(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, e.db.Close())
	}
	return e, nil
}

// findServer finds the server among the processes of this machine.
func (e *postgres) findServer(ctx context.Context) error {
	var backend int
	if err := e.db.QueryRowContext(ctx, `SELECT pg_backend_pid()`).Scan(&backend); err != nil {
		return err
	}
	if stat, err := statOf(backend); err == nil {
		e.server = int(stat[statParent])
	}
	return nil
}

func (e *postgres) Version(ctx context.Context) (v string, err error) {
	err = e.db.QueryRowContext(ctx, `SHOW server_version`).Scan(&v)
	v, _, _ = strings.Cut(v, " ")
	return "PostgreSQL " + v, err
}

// writers is the number of connections that insert calls at the same time.
const writers = 2

// Build inserts the calls, creates the indexes after that, and analyzes the table.
func (e *postgres) Build(ctx context.Context) (took, work time.Duration, err error) {
	before, err := e.serverTime()
	if err != nil {
		return 0, 0, err
	}
	watch := startWatch()
	if err := e.insertAll(ctx); err != nil {
		return 0, 0, err
	}
	for _, statement := range []string{`ALTER TABLE call ADD PRIMARY KEY (number)`,
		`CREATE INDEX said ON call USING gin (said)`, `VACUUM ANALYZE call`, `CHECKPOINT`} {
		if _, err := e.db.ExecContext(ctx, statement); err != nil {
			return 0, 0, fmt.Errorf("%s: %w", statement, err)
		}
	}
	took, work = watch.elapsed()
	after, err := e.serverTime()
	return took, work + after - before, err
}

func (e *postgres) serverTime() (time.Duration, error) {
	if e.server == 0 {
		return 0, nil
	}
	return familyTime(e.server)
}

func (e *postgres) insertAll(ctx context.Context) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(writers)
	err := eachBatch(e.Documents, 500, func(batch []document) error {
		group.Go(func() error { return e.insert(ctx, batch) })
		return ctx.Err()
	})
	return errors.Join(err, group.Wait())
}

func (e *postgres) insert(ctx context.Context, batch []document) error {
	numbers, scores := make([]int32, len(batch)), make([]int32, len(batch))
	agent, caller := make([]string, len(batch)), make([]string, len(batch))
	for i, d := range batch {
		numbers[i], scores[i], agent[i], caller[i] = int32(d.Number), int32(d.Score), d.Agent, d.Caller
	}
	_, err := e.db.ExecContext(ctx, `INSERT INTO call SELECT number, score,
			setweight(to_tsvector('simple', agent), 'A') || setweight(to_tsvector('simple', caller), 'B')
		FROM unnest($1::int[], $2::int[], $3::text[], $4::text[]) AS batch (number, score, agent, caller)`,
		numbers, scores, agent, caller)
	return err
}

// Bytes returns the size of the table with its indexes.
func (e *postgres) Bytes(ctx context.Context) (n int64, err error) {
	err = e.db.QueryRowContext(ctx, `SELECT pg_total_relation_size('call')`).Scan(&n)
	return n, err
}

func (e *postgres) Newest(ctx context.Context, q question, limit int) ([]int, error) {
	where, args := e.where(q)
	rows, err := e.db.QueryContext(ctx, fmt.Sprintf(`SELECT number FROM call WHERE %s ORDER BY number DESC LIMIT %d`,
		where, limit), args...)
	if err != nil {
		return nil, err
	}
	return scanNumbers(rows)
}

func (e *postgres) Count(ctx context.Context, q question) (n int, err error) {
	where, args := e.where(q)
	err = e.db.QueryRowContext(ctx, `SELECT count(*) FROM call WHERE `+where, args...).Scan(&n)
	return n, err
}

func (e *postgres) where(q question) (where string, args []any) {
	where, args = `said @@ $1::tsquery`, []any{e.text(q)}
	if q.Above >= 0 {
		where, args = where+` AND score > $2`, append(args, q.Above)
	}
	return where, args
}

// text returns the words of a question in the language of tsquery.
func (e *postgres) text(q question) string {
	weight := ""
	if q.Agent {
		weight = "A"
	}
	lexeme := func(word, flags string) string {
		if flags == "" {
			return "'" + word + "'"
		}
		return "'" + word + "':" + flags
	}
	var all []string
	for _, words := range q.Phrases {
		following := make([]string, len(words))
		for i, w := range words {
			following[i] = lexeme(w, weight)
		}
		all = append(all, strings.Join(following, " <-> "))
	}
	if q.Prefix != "" {
		all = append(all, lexeme(q.Prefix, "*"+weight))
	}
	if q.Not != "" {
		all = append(all, "!"+lexeme(q.Not, weight))
	}
	return strings.Join(all, " & ")
}

func (e *postgres) Delete(ctx context.Context, number int) error {
	_, err := e.db.ExecContext(ctx, `DELETE FROM call WHERE number = $1`, number)
	return err
}

// Memory returns the memory of the process that has answered, without the shared buffers.
func (e *postgres) Memory(ctx context.Context) (int64, error) {
	if e.server == 0 {
		return 0, nil
	}
	var backend int
	if err := e.db.QueryRowContext(ctx, `SELECT pg_backend_pid()`).Scan(&backend); err != nil {
		return 0, err
	}
	return anonymous(backend)
}

func (e *postgres) Close() error { return e.db.Close() }

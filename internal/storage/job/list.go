package job

import (
	"context"
	"fmt"
	"time"

	"parley/internal/storage/sqlrow"
)

// Filter restricts a list of jobs; zero values do not restrict it.
type Filter struct {
	Account string
	State   State
	Kind    string
	Limit   int // 0: 100
}

// List returns jobs in order of creation.
func (q *Queue) List(ctx context.Context, f Filter) (jobs []Job, err error) {
	where, args := f.where()
	if f.Limit <= 0 {
		f.Limit = 100
	}
	args = append(args, f.Limit)
	err = q.db.ViewJobs(ctx, func(tx Tx) error {
		jobs, err = sqlrow.All(tx.Query(fmt.Sprintf(
			`SELECT `+columns+` FROM job WHERE %s ORDER BY created, id LIMIT $%d`, where, len(args)), args...), scan)
		return err
	})
	return jobs, err
}

// public is the state of a row as a State.
const public = `CASE WHEN state = '` + later + `' THEN 'ready' ELSE state END`

func (f Filter) where() (string, []any) {
	where, args := "TRUE", []any(nil)
	for _, c := range []struct{ column, value string }{
		{"account", f.Account}, {public, string(f.State)}, {"kind", f.Kind},
	} {
		if c.value != "" {
			args = append(args, c.value)
			where += fmt.Sprintf(" AND %s = $%d", c.column, len(args))
		}
	}
	return where, args
}

// Count is the number of jobs of a kind and priority in a state.
type Count struct {
	Kind     string
	State    State
	Priority int
	Jobs     int64
}

// Counts counts the jobs of an account, or of all accounts if it is empty.
func (q *Queue) Counts(ctx context.Context, account string) (counts []Count, err error) {
	where, args := Filter{Account: account}.where()
	err = q.db.ViewJobs(ctx, func(tx Tx) error {
		rows := tx.Query(`SELECT kind, `+public+` AS public, priority, COUNT(*) FROM job WHERE `+where+`
			GROUP BY kind, public, priority ORDER BY kind, public, priority`, args...)
		counts, err = sqlrow.All(rows, func(row sqlrow.Row) (c Count, err error) {
			err = row.Scan(&c.Kind, &c.State, &c.Priority, &c.Jobs)
			return c, err
		})
		return err
	})
	return counts, err
}

// Depth is the number of jobs of a kind and priority in a state, how many of them are due, and for how long the oldest
// has been due.
type Depth struct {
	Count
	Due    int64
	Oldest time.Duration // 0 if none is due
}

// Depths counts the jobs of all accounts. Its cost grows with the number of jobs.
func (q *Queue) Depths(ctx context.Context) (depths []Depth, err error) {
	err = q.db.ViewJobs(ctx, func(tx Tx) error {
		now, err := tx.Now()
		if err != nil {
			return err
		}
		rows := tx.Query(`SELECT kind, state, priority, COUNT(*), COUNT(due), COALESCE(MIN(due), $1) FROM (
				SELECT kind, `+public+` AS state, priority,
					CASE WHEN state IN ('ready', '`+later+`') AND run_at <= $1 THEN run_at END AS due FROM job
			) AS jobs GROUP BY kind, state, priority ORDER BY kind, state, priority`, now.UnixMicro())
		depths, err = sqlrow.All(rows, func(row sqlrow.Row) (d Depth, err error) {
			var oldest int64
			err = row.Scan(&d.Kind, &d.State, &d.Priority, &d.Jobs, &d.Due, &oldest)
			d.Oldest = now.Sub(time.UnixMicro(oldest))
			return d, err
		})
		return err
	})
	return depths, err
}

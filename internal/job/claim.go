package job

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"math"
	"time"
)

// Claims says which jobs a worker wants.
type Claims struct {
	Worker     string   // who asks, for operators to read
	Kinds      []string // what it can do
	Most       int      // how many
	PerAccount int      // jobs of one kind that one account may have running at a time; 0: no limit
}

// claimLock serialises claims on PostgreSQL, so that the limit per account holds between nodes.
// A claim takes a millisecond; work takes seconds.
const claimLock = 0x7061726c6579 // "parley"

// Claim leases up to c.Most ready jobs to a worker. Within an account they come by priority with ageing.
// Between accounts those with the fewest running jobs of the kind come first, then those that were
// served longest ago.
func (q *Queue) Claim(ctx context.Context, c Claims) (jobs []Job, err error) {
	err = q.db.UpdateJobs(ctx, func(tx Tx) error {
		jobs = nil // the transaction may run more than once
		if tx.RowLocks() {
			if _, err := tx.Exec(`SELECT pg_advisory_xact_lock($1)`, int64(claimLock)); err != nil {
				return err
			}
		}
		now, err := tx.Now()
		if err != nil {
			return err
		}
		for len(jobs) < c.Most {
			j, err := claimOne(tx, c, now)
			if errors.Is(err, sql.ErrNoRows) {
				return nil
			}
			if err != nil {
				return err
			}
			jobs = append(jobs, j)
		}
		return nil
	})
	return jobs, err
}

// claimOne claims the next job; sql.ErrNoRows when there is none.
func claimOne(tx Tx, c Claims, now time.Time) (Job, error) {
	for {
		next, err := nextTurn(tx, c, now)
		if err != nil {
			return Job{}, err
		}
		j, err := scan(tx.QueryRow(`UPDATE job SET state = 'running', fence = fence + 1, worker = $2, lease_until = $3
			WHERE id = $1 AND state = 'ready' RETURNING `+columns, next.id, c.Worker, now.Add(Lease).UnixMicro()))
		if errors.Is(err, sql.ErrNoRows) {
			continue // deleted in this instant
		}
		if err != nil {
			return Job{}, err
		}
		_, err = tx.Exec(`INSERT INTO job_turn (kind, account, served) VALUES ($1, $2,
				(SELECT COALESCE(MAX(served), 0) + 1 FROM job_turn))
			ON CONFLICT (kind, account) DO UPDATE SET served = excluded.served`, j.Kind, j.Account)
		return j, err
	}
}

// turn is the next job of one account and kind, and what decides between them.
type turn struct {
	id              ID
	running, served int64
}

func (t turn) before(u turn) bool {
	return cmp.Or(cmp.Compare(t.running, u.running), cmp.Compare(t.served, u.served), cmp.Compare(t.id, u.id)) < 0
}

// nextTurn returns the job to claim next, sql.ErrNoRows when there is none.
func nextTurn(tx Tx, c Claims, now time.Time) (turn, error) {
	best, err := turn{}, sql.ErrNoRows
	most := int64(math.MaxInt64)
	if c.PerAccount > 0 {
		most = int64(c.PerAccount)
	}
	for _, kind := range c.Kinds {
		var t turn
		e := tx.QueryRow(nextOfKind, kind, now.UnixMicro(), most).Scan(&t.id, &t.running, &t.served)
		switch {
		case errors.Is(e, sql.ErrNoRows):
		case e != nil:
			return turn{}, e
		case err != nil || t.before(best):
			best, err = t, nil
		}
	}
	return best, err
}

// nextOfKind walks the accounts that have ready jobs of a kind (a loose index scan: one probe of the
// index an account, however many jobs it has) and takes the head of the queue of the one whose turn it is.
const nextOfKind = `
WITH RECURSIVE waiting(account) AS (
	SELECT (SELECT f.account FROM job f WHERE f.state = 'ready' AND f.kind = $1 ORDER BY f.account LIMIT 1)
	UNION ALL
	SELECT (SELECT n.account FROM job n WHERE n.state = 'ready' AND n.kind = $1 AND n.account > waiting.account
		ORDER BY n.account LIMIT 1)
	FROM waiting WHERE waiting.account IS NOT NULL
), heads AS (
	SELECT (SELECT h.id FROM job h WHERE h.state = 'ready' AND h.kind = $1 AND h.account = waiting.account
			AND h.run_at <= $2 ORDER BY h.rank, h.id LIMIT 1) AS id,
		(SELECT COUNT(*) FROM job r WHERE r.state = 'running' AND r.kind = $1 AND r.account = waiting.account) AS running,
		COALESCE((SELECT t.served FROM job_turn t WHERE t.kind = $1 AND t.account = waiting.account), 0) AS served
	FROM waiting WHERE waiting.account IS NOT NULL
)
SELECT id, running, served FROM heads WHERE id IS NOT NULL AND running < $3
ORDER BY running, served, id LIMIT 1`

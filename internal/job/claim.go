package job

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
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

func claimOne(tx Tx, c Claims, now time.Time) (Job, error) {
	best, err := nextTurn(tx, c, now)
	if err != nil {
		return Job{}, err
	}
	_, err = tx.Exec(`INSERT INTO job_turn (kind, account, served) VALUES ($1, $2,
			(SELECT COALESCE(MAX(served), 0) + 1 FROM job_turn))
		ON CONFLICT (kind, account) DO UPDATE SET served = excluded.served`, best.kind, best.account)
	if err != nil {
		return Job{}, err
	}
	return scan(tx.QueryRow(`UPDATE job SET state = 'running', fence = fence + 1, worker = $2, lease_until = $3
		WHERE id = $1 AND state = 'ready' RETURNING `+columns, best.id, c.Worker, now.Add(Lease).UnixMicro()))
}

// turn is the next job of one account and kind, and what decides between accounts.
type turn struct {
	id, kind, account     string
	running, served, rank int64
}

func (t turn) before(u turn) bool {
	if t.running != u.running {
		return t.running < u.running
	}
	if t.served != u.served {
		return t.served < u.served
	}
	return t.rank < u.rank
}

// nextTurn returns the job to claim next, sql.ErrNoRows when there is none.
func nextTurn(tx Tx, c Claims, now time.Time) (turn, error) {
	best, err := turn{}, sql.ErrNoRows
	for _, kind := range c.Kinds {
		t, e := nextOfKind(tx, kind, c.PerAccount, now)
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
const nextOfKindSQL = `
WITH RECURSIVE waiting(account) AS (
	SELECT MIN(account) FROM job WHERE state = 'ready' AND kind = $1
	UNION ALL
	SELECT (SELECT MIN(j.account) FROM job j WHERE j.state = 'ready' AND j.kind = $1 AND j.account > waiting.account)
	FROM waiting WHERE waiting.account IS NOT NULL
), heads AS (
	SELECT (SELECT h.id FROM job h WHERE h.state = 'ready' AND h.kind = $1 AND h.account = waiting.account
			AND h.run_at <= $2 ORDER BY h.rank, h.id LIMIT 1) AS id,
		(SELECT COUNT(*) FROM job r WHERE r.state = 'running' AND r.kind = $1 AND r.account = waiting.account) AS running
	FROM waiting WHERE waiting.account IS NOT NULL
)
SELECT j.id, j.kind, j.account, heads.running, COALESCE(t.served, 0) AS served, j.rank
FROM heads JOIN job j ON j.id = heads.id
LEFT JOIN job_turn t ON t.kind = j.kind AND t.account = j.account
%s
ORDER BY heads.running, served, j.rank LIMIT 1 %s`

func nextOfKind(tx Tx, kind string, perAccount int, now time.Time) (t turn, err error) {
	limit, lock := "", ""
	if perAccount > 0 {
		limit = fmt.Sprintf("WHERE heads.running < %d", perAccount)
	}
	if tx.RowLocks() {
		lock = "FOR UPDATE OF j SKIP LOCKED"
	}
	err = tx.QueryRow(fmt.Sprintf(nextOfKindSQL, limit, lock), kind, now.UnixMicro()).
		Scan(&t.id, &t.kind, &t.account, &t.running, &t.served, &t.rank)
	return t, err
}

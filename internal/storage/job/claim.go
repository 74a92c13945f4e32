package job

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"maps"
	"math"
	"slices"
	"time"
)

// Claims describes the jobs that a worker requests.
type Claims struct {
	Worker  string   // name of the worker, for operators
	Kinds   []string // kinds of jobs that it can run
	Most    int      // maximum number of jobs
	PerLane int      // maximum running jobs of one kind per lane; 0: no limit

	// Held, if not nil, is the number of the worker's slots that each account holds; Most is then the number of free
	// slots. An account that holds as many slots as are free gets no job.
	Held map[string]int
}

// claimLock serialises claims on PostgreSQL, so that the limit per lane holds across nodes. A claim takes milliseconds,
// the work seconds.
const claimLock = 0x7061726c6579 // "parley"

// Claim leases up to c.Most ready jobs to a worker. Within a lane, jobs are ordered by priority with ageing. Lanes with
// the fewest running jobs of the kind come first, then those served longest ago. If slots are shared (c.Held), one
// account gets at most half of them, two get a third each, and so on: another account always finds a free slot.
func (q *Queue) Claim(ctx context.Context, c Claims) (jobs []Job, err error) {
	err = q.db.UpdateJobs(ctx, func(tx Tx) error {
		jobs = nil // the transaction may run more than once
		left := room{c.Most, maps.Clone(c.Held)}
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
			turns, err := nextTurns(tx, c, now, left)
			if err != nil || len(turns) == 0 {
				return err
			}
			for _, t := range turns[:min(len(turns), c.Most-len(jobs))] {
				if !left.has(t.account) {
					continue // continue after the jobs claimed in this round
				}
				j, err := t.claim(tx, c, now)
				if errors.Is(err, sql.ErrNoRows) {
					continue // deleted in the meantime
				}
				if err != nil {
					return err
				}
				left.take(t.account)
				jobs = append(jobs, j)
			}
		}
		return nil
	})
	return jobs, err
}

// room is the number of free slots of a worker, and the number held per account; nil if slots are not shared.
type room struct {
	free int
	held map[string]int
}

func (r *room) has(account string) bool { return r.held == nil || r.held[account] < r.free }

func (r *room) take(account string) {
	r.free--
	if r.held != nil {
		r.held[account]++
	}
}

// turn is the next job of one lane and kind, with its sort keys.
type turn struct {
	id              ID
	account         string
	running, served int64
}

func (t turn) compare(u turn) int {
	return cmp.Or(cmp.Compare(t.running, u.running), cmp.Compare(t.served, u.served), cmp.Compare(t.id, u.id))
}

// claim claims the job of a turn; sql.ErrNoRows if it is gone.
func (t turn) claim(tx Tx, c Claims, now time.Time) (Job, error) {
	var lane string
	err := tx.QueryRow(`UPDATE job SET state = 'running', fence = fence + 1, worker = $2, lease_until = $3
		WHERE id = $1 AND state = 'ready' RETURNING lane`, t.id, c.Worker, now.Add(Lease).UnixMicro()).Scan(&lane)
	if err != nil {
		return Job{}, err
	}
	j, err := Get(tx, t.id)
	if err != nil {
		return j, err
	}
	_, err = tx.Exec(`INSERT INTO job_turn (kind, lane, account, served) VALUES ($1, $2, $3,
			(SELECT COALESCE(MAX(served), 0) + 1 FROM job_turn))
		ON CONFLICT (kind, lane) DO UPDATE SET served = excluded.served`, j.Kind, lane, j.Account)
	return j, err
}

// latestTurns is the number of turns that are always remembered: otherwise a lane whose work arrives job by job would
// come first each time.
const latestTurns = 1000

// ForgetTurns deletes the turns of lanes without jobs, except the latest ones.
func ForgetTurns(tx Tx) error {
	_, err := tx.Exec(`DELETE FROM job_turn WHERE served <= (SELECT MAX(served) FROM job_turn) - $1
		AND NOT EXISTS (SELECT 1 FROM job WHERE job.kind = job_turn.kind AND job.lane = job_turn.lane AND job.state = 'ready')
		AND NOT EXISTS (SELECT 1 FROM job WHERE job.kind = job_turn.kind AND job.lane = job_turn.lane AND job.state = 'running')`, latestTurns)
	return err
}

// nextTurns returns jobs to claim next, in order: one for each of the lanes with the fewest running jobs, so that
// claiming one does not change the order of the others. It returns none if there is nothing to claim.
func nextTurns(tx Tx, c Claims, now time.Time, left room) ([]turn, error) {
	var turns []turn
	most := int64(math.MaxInt64)
	if c.PerLane > 0 {
		most = int64(c.PerLane)
	}
	for _, kind := range c.Kinds {
		ofKind, err := turnsOf(tx, kind, now, most, left)
		if err != nil {
			return nil, err
		}
		turns = append(turns, ofKind...)
	}
	slices.SortFunc(turns, turn.compare)
	for i, t := range turns {
		if t.running > turns[0].running {
			return turns[:i], nil
		}
	}
	return turns, nil
}

func turnsOf(tx Tx, kind string, now time.Time, most int64, left room) (turns []turn, err error) {
	for row := range tx.Query(nextOfKind, kind, now.UnixMicro(), most).Each {
		var t turn
		if err := row.Scan(&t.id, &t.account, &t.running, &t.served); err != nil {
			return nil, err
		}
		if left.has(t.account) {
			turns = append(turns, t)
		}
		if len(turns) >= left.free {
			break
		}
	}
	return turns, nil
}

// nextOfKind visits the lanes that have ready jobs of a kind (a loose index scan: one index probe per lane, however
// many jobs it has) and takes the first job of each lane whose turn it is.
const nextOfKind = `
WITH RECURSIVE waiting(lane) AS (
	SELECT (SELECT f.lane FROM job f WHERE f.state = 'ready' AND f.kind = $1 ORDER BY f.lane LIMIT 1)
	UNION ALL
	SELECT (SELECT n.lane FROM job n WHERE n.state = 'ready' AND n.kind = $1 AND n.lane > waiting.lane
		ORDER BY n.lane LIMIT 1)
	FROM waiting WHERE waiting.lane IS NOT NULL
), heads AS (
	SELECT (SELECT h.id FROM job h WHERE h.state = 'ready' AND h.kind = $1 AND h.lane = waiting.lane
			AND h.run_at <= $2 ORDER BY h.rank, h.id LIMIT 1) AS id,
		(SELECT COUNT(*) FROM job r WHERE r.state = 'running' AND r.kind = $1 AND r.lane = waiting.lane) AS running,
		COALESCE((SELECT t.served FROM job_turn t WHERE t.kind = $1 AND t.lane = waiting.lane), 0) AS served
	FROM waiting WHERE waiting.lane IS NOT NULL
)
SELECT id, (SELECT o.account FROM job o WHERE o.id = heads.id), running, served FROM heads WHERE id IS NOT NULL AND running < $3
ORDER BY running, served, id`

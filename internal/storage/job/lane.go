package job

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"time"
)

// Lane identifies the jobs of one kind and account that wait for each other: they run in order of rank, and the limit
// per lane holds for them. Its row in job_lane says whether claims visit it. Nothing else is kept about a lane: what
// waits and what runs is counted in the jobs themselves, so no counter can be wrong.
//
// A lane is awake while it has jobs that are ready. A claim that leaves none puts it to sleep, and Enqueue and the other
// functions that make jobs ready wake it. Two things wake it without them, because a sleeping lane is also looked at
// when it is due: a job that was not ready becomes so by time alone, and on PostgreSQL a claim may put a lane to sleep
// without seeing a job whose transaction has yet to commit. A lane where nothing is found is looked at less and less,
// and forgotten after more than an hour, longer than any transaction lasts.
type Lane struct {
	Kind    string `json:"kind"`
	Account string `json:"account"`
	Name    string `json:"lane"`
}

// account returns the account of a lane, as a Lane without a name.
func (l Lane) account() Lane { return Lane{Kind: l.Kind, Account: l.Account} }

// key is what the places of a walk are ordered by: the name of a lane, or the account of a Lane without a name.
func (l Lane) key() string { return cmp.Or(l.Name, l.Account) }

func (l Lane) compare(m Lane) int {
	return cmp.Or(cmp.Compare(l.Kind, m.Kind), cmp.Compare(l.Account, m.Account), cmp.Compare(l.Name, m.Name))
}

// When a sleeping lane is looked at.
const (
	firstLook = 2 * time.Second // after it fell asleep
	nextLook  = 8               // times as long after each look
	mostLooks = 3               // before it is forgotten
)

// wakesAtOnce is how many sleeping lanes are looked at in one transaction.
const wakesAtOnce = 500

// row is what a statement is to do with a lane. Lists of rows go to the database as one parameter, see rows.
type row struct {
	Lane
	Take  int64 `json:"take"`  // how many jobs to take, at most
	Awake int64 `json:"awake"` // as in job_lane
	Due   int64 `json:"due"`
	Looks int64 `json:"looks"`
}

// rows is a table, w, of the list in the parameter $1.
func rows(tx Tx) string {
	if tx.RowLocks() {
		return `jsonb_to_recordset(CAST($1 AS jsonb))
			AS w(kind text, account text, lane text, take bigint, awake bigint, due bigint, looks bigint)`
	}
	return `(SELECT value ->> 'kind' AS kind, value ->> 'account' AS account, value ->> 'lane' AS lane,
		value ->> 'take' AS take, value ->> 'awake' AS awake, value ->> 'due' AS due, value ->> 'looks' AS looks
		FROM json_each($1)) AS w`
}

// list encodes the parameter of rows and similar tables.
func list[T any](values []T) string {
	encoded, err := json.Marshal(values)
	if err != nil {
		panic(err) // strings and numbers
	}
	return string(encoded)
}

// unlocked ends a query whose rows, or those of one of its tables, it locks, and leaves out those that another
// transaction has locked: a node that stops in the middle of a transaction must not stop the others. SQLite has one
// writer at a time.
func unlocked(tx Tx, table ...string) string {
	switch {
	case !tx.RowLocks():
		return ``
	case len(table) > 0:
		return ` FOR NO KEY UPDATE OF ` + table[0] + ` SKIP LOCKED`
	}
	return ` FOR NO KEY UPDATE SKIP LOCKED`
}

// Wakes are the lanes in which a transaction has made jobs ready, with when the first of them is due; zero: at once.
type Wakes map[Lane]time.Time

// Add notes that a lane has a job that is due at a time, as of now.
func (w *Wakes) Add(l Lane, due, now time.Time) {
	if !due.After(now) {
		due = time.Time{}
	}
	if *w == nil {
		*w = Wakes{}
	}
	if earlier, ok := (*w)[l]; !ok || due.Before(earlier) {
		(*w)[l] = due
	}
}

// Write wakes the lanes, or lets them be looked at when their jobs are due. It must be the last thing that a transaction
// does: it may lock the row of a lane, and claims leave out lanes whose rows are locked. Lanes that are awake are not
// locked. The order is the same in all transactions, so that none waits for another in a circle.
func (w Wakes) Write(tx Tx) error {
	for _, l := range slices.SortedFunc(maps.Keys(w), Lane.compare) {
		awake, due := 1, int64(0)
		if t := w[l]; !t.IsZero() {
			awake, due = 0, t.UnixMicro()
		}
		n, err := tx.Exec(`UPDATE job_lane SET awake = $4, due = $5, looks = 0
			WHERE kind = $1 AND account = $2 AND lane = $3 AND awake = 0 AND due > $5`, l.Kind, l.Account, l.Name, awake, due)
		if err == nil && n == 0 { // awake, due earlier, or unknown
			_, err = tx.Exec(`INSERT INTO job_lane (kind, account, lane, awake, due) VALUES ($1, $2, $3, $4, $5)
				ON CONFLICT DO NOTHING`, l.Kind, l.Account, l.Name, awake, due)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// wakeDue wakes the sleeping lanes in which jobs have become due, and returns how many lanes it has looked at.
func wakeDue(tx Tx, now time.Time) (looked int, err error) {
	var found, forgotten []row
	query := `SELECT kind, account, lane, looks,
			EXISTS (SELECT 1 FROM job j WHERE j.state = 'ready'
				AND j.kind = l.kind AND j.account = l.account AND j.lane = l.lane),
			COALESCE((SELECT MIN(j.run_at) FROM job j WHERE j.state = 'later'
				AND j.kind = l.kind AND j.account = l.account AND j.lane = l.lane), 0)
		FROM job_lane l WHERE awake = 0 AND due <= $1 ORDER BY due LIMIT $2` + unlocked(tx)
	for one := range tx.Query(query, now.UnixMicro(), wakesAtOnce).Each {
		var l row
		var ready bool
		var next int64
		if err := one.Scan(&l.Kind, &l.Account, &l.Name, &l.Looks, &ready, &next); err != nil {
			return 0, err
		}
		looked++
		if l = l.looked(ready, next, now); l.Looks > mostLooks {
			forgotten = append(forgotten, l)
		} else {
			found = append(found, l)
		}
	}
	if len(found) > 0 {
		_, err = tx.Exec(`UPDATE job_lane SET awake = w.awake, due = w.due, looks = w.looks FROM `+rows(tx)+`
			WHERE job_lane.kind = w.kind AND job_lane.account = w.account AND job_lane.lane = w.lane`, list(found))
	}
	if err == nil && len(forgotten) > 0 {
		_, err = tx.Exec(`DELETE FROM job_lane WHERE (kind, account, lane) IN
			(SELECT w.kind, w.account, w.lane FROM `+rows(tx)+`)`, list(forgotten))
	}
	return looked, err
}

// looked returns what becomes of a sleeping lane in which there are ready jobs or not, and of whose other jobs the
// first one is due at a time in microseconds; 0: there are none.
func (l row) looked(ready bool, next int64, now time.Time) row {
	if ready || next != 0 && next <= now.UnixMicro() {
		l.Awake, l.Due, l.Looks = 1, 0, 0
		return l
	}
	pause := firstLook
	for range l.Looks + 1 {
		pause *= nextLook
	}
	l.Due = now.Add(pause).UnixMicro()
	if l.Looks++; next != 0 {
		l.Looks, l.Due = 0, min(next, l.Due)
	}
	return l
}

// sleep puts those of the given lanes to sleep in which nothing is ready.
func sleep(tx Tx, lanes []row, now time.Time) error {
	_, err := tx.Exec(`UPDATE job_lane SET awake = 0, looks = 0, due = COALESCE((SELECT MIN(j.run_at) FROM job j
			WHERE j.state = 'later' AND j.kind = job_lane.kind AND j.account = job_lane.account AND j.lane = job_lane.lane
			AND j.run_at < $2), $2)
		WHERE (kind, account, lane) IN (SELECT w.kind, w.account, w.lane FROM `+rows(tx)+`)
		AND NOT EXISTS (SELECT 1 FROM job j WHERE j.state = 'ready'
			AND j.kind = job_lane.kind AND j.account = job_lane.account AND j.lane = job_lane.lane)`,
		list(lanes), now.Add(firstLook).UnixMicro())
	return err
}

// Mend wakes the lanes whose jobs no claim would find, and returns their number, which is 0 unless somebody else has
// changed the tables. A lane that fell asleep a moment ago, beside a job that was about to be committed, is not among them:
// it is looked at again anyway. Mend compares all lanes with all jobs by their indexes, once for each lane.
func (q *Queue) Mend(ctx context.Context) (mended int64, err error) {
	err = q.db.UpdateJobs(ctx, func(tx Tx) error {
		mended = 0 // the transaction may run more than once
		now, err := tx.Now()
		if err != nil {
			return err
		}
		for _, state := range []string{string(Ready), later} {
			n, err := tx.Exec(unvisited, state, now.Add(firstLook).UnixMicro())
			if err != nil {
				return err
			}
			mended += n
		}
		return nil
	})
	if mended > 0 {
		q.Added()
	}
	return mended, err
}

// unvisited finds the lanes with jobs in a state that have no row, or sleep although jobs are ready (a loose index scan:
// one probe a lane), and lets them be looked at.
const unvisited = `
WITH RECURSIVE at(kind, account, lane) AS (
	SELECT * FROM (SELECT kind, account, lane FROM job WHERE state = $1 ORDER BY kind, account, lane LIMIT 1) AS first
	UNION ALL
	SELECT n.kind, n.account, n.lane FROM at JOIN job n ON n.id = (SELECT j.id FROM job j WHERE j.state = $1
		AND (j.kind, j.account, j.lane) > (at.kind, at.account, at.lane) ORDER BY j.kind, j.account, j.lane LIMIT 1)
)
INSERT INTO job_lane (kind, account, lane, awake, due)
SELECT kind, account, lane, 0, 0 FROM at WHERE NOT EXISTS (SELECT 1 FROM job_lane l
	WHERE l.kind = at.kind AND l.account = at.account AND l.lane = at.lane
	AND (l.awake = 1 OR l.due <= $2 OR $1 <> 'ready'))
ON CONFLICT (kind, account, lane) DO UPDATE SET due = 0`

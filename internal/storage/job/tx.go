package job

import (
	"cmp"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"parley/internal/storage/sqlrow"
)

// Tx is the part of a database transaction that jobs need. Both databases understand the same SQL with $1, $2, … except
// for row locks, which only PostgreSQL has and needs.
type Tx interface {
	Exec(query string, args ...any) (affected int64, err error)
	Query(query string, args ...any) sqlrow.Rows
	QueryRow(query string, args ...any) *sql.Row
	Now() (time.Time, error) // the clock shared by all workers
	RowLocks() bool          // whether rows can and must be locked

	// ByIndex lets the database plan the statements that follow as if there were very many rows. PostgreSQL would
	// otherwise read whole tables that were small when it last looked, and compile statements that take a millisecond.
	ByIndex() error

	// Wake notes that a lane has a job that is due at a time, as of now. The transaction passes what was noted to
	// Wakes.Write before it commits.
	Wake(l Lane, due, now time.Time)
}

// Enqueue adds a job. It becomes claimable when the transaction commits.
func Enqueue(tx Tx, s Spec) (ID, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return "", fmt.Errorf("create job id: %w", err)
	}
	now, err := tx.Now()
	if err != nil {
		return "", err
	}
	due := s.RunAt
	if due.IsZero() {
		due = now
	}
	attempts := s.MaxAttempts
	if attempts <= 0 {
		attempts = DefaultAttempts
	}
	lane := Lane{s.Kind, s.Account, cmp.Or(s.Lane, s.Account)}
	_, err = tx.Exec(`INSERT INTO job
		(id, kind, account, lane, subject, priority, payload, state, max_attempts, rank, run_at, created)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
		id.String(), lane.Kind, lane.Account, lane.Name, s.Subject, s.Priority, payload(s.Payload), waiting(due, now),
		attempts, rank(due, s.Priority), due.UnixMicro(), now.UnixMicro())
	tx.Wake(lane, due, now)
	return ID(id.String()), err
}

// payload converts nil to an empty slice, which is not stored as NULL.
func payload(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

// isRunning is the condition on a job that was found by its id. The planner must not find it by the index of running
// jobs instead, which it takes for small: beside a transaction that reads for minutes it is full of dead entries.
const isRunning = `COALESCE(job.state, '') = 'running'`

// mine restricts an update to a job that is still held under the given fence ($1, $2).
const mine = ` WHERE id = $1 AND fence = $2 AND ` + isRunning

// Fence checks that the caller still holds j, and prevents other claims of j until this transaction ends. It returns
// ErrLost if j is not held any more. Every transaction that writes an effect of a job must call Fence or Complete
// first.
func Fence(tx Tx, j Job) error {
	query := `SELECT 1 FROM job` + mine
	if tx.RowLocks() {
		query += ` FOR UPDATE`
	}
	var one int
	err := tx.QueryRow(query, j.ID, j.Fence).Scan(&one)
	if errors.Is(err, sql.ErrNoRows) {
		return ErrLost
	}
	return err
}

// Complete removes a job whose effects this transaction writes. It returns ErrLost if the job is not held any more.
func Complete(tx Tx, j Job) error {
	return owned(tx.Exec(`DELETE FROM job`+mine, j.ID, j.Fence))
}

// Drop removes a job that is not held and is unchanged. It returns ErrLost if the job has been claimed meanwhile.
func Drop(tx Tx, j Job) error {
	return owned(tx.Exec(`DELETE FROM job WHERE id = $1 AND fence = $2 AND state <> 'running'`, j.ID, j.Fence))
}

// Reschedule gives a held job back to run at the given time, with a new payload and all its attempts, as for the next
// entry of a schedule. It returns ErrLost if the job is not held any more.
func Reschedule(tx Tx, j Job, at time.Time, data []byte) error {
	now, err := tx.Now()
	if err != nil {
		return err
	}
	tx.Wake(j.lane(), at, now)
	return owned(tx.Exec(`UPDATE job SET state = $6, worker = '', lease_until = 0, run_at = $3, rank = $4,
		payload = $5, attempts = 0, interruptions = 0, stalls = 0, last_error = ''`+mine,
		j.ID, j.Fence, at.UnixMicro(), rank(at, j.Priority), payload(data), waiting(at, now)))
}

// Advanced records that the jobs on a subject made progress: it resets their interruptions.
func Advanced(tx Tx, subject string) error {
	_, err := tx.Exec(`UPDATE job SET interruptions = 0
		WHERE subject = $1 AND state = 'running' AND interruptions > 0`, subject)
	return err
}

// DeleteSubject removes all jobs on a subject, including running ones; the fence stops their workers.
func DeleteSubject(tx Tx, account, subject string) error {
	_, err := tx.Exec(`DELETE FROM job WHERE subject = $2 AND account = $1`, account, subject)
	return err
}

// DeleteDead removes the dead jobs of a kind on a subject, because their work is requested again.
func DeleteDead(tx Tx, account, subject, kind string) error {
	_, err := tx.Exec(`DELETE FROM job WHERE subject = $2 AND account = $1 AND kind = $3 AND state = 'dead'`, account,
		subject, kind)
	return err
}

// DeleteAccount removes all jobs of an account, including running ones.
func DeleteAccount(tx Tx, account string) error {
	for _, table := range []string{"job", "job_lane"} {
		if _, err := tx.Exec(`DELETE FROM `+table+` WHERE account = $1`, account); err != nil {
			return err
		}
	}
	return nil
}

// Get returns one job; sql.ErrNoRows if it does not exist.
func Get(tx Tx, id ID) (Job, error) {
	return scan(tx.QueryRow(`SELECT `+columns+` FROM job WHERE id = $1`, id))
}

// OfSubject returns the jobs on a subject, oldest first.
func OfSubject(tx Tx, account, subject string) ([]Job, error) {
	return sqlrow.All(tx.Query(`SELECT `+columns+` FROM job WHERE subject = $2 AND account = $1
		ORDER BY created, id`, account, subject), scan)
}

// owned converts the result of a statement on a held job to ErrLost if it affected no row.
func owned(affected int64, err error) error {
	if err == nil && affected == 0 {
		return ErrLost
	}
	return err
}

const columns = `id, kind, account, lane, subject, priority, payload, state, attempts, max_attempts, interruptions,
	stalls, fence, run_at, created, last_error, worker, lease_until`

func scan(row sqlrow.Row) (Job, error) {
	var j Job
	var runAt, created, lease int64
	err := row.Scan(&j.ID, &j.Kind, &j.Account, &j.Lane, &j.Subject, &j.Priority, &j.Payload, &j.State, &j.Attempts,
		&j.MaxAttempts, &j.Interruptions, &j.Stalls, &j.Fence, &runAt, &created, &j.LastError, &j.Worker, &lease)
	if err != nil {
		return Job{}, err
	}
	j.RunAt, j.Created = time.UnixMicro(runAt).UTC(), time.UnixMicro(created).UTC()
	if j.State == later {
		j.State = Ready
	}
	if lease != 0 {
		j.LeaseUntil = time.UnixMicro(lease).UTC()
	}
	return j, nil
}

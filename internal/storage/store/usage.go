package store

import (
	"time"

	"parley/internal/storage/sqlrow"
	"parley/internal/words/account"
)

// Usage is the processed audio of an account in one day.
type Usage struct {
	Day        time.Time     // its start in UTC
	Recognized time.Duration // length of the recordings that a recogniser processed
	Given      time.Duration // length of the recordings supplied with timed words
}

// Total returns the length of all processed recordings.
func (u Usage) Total() time.Duration { return u.Recognized + u.Given }

// AddUsage adds processed audio to the day of now and ignores u.Day, when the transaction commits. Call it in the
// publishing transaction.
func (tx *Tx) AddUsage(a account.ID, now time.Time, u Usage) error {
	if u.Total() == 0 {
		return nil
	}
	tx.atEnd(a, func() error {
		return tx.exec(`INSERT INTO usage (account, day, processed, given) VALUES ($1, $2, $3, $4)
			ON CONFLICT (account, day) DO UPDATE
			SET processed = usage.processed + excluded.processed, given = usage.given + excluded.given`,
			a, now.UTC().Format(time.DateOnly), u.Recognized.Microseconds(), u.Given.Microseconds())
	})
	return nil
}

// Usage returns an account's days with usage from one time (inclusive) to another (exclusive), in order.
func (tx *Tx) Usage(a account.ID, from, to time.Time) ([]Usage, error) {
	rows := tx.query(`SELECT day, processed, given FROM usage
		WHERE account = $1 AND day >= $2 AND day < $3 ORDER BY day`,
		a, from.UTC().Format(time.DateOnly), to.UTC().Format(time.DateOnly))
	return sqlrow.All(rows, func(row sqlrow.Row) (u Usage, err error) {
		var day string
		if err := row.Scan(&day, duration{&u.Recognized}, duration{&u.Given}); err != nil {
			return u, err
		}
		u.Day, err = time.Parse(time.DateOnly, day)
		return u, err
	})
}

package store

import (
	"time"

	"parley/internal/account"
)

// Usage is how much of an account's audio was processed in a day.
type Usage struct {
	Day       time.Time // its start in UTC
	Processed time.Duration
}

// AddUsage adds processed audio to the day of now. It belongs in the publishing transaction.
func (tx *Tx) AddUsage(a account.ID, now time.Time, processed time.Duration) error {
	_, err := tx.exec(`INSERT INTO usage (account, day, processed) VALUES ($1, $2, $3)
		ON CONFLICT (account, day) DO UPDATE SET processed = usage.processed + excluded.processed`,
		a, now.UTC().Format(time.DateOnly), processed.Microseconds())
	return err
}

// Usage returns an account's days from one time to before another that have any usage, in order.
func (tx *Tx) Usage(a account.ID, from, to time.Time) ([]Usage, error) {
	rows, err := tx.query(`SELECT day, processed FROM usage WHERE account = $1 AND day >= $2 AND day < $3 ORDER BY day`,
		a, from.UTC().Format(time.DateOnly), to.UTC().Format(time.DateOnly))
	return collect(rows, err, func(row scanner) (u Usage, err error) {
		var day string
		var processed int64
		if err := row.Scan(&day, &processed); err != nil {
			return u, err
		}
		u.Day, err = time.Parse(time.DateOnly, day)
		u.Processed = time.Duration(processed) * time.Microsecond
		return u, err
	})
}

package store

import (
	"encoding/json"
	"fmt"
	"time"

	"parley/internal/words/fault"
	"parley/internal/words/list"
)

// micros converts a time to a column value: 0 for the zero time.
func micros(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

// moment converts a column value to a time in UTC.
func moment(us int64) time.Time {
	if us == 0 {
		return time.Time{}
	}
	return time.UnixMicro(us).UTC()
}

// instant scans a column of microseconds as a time in UTC.
type instant struct{ *time.Time }

// Scan implements sql.Scanner.
func (i instant) Scan(column any) error {
	us, ok := column.(int64)
	if !ok {
		return fmt.Errorf("a time column contains %T", column)
	}
	*i.Time = moment(us)
	return nil
}

// duration scans a column of microseconds as a duration.
type duration struct{ *time.Duration }

// Scan implements sql.Scanner.
func (d duration) Scan(column any) error {
	us, ok := column.(int64)
	if !ok {
		return fmt.Errorf("a duration column contains %T", column)
	}
	*d.Duration = time.Duration(us) * time.Microsecond
	return nil
}

// expiry returns when a time to live that starts at a time ends; zero for never.
func expiry(start time.Time, life time.Duration) time.Time {
	if life <= 0 {
		return time.Time{}
	}
	return start.Add(life)
}

// bytes converts nil to an empty slice, which is not stored as NULL.
func bytes(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

// problem is the stored form of a fault.Problem.
type problem struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func encodeProblems(ps []fault.Problem) ([]byte, error) {
	if len(ps) == 0 {
		return []byte{}, nil
	}
	return json.Marshal(list.Map(ps, func(p fault.Problem) problem { return problem{p.Code, p.Message} }))
}

func decodeProblems(data []byte) ([]fault.Problem, error) {
	if len(data) == 0 {
		return nil, nil
	}
	var rows []problem
	if err := json.Unmarshal(data, &rows); err != nil {
		return nil, err
	}
	return list.Map(rows, func(r problem) fault.Problem { return fault.Problem{Code: r.Code, Message: r.Message} }), nil
}

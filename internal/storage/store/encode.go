package store

import (
	"encoding/json"
	"time"

	"parley/internal/words/fault"
)

// micros is a time as a column: 0 for the zero time.
func micros(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

// moment is the time of a column, in UTC.
func moment(us int64) time.Time {
	if us == 0 {
		return time.Time{}
	}
	return time.UnixMicro(us).UTC()
}

// bytes keeps nil from becoming NULL.
func bytes(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}

// problem is a fault.Problem as it is stored.
type problem struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func encodeProblems(ps []fault.Problem) ([]byte, error) {
	if len(ps) == 0 {
		return []byte{}, nil
	}
	rows := make([]problem, len(ps))
	for i, p := range ps {
		rows[i] = problem(p)
	}
	return json.Marshal(rows)
}

func decodeProblems(data []byte) ([]fault.Problem, error) {
	if len(data) == 0 {
		return nil, nil
	}
	var rows []problem
	if err := json.Unmarshal(data, &rows); err != nil {
		return nil, err
	}
	ps := make([]fault.Problem, len(rows))
	for i, r := range rows {
		ps[i] = fault.Problem(r)
	}
	return ps, nil
}

package main

import (
	"fmt"
	"strconv"
	"time"

	"parley/internal/call/wire"
	"parley/internal/storage/job"
	"parley/internal/storage/store"
	"parley/internal/words/account"
	"parley/internal/words/media"
)

// keyRows renders access tokens without their secrets.
func keyRows(keys []wire.Key) [][]any {
	return rowsOf(keys, func(k wire.Key) []any {
		return []any{k.ID, k.LastSix, day(k.Issued.Time), day(k.ExpirationDate.Time), day(k.LastUsed.Time), k.Scope,
			short(k.Description)}
	}, "ID", "ENDS IN", "ISSUED", "EXPIRES", "LAST USED", "SCOPES", "DESCRIPTION")
}

// accountLine is an account in lists: its properties, usage and limits.
type accountLine struct {
	ID          account.ID `json:"id"`
	Name        string     `json:"name"`
	Created     wire.Time  `json:"dateCreated"`
	Disabled    bool       `json:"disabled"`
	StoredBytes int64      `json:"storedBytes"`
	MayStore    *int64     `json:"mayStoreBytes"`        // null: the server's default; 0: no limit
	MayAsk      *int64     `json:"mayRequestsPerSecond"` // likewise
	Minutes     float64    `json:"minutesThisMonth"`
}

// lineOf reads the usage of an account.
func lineOf(tx *store.Tx, a account.Account) (accountLine, error) {
	line := accountLine{
		ID: a.ID, Name: a.Name, Created: wire.Time{Time: a.Created}, Disabled: a.Disabled, MayStore: a.Limits.Storage,
		MayAsk: a.Limits.Rate,
	}
	var err error
	if line.StoredBytes, err = tx.Storage(a.ID); err != nil {
		return line, err
	}
	now := time.Now().UTC()
	month := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC)
	days, err := tx.Usage(a.ID, month, month.AddDate(0, 1, 0))
	for _, d := range days {
		line.Minutes += d.Total().Minutes()
	}
	return line, err
}

func accountRows(lines []accountLine) [][]any {
	return rowsOf(lines, func(l accountLine) []any {
		state := "enabled"
		if l.Disabled {
			state = "disabled"
		}
		rate := limit(l.MayAsk, func(n int64) string { return strconv.FormatInt(n, 10) })
		return []any{l.ID, l.Name, day(l.Created.Time), state, size(l.StoredBytes), limit(l.MayStore, size), rate,
			fmt.Sprintf("%.1f", l.Minutes)}
	}, "ID", "NAME", "CREATED", "STATE", "STORED", "MAY STORE", "REQUESTS/S", "MINUTES THIS MONTH")
}

type jobLine struct {
	ID        job.ID    `json:"jobId"`
	Kind      string    `json:"kind"`
	Account   string    `json:"accountId,omitempty"`
	Media     media.ID  `json:"mediaId,omitempty"`
	State     job.State `json:"state"`
	Worker    string    `json:"worker,omitempty"`
	Attempts  int       `json:"attempts"`
	Created   wire.Time `json:"dateCreated"`
	LastError string    `json:"lastError,omitempty"`
}

func linesOfJobs(jobs []job.Job) []jobLine {
	lines := make([]jobLine, len(jobs))
	for i, j := range jobs {
		created := wire.Time{Time: j.Created}
		lines[i] = jobLine{j.ID, j.Kind, j.Account, media.ID(j.Subject), j.State, j.Worker, j.Attempts, created,
			j.LastError}
	}
	return lines
}

func jobRows(lines []jobLine) [][]any {
	return rowsOf(lines, func(l jobLine) []any {
		return []any{l.ID, l.Kind, l.Media, l.State, l.Worker, l.Attempts, day(l.Created.Time), l.LastError}
	}, "JOB", "KIND", "MEDIA", "STATE", "WORKER", "ATTEMPTS", "CREATED", "LAST ERROR")
}

package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"parley/internal/account"
	"parley/internal/audit"
	"parley/internal/config"
	"parley/internal/fault"
	"parley/internal/store"
)

// accountRow is a line about an account: what it is, uses and may use.
func accountRow(tx *store.Tx, a account.Account) ([]any, error) {
	stored, err := tx.Storage(a.ID)
	if err != nil {
		return nil, err
	}
	now := time.Now().UTC()
	month := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, time.UTC)
	days, err := tx.Usage(a.ID, month, month.AddDate(0, 1, 0))
	if err != nil {
		return nil, err
	}
	var used time.Duration
	for _, d := range days {
		used += d.Processed
	}
	state := "enabled"
	if a.Disabled {
		state = "disabled"
	}
	return []any{
		a.ID, a.Name, day(a.Created), state, size(stored), limit(a.Limits.Storage, size),
		limit(a.Limits.Rate, func(n int64) string { return strconv.FormatInt(n, 10) }), fmt.Sprintf("%.1f", used.Minutes()),
	}, nil
}

// limit writes a limit of an account.
func limit(n *int64, write func(int64) string) string {
	switch {
	case n == nil:
		return "default"
	case *n == 0:
		return "any"
	}
	return write(*n)
}

// size writes bytes for people.
func size(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%d B", n)
}

type accountLimit struct {
	config.StorageFlags
	Name string `arg:"" help:"Name of the account."`
	Size string `name:"storage" help:"What it may store: a size such as 500GiB, 0 for any, or default." placeholder:"SIZE"`
	Rate string `help:"Requests a second, 0 for any, or default." placeholder:"N"`
}

// Run sets the limits that are given and leaves the others. The server heeds them from the next request on.
func (c *accountLimit) Run(ctx context.Context) error {
	if c.Size == "" && c.Rate == "" {
		return fault.New(fault.Invalid, fault.CodeAccount, "give --storage, --rate or both")
	}
	return withStore(ctx, c.StorageFlags, func(db *store.Store) error {
		return db.Update(ctx, func(tx *store.Tx) error {
			a, err := tx.AccountByName(c.Name)
			if err != nil {
				return err
			}
			if err := c.change(&a.Limits); err != nil {
				return err
			}
			if err := tx.SetAccountLimits(a.ID, a.Limits); err != nil {
				return err
			}
			return note(tx, a.ID, audit.Change, "account", "limits")
		})
	})
}

func (c *accountLimit) change(l *account.Limits) (err error) {
	if l.Storage, err = parseLimit(c.Size, l.Storage, config.ParseSize); err != nil {
		return err
	}
	l.Rate, err = parseLimit(c.Rate, l.Rate, func(text string) (int64, error) {
		n, err := strconv.ParseInt(text, 10, 32)
		if err != nil || n < 0 {
			return 0, fault.New(fault.Invalid, fault.CodeAccount, "--rate %q: use a number from 0 (any), or default", text)
		}
		return n, nil
	})
	return err
}

// parseLimit reads a limit; the empty text leaves it as it is.
func parseLimit(text string, present *int64, parse func(string) (int64, error)) (*int64, error) {
	switch {
	case text == "":
		return present, nil
	case strings.EqualFold(text, "default"):
		return nil, nil
	}
	n, err := parse(text)
	return &n, err
}

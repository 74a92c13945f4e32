package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"parley/internal/operation/config"
	"parley/internal/storage/store"
	"parley/internal/words/account"
	"parley/internal/words/audit"
)

// limit formats a limit of an account.
func limit(n *int64, write func(int64) string) string {
	switch {
	case n == nil:
		return "default"
	case *n == 0:
		return "any"
	}
	return write(*n)
}

// size formats a number of bytes.
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
	Size string `name:"storage" help:"Storage limit: a size such as 500GiB, 0 for no limit, or default." placeholder:"SIZE"`
	Rate string `help:"Limit of requests per second: a number, 0 for no limit, or default." placeholder:"N"`
}

// Run sets the given limits and leaves the others unchanged. They take effect with the next request.
func (c *accountLimit) Run(ctx context.Context) error {
	if err := c.change(&account.Limits{}); err != nil {
		return err
	}
	if c.Size == "" && c.Rate == "" { // report a missing database first: the flags do not matter then
		return withStore(ctx, c.StorageFlags, func(*store.Store) error {
			return usagef("give --storage, --rate or both; parley account list shows the current limits")
		})
	}
	return withAccount(ctx, c.StorageFlags, c.Name, func(tx *store.Tx, a account.Account) error {
		if err := c.change(&a.Limits); err != nil {
			return err
		}
		if err := tx.SetAccountLimits(a.ID, a.Limits); err != nil {
			return err
		}
		return note(tx, a.ID, audit.Change, "account", "limits")
	})
}

func (c *accountLimit) change(l *account.Limits) (err error) {
	l.Storage, err = parseLimit(c.Size, l.Storage, func(text string) (int64, error) {
		n, err := config.ParseSize(text)
		if err != nil {
			return 0, usagef("--storage %q: use a size such as 500GiB, 0 (no limit), or default", text)
		}
		return n, nil
	})
	if err != nil {
		return err
	}
	l.Rate, err = parseLimit(c.Rate, l.Rate, func(text string) (int64, error) {
		n, err := strconv.ParseInt(text, 10, 32)
		if err != nil || n < 0 {
			return 0, usagef("--rate %q: use a number from 0 (no limit), or default", text)
		}
		return n, nil
	})
	return err
}

// parseLimit parses a limit; an empty text keeps the present one.
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

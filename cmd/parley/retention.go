package main

import (
	"context"
	"fmt"
	"time"

	"parley/internal/operation/config"
	"parley/internal/storage/store"
	"parley/internal/words/account"
	"parley/internal/words/audit"
)

type accountRetention struct {
	config.StorageFlags
	Name string `arg:"" help:"Name of the account."`
	Time string `arg:"" optional:"" help:"How long, such as 720h or 30d; \"keep\": forever; \"default\": the server's --time-to-live. Without it, the current setting is printed."`
}

// Run prints or changes the default retention of an account's media.
func (c *accountRetention) Run(ctx context.Context) error {
	life, err := parseRetention(c.Time)
	if err != nil {
		return err
	}
	err = withAccount(ctx, c.StorageFlags, c.Name, func(tx *store.Tx, a account.Account) (err error) {
		if c.Time == "" {
			life, err = tx.Retention(a.ID)
			return err
		}
		if err := tx.SetRetention(a.ID, life); err != nil {
			return err
		}
		return note(tx, a.ID, audit.Change, "account", "retention")
	})
	if err == nil {
		fmt.Println(retentionText(life))
	}
	return err
}

// parseRetention parses a duration, "keep" as 0, and "default", or an empty text, as nil.
func parseRetention(text string) (*time.Duration, error) {
	var life time.Duration
	switch text {
	case "", "default":
		return nil, nil
	case "keep":
		return &life, nil
	}
	life, err := config.ParseTime(text)
	if err != nil || life <= 0 {
		return nil, usagef("retention %q: use a time such as 30d or 720h, keep, or default", text)
	}
	return &life, nil
}

func retentionText(life *time.Duration) string {
	switch {
	case life == nil:
		return "default: the server's --time-to-live"
	case *life == 0:
		return "keep: forever"
	}
	const day = 24 * time.Hour
	if *life%day == 0 {
		return fmt.Sprintf("%dd", *life/day)
	}
	return life.String()
}

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

type accountSet struct {
	config.StorageFlags
	Name     string   `arg:"" help:"Name of the account."`
	Settings []string `arg:"" optional:"" help:"Settings to change; without any, the current ones are printed. compat.scoreAsNumber=true writes the score of keyword groups as a number." placeholder:"NAME=VALUE"`
}

// Run prints or changes the settings of an account. They take effect with the next request.
func (c *accountSet) Run(ctx context.Context) error {
	if err := c.change(&account.Compatibility{}); err != nil {
		return err
	}
	var present account.Compatibility
	err := withAccount(ctx, c.StorageFlags, c.Name, func(tx *store.Tx, a account.Account) error {
		present = a.Compatibility
		if err := c.change(&present); err != nil || len(c.Settings) == 0 {
			return err
		}
		if err := tx.SetAccountCompatibility(a.ID, present); err != nil {
			return err
		}
		return note(tx, a.ID, audit.Change, "account", "settings")
	})
	if err == nil {
		fmt.Printf("%s=%v\n", scoreAsNumber, present.ScoreAsNumber)
	}
	return err
}

// scoreAsNumber is the name of the setting account.Compatibility.ScoreAsNumber.
const scoreAsNumber = "compat.scoreAsNumber"

func (c *accountSet) change(present *account.Compatibility) error {
	for _, setting := range c.Settings {
		name, text, _ := strings.Cut(setting, "=")
		if name != scoreAsNumber {
			return usagef("unknown setting %q; known: %s", name, scoreAsNumber)
		}
		value, err := strconv.ParseBool(text)
		if err != nil {
			return usagef("%s is %q; write %s=true or %s=false", name, text, name, name)
		}
		present.ScoreAsNumber = value
	}
	return nil
}

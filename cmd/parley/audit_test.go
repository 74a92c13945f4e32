package main

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"parley/internal/audit"
	"parley/internal/config"
	"parley/internal/store"
)

func TestWhatTheOperatorDoesToAnAccountIsInItsAuditLog(t *testing.T) {
	flags := config.StorageFlags{Data: t.TempDir()}
	for _, command := range []interface{ Run(context.Context) error }{
		&accountCreate{StorageFlags: flags, Name: "acme"},
		&accountLimit{StorageFlags: flags, Name: "acme", Size: "100MiB"},
		&accountRetention{StorageFlags: flags, Name: "acme", Time: "30d"},
		&accountRetention{StorageFlags: flags, Name: "acme"}, // prints it, and changes nothing
		&accountDisable{StorageFlags: flags, Name: "acme"},
	} {
		if err := command.Run(t.Context()); err != nil {
			t.Fatalf("%+v: %v", command, err)
		}
	}
	var got []string
	err := withStore(t.Context(), flags, func(db *store.Store) error {
		return db.View(t.Context(), func(tx *store.Tx) error {
			a, err := tx.AccountByName("acme")
			if err != nil {
				return err
			}
			events, err := tx.Events(a.ID, audit.Filter{Ascending: true})
			for _, e := range events {
				got = append(got, fmt.Sprint(e.By, " ", e.Action, " ", e.Object, " ", e.Name))
			}
			return err
		})
	})
	want := []string{"commandLine create account ", "commandLine change account limits", "commandLine change account retention", "commandLine change account "}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, want %q (%v)", got, want, err)
	}
}

func TestRetentionsAreWrittenAsTheyAreGiven(t *testing.T) {
	for text, want := range map[string]string{"30d": "30d", "48h": "2d", "36h": "36h0m0s", "keep": "keep: without end"} {
		life, err := parseRetention(text)
		if err != nil || retentionText(life) != want {
			t.Errorf("%s: %s, want %s (%v)", text, retentionText(life), want, err)
		}
	}
}

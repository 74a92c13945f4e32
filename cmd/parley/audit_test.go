package main

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"parley/internal/operation/config"
	"parley/internal/storage/job"
	"parley/internal/storage/store"
	"parley/internal/words/account"
	"parley/internal/words/audit"
)

// fresh creates a database and returns the flags that name it.
func fresh(t *testing.T) config.StorageFlags {
	t.Helper()
	flags := config.StorageFlags{Data: t.TempDir()}
	if err := (&migrateCommand{StorageFlags: flags, Create: true}).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	return flags
}

// eventsOf returns the audit log of an account, oldest first.
func eventsOf(t *testing.T, flags config.StorageFlags, name string) (events []audit.Event) {
	t.Helper()
	err := withAccount(t.Context(), flags, name, func(tx *store.Tx, a account.Account) (err error) {
		events, err = tx.Events(a.ID, audit.Filter{Ascending: true})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return events
}

func TestWhatTheOperatorDoesToAnAccountIsInItsAuditLog(t *testing.T) {
	flags := fresh(t)
	for _, command := range []interface{ Run(context.Context) error }{
		&accountCreate{StorageFlags: flags, Name: "acme"},
		&accountLimit{StorageFlags: flags, Name: "acme", Size: "100MiB"},
		&accountRetention{StorageFlags: flags, Name: "acme", Time: "30d"},
		&accountRetention{StorageFlags: flags, Name: "acme"}, // only prints, changes nothing
		&accountDisable{StorageFlags: flags, Name: "acme"},
	} {
		if err := command.Run(t.Context()); err != nil {
			t.Fatalf("%+v: %v", command, err)
		}
	}
	var got []string
	for _, e := range eventsOf(t, flags, "acme") {
		got = append(got, fmt.Sprint(e.By, " ", e.Action, " ", e.Object, " ", e.Name))
	}
	want := []string{"commandLine create account ", "commandLine change account limits",
		"commandLine change account retention", "commandLine change account "}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestAnAccountThatIsMadeWithATokenIsInItsAuditLog(t *testing.T) {
	flags := fresh(t)
	if err := (&tokenCreate{StorageFlags: flags, Account: "acme", New: true}).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range eventsOf(t, flags, "acme") {
		got = append(got, fmt.Sprint(e.By, " ", e.Action, " ", e.Object))
	}
	if want := []string{"commandLine create account", "commandLine create profile/keys"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestJobsThatTheOperatorRunsAgainAreInTheAuditLog(t *testing.T) {
	flags := fresh(t)
	var dead job.ID
	err := withStore(t.Context(), flags, func(db *store.Store) error {
		err := db.Update(t.Context(), func(tx *store.Tx) error {
			a, err := tx.CreateAccount("acme")
			if err != nil {
				return err
			}
			dead, err = tx.Enqueue(job.Spec{Kind: "process", Account: string(a.ID),
				Subject: "0199d2a0-0000-7000-8000-000000000001"})
			return err
		})
		if err != nil {
			return err
		}
		jobs, err := db.Queue().Claim(t.Context(), job.Claims{Kinds: []string{"process"}, Most: 1})
		if err != nil || len(jobs) != 1 {
			return fmt.Errorf("%v, %w", jobs, err)
		}
		return db.Queue().Bury(t.Context(), jobs[0], nil)
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := (&queueRequeue{StorageFlags: flags, All: true}).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	events := eventsOf(t, flags, "acme")
	if len(events) != 1 {
		t.Fatal(events)
	}
	e := events[0]
	if e.By != audit.ByCommand || e.Action != audit.Change || e.Object != "queue/requeue" || e.Name != string(dead) ||
		e.Media != "0199d2a0-0000-7000-8000-000000000001" {
		t.Errorf("%+v", e)
	}
}

func TestRetentionsAreWrittenAsTheyAreGiven(t *testing.T) {
	for text, want := range map[string]string{"30d": "30d", "48h": "2d", "36h": "36h0m0s",
		"keep": "keep: forever"} {
		life, err := parseRetention(text)
		if err != nil || retentionText(life) != want {
			t.Errorf("%s: %s, want %s (%v)", text, retentionText(life), want, err)
		}
	}
}

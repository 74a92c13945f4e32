package store_test

import (
	"slices"
	"testing"

	"parley/internal/storage/store"
	"parley/internal/testkit/storetest"
	"parley/internal/words/account"
	"parley/internal/words/media"
)

// outlive lists the tables with a column media whose rows survive the deletion of the item, with the reason.
var outlive = map[string]string{
	"audit":         "tells who deleted it, as long as the account exists",
	"index_pending": "is not used by this version",

	"analytic_removal": "is not used by this version",
	"tombstone":        "takes it out of segments, until they are rewritten",
	"media_change":     "tells those who follow the changes of the account, for a day",
}

// outliveAccount lists the tables with a column account whose rows survive the deletion of the account, with the
// reason.
var outliveAccount = map[string]string{
	"index_pending": "is not used by this version",
}

// having returns the tables that have a column.
func having(columns []store.Column, name string) (tables []string) {
	for _, c := range columns {
		if c.Name == name {
			tables = append(tables, c.Table)
		}
	}
	return tables
}

// occupy inserts a row into every table that can have one for an account or an item.
func occupy(t *testing.T, s *store.Store, columns []store.Column, a account.ID, m media.ID) {
	t.Helper()
	tables := append(having(columns, "media"), having(columns, "account")...)
	slices.Sort(tables)
	for _, table := range slices.Compact(tables) {
		if table == "media" {
			continue
		}
		storetest.Update(t, s, func(tx *store.Tx) error {
			return tx.InsertAny(table, columns,
				map[string]any{"media": string(m), "account": string(a), "subject": string(m)})
		})
	}
}

// count makes sure that a table has rows with a value in a column, or none.
func count(t *testing.T, s *store.Store, table, column, value string, some bool) {
	t.Helper()
	n, err := s.CountWhere(t.Context(), table, column, value)
	if err != nil {
		t.Fatal(err)
	}
	if (n > 0) != some {
		t.Errorf("table %s has %d rows whose %s is %s; want some: %t", table, n, column, value, some)
	}
}

// TestEveryTableForgetsWhatIsDeleted reads the list of tables from the database: a new table that DeleteMedia or
// DeleteAccount does not handle fails here.
func TestEveryTableForgetsWhatIsDeleted(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		columns, err := s.Columns(t.Context())
		if err != nil || len(having(columns, "media")) < 6 || len(having(columns, "account")) < 6 {
			t.Fatal(columns, err)
		}
		a, b := storetest.Account(t, s, "a").ID, storetest.Account(t, s, "b").ID
		gone, stays, others := storetest.Media(t, s, a).ID, storetest.Media(t, s, a).ID, storetest.Media(t, s, b).ID
		occupy(t, s, columns, a, gone)
		occupy(t, s, columns, a, stays)
		occupy(t, s, columns, b, others)

		storetest.Update(t, s, func(tx *store.Tx) error { _, err := tx.DeleteMedia(a, gone); return err })
		for _, table := range having(columns, "media") {
			count(t, s, table, "media", string(gone), outlive[table] != "")
			count(t, s, table, "media", string(stays), true)
		}
		count(t, s, "job", "subject", string(gone), false)
		count(t, s, "job", "subject", string(stays), true)

		storetest.Update(t, s, func(tx *store.Tx) error { _, err := tx.DeleteAccount(a); return err })
		for _, table := range having(columns, "account") {
			count(t, s, table, "account", string(a), outliveAccount[table] != "")
			count(t, s, table, "account", string(b), true)
		}
		for _, table := range having(columns, "media") {
			count(t, s, table, "media", string(stays), outliveAccount[table] != "")
			count(t, s, table, "media", string(others), true)
		}
	})
}

package store_test

import (
	"testing"

	"parley/internal/call/definition"
	"parley/internal/storage/store"
	"parley/internal/testkit/storetest"
	"parley/internal/words/fault"
)

func TestNothingHasATextThatCannotBeStored(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a := storetest.Account(t, s, "a")
		for _, text := range []string{"a\x00b", "\xff"} {
			look := func(f func(tx *store.Tx) error) error { return s.Update(t.Context(), f) }
			is(t, look(func(tx *store.Tx) error {
				_, err := tx.Definition(a.ID, definition.Vocabulary, text)
				return err
			}), fault.NotFound, fault.CodeDefinition)
			is(t, look(func(tx *store.Tx) error { return tx.DropCallbackSecret(a.ID, text) }), fault.NotFound,
				fault.CodeNotFound)
			is(t, look(func(tx *store.Tx) error { return tx.RevokeToken(a.ID, text) }), fault.NotFound,
				fault.CodeKeyUnknown)
			storetest.Update(t, s, func(tx *store.Tx) error {
				found, err := tx.ListMedia(a.ID, store.MediaFilter{ExternalID: text, Limit: 1})
				equal(t, len(found), 0)
				return err
			})
		}
	})
}

package store_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"parley/internal/call/definition"
	"parley/internal/storage/store"
	"parley/internal/testkit/storetest"
	"parley/internal/words/account"
	"parley/internal/words/fault"
)

// named is a definition of the kind of vocabularies.
func named(name, content string) definition.Definition {
	return definition.Definition{Kind: definition.Vocabulary, Name: name, Sent: []byte(`{"sent":"` + content + `"}`),
		Content: []byte(content)}
}

// put saves a definition, which must succeed.
func put(
	t *testing.T, s *store.Store, a account.ID, d definition.Definition, expected int64,
) (stored definition.Definition) {
	t.Helper()
	storetest.Update(t, s, func(tx *store.Tx) (err error) {
		stored, err = tx.PutDefinition(a, d, expected)
		return err
	})
	return stored
}

func tryPut(t *testing.T, s *store.Store, a account.ID, d definition.Definition, expected int64) error {
	return s.Update(t.Context(), func(tx *store.Tx) error { _, err := tx.PutDefinition(a, d, expected); return err })
}

func tryDelete(t *testing.T, s *store.Store, a account.ID, name string, expected int64) error {
	return s.Update(t.Context(), func(tx *store.Tx) error {
		return tx.DeleteDefinition(a, definition.Vocabulary, name, expected)
	})
}

func TestDefinitionIsReadAsItWasSaved(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a := storetest.Account(t, s, "a")
		stored := put(t, s, a.ID, named("größe %_'", "x\x00y"), definition.Any)
		want := named("größe %_'", "x\x00y")
		want.Version, want.Created, want.Modified = stored.Version, stored.Created, stored.Created
		equal(t, stored, want)
		if age := time.Since(stored.Created); age < -time.Minute || age > time.Minute || stored.Version <= 0 {
			t.Errorf("created %v ago with version %d", age, stored.Version)
		}
		storetest.Update(t, s, func(tx *store.Tx) error {
			got, err := tx.Definition(a.ID, definition.Vocabulary, "größe %_'")
			equal(t, got, want)
			return err
		})
	})
}

func TestSavingAgainReplacesAndRaisesTheVersion(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a := storetest.Account(t, s, "a")
		first := put(t, s, a.ID, named("v", "1"), definition.Any)
		second := put(t, s, a.ID, named("v", "2"), definition.Any)
		equal(t, string(second.Content), "2")
		equal(t, second.Created, first.Created)
		if second.Version <= first.Version || second.Modified.Before(first.Modified) {
			t.Errorf("first %+v, then %+v", first, second)
		}
		if err := tryDelete(t, s, a.ID, "v", definition.Any); err != nil {
			t.Fatal(err)
		}
		if third := put(t, s, a.ID, named("v", "3"), definition.Any); third.Version <= second.Version ||
			!third.Created.After(first.Created) {
			t.Errorf("saved after deletion: %+v, before: %+v", third, second)
		}
	})
}

func TestChangesOfAnotherVersionThanExpectedAreConflicts(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a := storetest.Account(t, s, "a")
		old := put(t, s, a.ID, named("v", "1"), definition.Absent)
		present := put(t, s, a.ID, named("v", "2"), old.Version)
		for name, err := range map[string]error{
			"replace the old one": tryPut(t, s, a.ID, named("v", "3"), old.Version),
			"make a new one":      tryPut(t, s, a.ID, named("v", "3"), definition.Absent),
			"replace none":        tryPut(t, s, a.ID, named("w", "3"), old.Version),
			"delete the old one":  tryDelete(t, s, a.ID, "v", old.Version),
		} {
			t.Run(name, func(t *testing.T) { is(t, err, fault.Conflict, fault.CodePrecondition) })
		}
		storetest.Update(t, s, func(tx *store.Tx) error {
			all, err := tx.Definitions(a.ID, definition.Vocabulary)
			equal(t, all, []definition.Definition{present})
			return err
		})
		if err := tryDelete(t, s, a.ID, "v", present.Version); err != nil {
			t.Error(err)
		}
	})
}

func TestDefinitionsAreListedByNameWithinAccountAndKind(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a, b := storetest.Account(t, s, "a"), storetest.Account(t, s, "b")
		other := named("other", "o")
		other.Kind = "another"
		theirs := put(t, s, b.ID, named("B", "theirs"), definition.Any)
		put(t, s, a.ID, other, definition.Any)
		for _, name := range []string{"b", "B", "ä", "a"} {
			put(t, s, a.ID, named(name, "mine"), definition.Any)
		}
		storetest.Update(t, s, func(tx *store.Tx) error {
			all, err := tx.Definitions(a.ID, definition.Vocabulary)
			var names []string
			for _, d := range all {
				names = append(names, d.Name)
			}
			equal(t, strings.Join(names, " "), "B a b ä")
			return err
		})
		if err := tryDelete(t, s, a.ID, "B", definition.Any); err != nil {
			t.Fatal(err)
		}
		storetest.Update(t, s, func(tx *store.Tx) error {
			got, err := tx.Definition(b.ID, definition.Vocabulary, "B")
			equal(t, got, theirs)
			return err
		})
	})
}

func TestUnknownDefinitionsAreNotFound(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a, b := storetest.Account(t, s, "a"), storetest.Account(t, s, "b")
		put(t, s, b.ID, named("v", "theirs"), definition.Any)
		err := s.View(t.Context(), func(tx *store.Tx) error {
			_, err := tx.Definition(a.ID, definition.Vocabulary, "v")
			return err
		})
		is(t, err, fault.NotFound, fault.CodeDefinition)
		is(t, tryDelete(t, s, a.ID, "v", definition.Any), fault.NotFound, fault.CodeDefinition)
		is(t, tryDelete(t, s, a.ID, "v", 1), fault.NotFound, fault.CodeDefinition)
	})
}

func TestDefinitionsAreCounted(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a := storetest.Account(t, s, "a")
		storetest.Update(t, s, func(tx *store.Tx) error {
			for i := range 10 {
				if _, err := tx.PutDefinition(a.ID, named(strconv.Itoa(i), ""), definition.Any); err != nil {
					return err
				}
			}
			for name, want := range map[string]int64{"7": 9, "another": 10} {
				if n, err := tx.CountDefinitions(a.ID, definition.Vocabulary, name); err != nil || n != want {
					t.Errorf("beside %s there are %d, %v", name, n, err)
				}
			}
			names, err := tx.DefinitionNames(a.ID, definition.Vocabulary)
			slices.Sort(names)
			equal(t, strings.Join(names, ""), "0123456789")
			return err
		})
	})
}

func TestAnAccountSavesNoMoreThanCanBeListed(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a := storetest.Account(t, s, "a")
		put(t, s, a.ID, named("6", "small"), definition.Any)
		large := named("7", "")
		large.Sent = make([]byte, 64<<20)
		is(t, tryPut(t, s, a.ID, large, definition.Any), fault.TooLarge, fault.CodeTooLarge)
	})
}

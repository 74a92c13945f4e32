package store_test

import (
	"testing"

	"parley/internal/call/definition"
	"parley/internal/storage/store"
	"parley/internal/testkit/storetest"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// newVersion adds a version of a classifier.
func newVersion(t *testing.T, s *store.Store, a account.ID, name string) (id store.ModelID) {
	t.Helper()
	storetest.Update(t, s, func(tx *store.Tx) error {
		c, err := tx.InsertClassifier(a, definition.Classifier{Name: name, DisplayName: "d"}, []byte("card"),
			[]byte("examples"))
		id = store.ModelID{Classifier: c.ID, Version: c.Version}
		return err
	})
	return id
}

// readied trains a version.
func readied(t *testing.T, s *store.Store, id store.ModelID) {
	t.Helper()
	storetest.Update(t, s, func(tx *store.Tx) error {
		return tx.EndTraining(id, []byte("better card"), []byte("model"))
	})
}

// modelOf returns the model of a version, "" where there is none.
func modelOf(t *testing.T, s *store.Store, id store.ModelID) (model string) {
	t.Helper()
	err := s.View(t.Context(), func(tx *store.Tx) error {
		_, data, err := tx.Model(id)
		model = string(data)
		return err
	})
	if err != nil && !fault.Is(err, fault.NotFound) {
		t.Fatal(err)
	}
	return model
}

func TestVersionsOfAClassifierAreCountedByNameWithoutCase(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a, b := storetest.Account(t, s, "a").ID, storetest.Account(t, s, "b").ID
		first, second, other := newVersion(t, s, a, "Intent"), newVersion(t, s, a, "INTENT"),
			newVersion(t, s, b, "intent")
		if first.Version != 1 || second.Version != 2 || first.Classifier != second.Classifier ||
			other.Classifier == first.Classifier || other.Version != 1 {
			t.Fatalf("%v, %v, %v", first, second, other)
		}
		storetest.Update(t, s, func(tx *store.Tx) error {
			c, examples, err := tx.BeginTraining(first)
			if err != nil || string(examples) != "examples" || c.Account != a || c.Status != definition.Training {
				t.Errorf("%+v, %q (%v)", c, examples, err)
			}
			return tx.SetTrainingPercent(first, 40)
		})
		readied(t, s, first)
		storetest.Update(t, s, func(tx *store.Tx) error {
			if _, _, err := tx.BeginTraining(first); !fault.Is(err, fault.NotFound) {
				t.Errorf("a version that is ready is trained again: %v", err)
			}
			if err := tx.FailTraining(second, []fault.Problem{{Code: 1, Message: "m"}}); err != nil {
				return err
			}
			all, err := tx.Classifier(a, "iNtEnT")
			if err != nil || len(all) != 2 || all[0].Version != 2 || all[0].Status != definition.Failed ||
				len(all[0].Problems) != 1 || all[1].Percent != 100 ||
				string(all[1].Card) != "better card" || all[1].Name != "Intent" || all[1].Finished.IsZero() {
				t.Errorf("%+v (%v)", all, err)
			}
			if _, err := tx.Classifier(b, first.Classifier); !fault.Is(err, fault.NotFound) {
				t.Errorf("another account's: %v", err)
			}
			if c, _, err := tx.BeginTraining(second); err != nil || c.Status != definition.Training ||
				c.Problems != nil {
				t.Errorf("one that failed is trained again: %+v (%v)", c, err)
			}
			return nil
		})
		if modelOf(t, s, first) != "model" || modelOf(t, s, second) != "" {
			t.Error("the models are not those of the versions that are ready")
		}
	})
}

func TestModelsStayWhileRecordingsWaitWithThem(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a := storetest.Account(t, s, "a").ID
		one, two := newVersion(t, s, a, "c"), newVersion(t, s, a, "c")
		readied(t, s, one)
		readied(t, s, two)
		m, n := storetest.Media(t, s, a).ID, storetest.Media(t, s, a).ID
		storetest.Update(t, s, func(tx *store.Tx) error {
			if err := tx.UseClassifiers(a, m, []store.ModelID{one, two, two}); err != nil {
				return err
			}
			return tx.UseClassifiers(a, n, []store.ModelID{two})
		})
		storetest.Update(t, s, func(tx *store.Tx) error { return tx.DeleteClassifier(a, "C", 0) })
		if modelOf(t, s, one) == "" || modelOf(t, s, two) == "" {
			t.Error("a model is gone that a recording waits with")
		}
		err := s.Update(t.Context(), func(tx *store.Tx) error { return tx.UseClassifiers(a, n, []store.ModelID{one}) })
		if !fault.Is(err, fault.Invalid) {
			t.Errorf("one that is deleted can be used: %v", err)
		}
		storetest.Update(t, s, func(tx *store.Tx) error { return tx.ReleaseClassifiers(m) })
		if modelOf(t, s, one) != "" || modelOf(t, s, two) == "" {
			t.Error("after the first is done")
		}
		storetest.Update(t, s, func(tx *store.Tx) error { _, err := tx.DeleteMedia(a, n); return err })
		if modelOf(t, s, two) != "" {
			t.Error("a model stays that nothing waits with")
		}
	})
}

func TestOneVersionIsDeletedAlone(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a, b := storetest.Account(t, s, "a").ID, storetest.Account(t, s, "b").ID
		one, two := newVersion(t, s, a, "c"), newVersion(t, s, a, "c")
		for _, c := range []struct {
			owner   account.ID
			version int
		}{{b, 0}, {a, 3}} {
			if err := s.Update(t.Context(), func(tx *store.Tx) error {
				return tx.DeleteClassifier(c.owner, "c", c.version)
			}); !fault.Is(err, fault.NotFound) {
				t.Errorf("%+v: %v", c, err)
			}
		}
		storetest.Update(t, s, func(tx *store.Tx) error { return tx.DeleteClassifier(a, one.Classifier, one.Version) })
		storetest.Update(t, s, func(tx *store.Tx) error {
			all, err := tx.Classifiers(a)
			if len(all) != 1 || all[0].Version != two.Version {
				t.Errorf("%+v", all)
			}
			return err
		})
	})
}

func TestVersionNumbersAreNotGivenAgain(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a := storetest.Account(t, s, "a").ID
		one, two := newVersion(t, s, a, "c"), newVersion(t, s, a, "c")
		readied(t, s, two)
		remove := func(version int) {
			t.Helper()
			storetest.Update(t, s, func(tx *store.Tx) error { return tx.DeleteClassifier(a, "c", version) })
		}
		remove(2)
		if three := newVersion(t, s, a, "c"); three.Version != 3 || three.Classifier != one.Classifier {
			t.Errorf("after version 2 was deleted there comes %v", three)
		}
		remove(1)
		if n := rows(t, s)["classifier"]; n != 1 {
			t.Errorf("%d rows of one version", n)
		}
		remove(0)
		if n := rows(t, s)["classifier"]; n != 0 {
			t.Errorf("%d rows of none", n)
		}
		if again := newVersion(t, s, a, "c"); again.Version != 1 || again.Classifier == one.Classifier {
			t.Errorf("a new classifier is %v", again)
		}
	})
}

func TestAClassifierIsUsedByItsAccountAlone(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a, b := storetest.Account(t, s, "a").ID, storetest.Account(t, s, "b").ID
		id := newVersion(t, s, a, "c")
		err := s.Update(t.Context(), func(tx *store.Tx) error {
			return tx.UseClassifiers(b, media.ID("x"), []store.ModelID{id})
		})
		if !fault.Is(err, fault.Invalid) {
			t.Error(err)
		}
	})
}

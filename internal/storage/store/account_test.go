package store_test

import (
	"crypto/sha256"
	"errors"
	"reflect"
	"slices"
	"testing"
	"time"

	"parley/internal/call/definition"
	"parley/internal/call/delivery"
	"parley/internal/storage/job"
	"parley/internal/storage/store"
	"parley/internal/testkit/storetest"
	"parley/internal/words/account"
	"parley/internal/words/audit"
	"parley/internal/words/cipher"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// is fails the test unless err is a fault of the kind with the code.
func is(t *testing.T, err error, kind fault.Kind, code int) {
	t.Helper()
	if !fault.Is(err, kind) || fault.ProblemsOf(err)[0].Code != code {
		t.Fatalf("error %v (%v), want %v with code %d", err, fault.KindOf(err), kind, code)
	}
}

// equal fails the test unless got is want.
func equal(t *testing.T, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("got  %+v\nwant %+v", got, want)
	}
}

func TestAccountsAreFoundByIDAndName(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		b, a := storetest.Account(t, s, "b"), storetest.Account(t, s, "a")
		storetest.Update(t, s, func(tx *store.Tx) error {
			byID, err := tx.Account(a.ID)
			if err != nil {
				return err
			}
			equal(t, byID, a)
			byName, err := tx.AccountByName("b")
			if err != nil {
				return err
			}
			equal(t, byName, b)
			all, err := tx.Accounts()
			equal(t, all, []account.Account{a, b})
			return err
		})
	})
}

func TestAccountNamesAreUnique(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		storetest.Account(t, s, "a")
		err := s.Update(t.Context(), func(tx *store.Tx) error { _, err := tx.CreateAccount("a"); return err })
		is(t, err, fault.Conflict, fault.CodeAccount)
		err = s.Update(t.Context(), func(tx *store.Tx) error { _, err := tx.CreateAccount(""); return err })
		is(t, err, fault.Invalid, fault.CodeAccount)
	})
}

func TestUnknownAccountsAreNotFound(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		for name, f := range map[string]func(tx *store.Tx) error{
			"Account":            func(tx *store.Tx) error { _, err := tx.Account("x"); return err },
			"AccountByName":      func(tx *store.Tx) error { _, err := tx.AccountByName("x"); return err },
			"SetAccountDisabled": func(tx *store.Tx) error { return tx.SetAccountDisabled("x", true) },
			"DeleteAccount":      func(tx *store.Tx) error { _, err := tx.DeleteAccount("x"); return err },
			"InsertMedia": func(tx *store.Tx) error {
				_, err := tx.InsertMedia(media.Media{Account: "x", Status: media.Accepted}, nil, nil)
				return err
			},
			"PutDefinition": func(tx *store.Tx) error {
				_, err := tx.PutDefinition("x", definition.Definition{Kind: definition.Vocabulary, Name: "v"},
					definition.Any)
				return err
			},
			"CreateToken": func(tx *store.Tx) error {
				_, err := tx.CreateToken(account.Token{Account: "x"}, [32]byte{})
				return err
			},
		} {
			t.Run(name, func(t *testing.T) { is(t, s.Update(t.Context(), f), fault.NotFound, fault.CodeNotFound) })
		}
	})
}

func TestDisabledAccountsCanBeEnabledAgain(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a := storetest.Account(t, s, "a")
		for _, disabled := range []bool{true, false} {
			storetest.Update(t, s, func(tx *store.Tx) error {
				if err := tx.SetAccountDisabled(a.ID, disabled); err != nil {
					return err
				}
				got, err := tx.Account(a.ID)
				equal(t, got.Disabled, disabled)
				return err
			})
		}
	})
}

func TestDeletedAccountLeavesOnlyOthersRows(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		gone, stays := storetest.Account(t, s, "gone"), storetest.Account(t, s, "stays")
		before := rows(t, s)
		mine := furnish(t, s, gone.ID)
		for _, m := range []media.Media{mine, furnish(t, s, stays.ID)} {
			storetest.Update(t, s, func(tx *store.Tx) error { return tx.PutDataKey(m.ID, cipher.NewKey()) })
		}
		storetest.Update(t, s, func(tx *store.Tx) error {
			blobs, err := tx.DeleteAccount(gone.ID)
			equal(t, blobs, []string{"blob/" + string(mine.ID)})
			return err
		})
		after := rows(t, s)
		for table, n := range after {
			want := before[table] + 1 // one row remains in each table
			if table == "account" {
				want = 1
			}
			unused := []string{"index_pending", "analytic_removal", "analytic_clock"} // by this version
			if slices.Contains(append(unused, "call_index", "segment", "tombstone"), table) {
				want = 0 // nothing was indexed
			}
			equal(t, map[string]int{table: n}, map[string]int{table: want})
		}
	})
}

// furnish creates a media item with a row in every table that can have one for it or its account.
func furnish(t *testing.T, s *store.Store, a account.ID) media.Media {
	t.Helper()
	m := storetest.Media(t, s, a)
	steps := []func(tx *store.Tx) error{
		func(tx *store.Tx) error {
			_, err := tx.PutStream(m.ID, media.Stream{Name: media.Original, Blob: "blob/" + string(m.ID), Size: 1})
			return err
		},
		func(tx *store.Tx) error {
			if err := tx.SetSearchFields(m.ID, []string{"title"}); err != nil {
				return err
			}
			_, err := tx.SetMetadata(a, m.ID, metadata(t, `{"title":"A call"}`), 0)
			return err
		},
		func(tx *store.Tx) error { return tx.PutArtifact(m.ID, media.StepRecognize, "k", []byte("d")) },
		func(tx *store.Tx) error { return tx.PutResult(m.ID, store.Result{Version: 1}) },
		func(tx *store.Tx) error {
			failed := media.Media{ID: m.ID, Account: a, Status: media.Failed}
			if err := tx.SetStatus(m.ID, failed.Status, media.Accepted); err != nil {
				return err
			}
			return tx.BeginReprocessing(failed, "process", nil, nil)
		},
		func(tx *store.Tx) error { return tx.SetProgress(m.ID, media.NewProgress("j")) },
		func(tx *store.Tx) error { _, err := tx.RememberKey(a, "key", []byte("hash"), m.ID); return err },
		func(tx *store.Tx) error {
			_, err := tx.PutDefinition(a, definition.Definition{Kind: definition.Vocabulary, Name: "v"}, definition.Any)
			return err
		},
		func(tx *store.Tx) error { return tx.ClaimCategoryVersion(a, "c", "1") },
		func(tx *store.Tx) error { return tx.PutAnalytic(a, m.ID, true) },
		func(tx *store.Tx) error {
			c, err := tx.InsertClassifier(a, definition.Classifier{Name: "c"}, nil, nil)
			if err != nil {
				return err
			}
			return tx.UseClassifiers(a, m.ID, []store.ModelID{{Classifier: c.ID, Version: c.Version}})
		},
		func(tx *store.Tx) error { _, err := tx.BeginApply(a, string(m.ID), "*"); return err },
		func(tx *store.Tx) error {
			d := delivery.New(&m, 0, delivery.Callback{URL: "https://example.com/"}, time.Now())
			if err := tx.AddDelivery(d); err != nil {
				return err
			}
			if err := tx.PutDeliveryBody(m.ID, d.ID, []byte("b")); err != nil {
				return err
			}
			return tx.AddTry(d, delivery.Try{Status: 500})
		},
		func(tx *store.Tx) error {
			return tx.AddCallbackSecret(a, delivery.Secret{ID: string(m.ID), Key: delivery.NewSecret()})
		},
		func(tx *store.Tx) error { return tx.PutDocument(m.ID, []byte("d")) },
		func(tx *store.Tx) error {
			return tx.AddPublicKey(a, store.PublicKey{ID: string(m.ID), Content: []byte("k")})
		},
		func(tx *store.Tx) error { return tx.AddUsage(a, time.Unix(0, 0), store.Usage{Recognized: time.Second}) },
		func(tx *store.Tx) error { return tx.AddEvents(audit.Event{ID: audit.NewID(), Account: a, Media: m.ID}) },
		func(tx *store.Tx) error {
			token, err := tx.CreateToken(account.Token{Account: a}, sha256.Sum256([]byte(m.ID)))
			if err != nil {
				return err
			}
			_, err = tx.CreateSession(token, sha256.Sum256([]byte("session "+m.ID)))
			return errors.Join(err, tx.CreateLink(token, sha256.Sum256([]byte("link "+m.ID))))
		},
		func(tx *store.Tx) error {
			_, _, err := tx.BeginRetry(store.Retry{Run: store.Run{Account: a}, State: delivery.Failed})
			return err
		},
		func(tx *store.Tx) error {
			_, err := tx.Enqueue(job.Spec{Kind: "process", Account: string(a), Subject: string(m.ID)})
			return err
		},
	}
	for _, step := range steps {
		storetest.Update(t, s, step)
	}
	_, err := s.Queue().Claim(t.Context(), job.Claims{Worker: "w", Kinds: []string{"process"}, Most: 1})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestCompatibilityIsTheAccountsOwn(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a, b := storetest.Account(t, s, "a"), storetest.Account(t, s, "b")
		for _, set := range []account.Compatibility{{ScoreAsNumber: true}, {}} {
			storetest.Update(t, s, func(tx *store.Tx) error {
				if err := tx.SetAccountCompatibility(a.ID, set); err != nil {
					return err
				}
				got, err := tx.Account(a.ID)
				equal(t, got.Compatibility, set)
				if err != nil {
					return err
				}
				got, err = tx.Account(b.ID)
				equal(t, got.Compatibility, account.Compatibility{})
				return err
			})
		}
		is(t, s.Update(t.Context(), func(tx *store.Tx) error {
			return tx.SetAccountCompatibility("x", account.Compatibility{})
		}), fault.NotFound, fault.CodeNotFound)
	})
}

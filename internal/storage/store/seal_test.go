package store_test

import (
	"bytes"
	"testing"

	"parley/internal/storage/store"
	"parley/internal/testkit/storetest"
	"parley/internal/words/cipher"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

const sesameURL = "https://sesame.example.com/?token=sesame"

func sealed(t *testing.T, s *store.Store) media.Media {
	t.Helper()
	a := storetest.Account(t, s, "a")
	m := media.Media{Account: a.ID, Status: media.Scheduled, SourceURL: sesameURL,
		Metadata: metadata(t, `{"externalId":"sesame","title":"sesame"}`),
		Sealing:  &media.Sealing{PublicKeyID: "k", PublicKeyHash: "h"}}
	storetest.Update(t, s, func(tx *store.Tx) (err error) {
		if m, err = tx.InsertMedia(m, []byte("sesame configuration"), []byte("sesame transcript")); err != nil {
			return err
		}
		if err := tx.SetSearchFields(m.ID, []string{"title"}); err != nil {
			return err
		}
		if _, err := tx.PutStream(m.ID,
			media.Stream{Name: media.Original, Blob: "original/x", Size: 1, Key: cipher.NewKey()}); err != nil {
			return err
		}
		return tx.PutArtifact(m.ID, media.StepRecognize, "k", []byte("sesame words"))
	})
	return m
}

// dump returns every text and blob of every row.
func dump(t *testing.T, s *store.Store) []byte {
	t.Helper()
	columns, err := s.Columns(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	all, err := s.Dump(t.Context(), columns)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestWhatIsToBeSealedIsKeptUnderItsDataKey(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		m := sealed(t, s)
		storetest.Update(t, s, func(tx *store.Tx) error {
			_, err := tx.SetMetadata(m.Account, m.ID, metadata(t, `{"externalId":"sesame","title":"sesame again"}`), 0)
			return err
		})
		if kept := dump(t, s); bytes.Contains(kept, []byte("sesame")) || !bytes.Contains(kept, []byte(m.ID)) {
			t.Errorf("rows hold what is to be sealed:\n%q", kept)
		}
		storetest.Update(t, s, func(tx *store.Tx) error {
			item, err := tx.Media(m.Account, m.ID)
			if err != nil {
				return err
			}
			equal(t, string(item.Metadata.Bytes()), `{"externalId":"sesame","title":"sesame again"}`)
			equal(t, item.SourceURL, sesameURL)
			equal(t, item.Sealed, false)
			configuration, given, err := tx.Request(m.ID)
			equal(t, string(configuration)+", "+string(given), "sesame configuration, sesame transcript")
			if err != nil {
				return err
			}
			found, ok, err := tx.Artifact(m.ID, media.StepRecognize, "k")
			equal(t, string(found), "sesame words")
			equal(t, ok, true)
			if err != nil {
				return err
			}
			for _, filter := range []store.MediaFilter{{ExternalID: "sesame", Limit: 9},
				{Fields: []media.FieldValue{{Field: "title", Text: "sesame"}}, Limit: 9}} {
				list, err := tx.ListMedia(m.Account, filter)
				equal(t, len(list), 0)
				if err != nil {
					return err
				}
			}
			return nil
		})
	})
}

func TestSealingLeavesTheDocumentAlone(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		m := sealed(t, s)
		storetest.Update(t, s, func(tx *store.Tx) error {
			if _, err := tx.PutStream(m.ID,
				media.Stream{Name: media.OriginalEncrypted, Blob: "original-encrypted/x", Size: 2}); err != nil {
				return err
			}
			if err := tx.SetStatus(m.ID, media.Running); err != nil {
				return err
			}
			if err := tx.SetStatus(m.ID, media.Finished); err != nil {
				return err
			}
			blobs, err := tx.Seal(m.ID, []byte("document"))
			equal(t, blobs, []string{"original/x"})
			return err
		})
		storetest.Update(t, s, func(tx *store.Tx) error {
			item, err := tx.Media(m.Account, m.ID)
			if err != nil {
				return err
			}
			equal(t, item.Sealed, true)
			equal(t, item.Metadata == nil, true)
			equal(t, item.SourceURL, "")
			equal(t, *item.Sealing, media.Sealing{PublicKeyID: "k", PublicKeyHash: "h"})
			document, err := tx.Sealed(m.Account, m.ID)
			equal(t, string(document), "document")
			if err != nil {
				return err
			}
			_, _, err = tx.Metadata(m.Account, m.ID)
			is(t, err, fault.NotFound, fault.CodeSealed)
			_, err = tx.SetMetadata(m.Account, m.ID, metadata(t, `{}`), 0)
			is(t, err, fault.NotFound, fault.CodeSealed)
			streams, err := tx.Kept(m.ID)
			equal(t, streams, []media.Stream{{Name: media.OriginalEncrypted, Blob: "original-encrypted/x", Size: 2}})
			if err != nil {
				return err
			}
			_, ok, err := tx.Artifact(m.ID, media.StepRecognize, "k")
			equal(t, ok, false)
			return err
		})
	})
}

func TestWhatIsToBeSealedNeverShowsInQueries(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		m := sealed(t, s)
		shown := func(tx *store.Tx) {
			t.Helper()
			listed, err := tx.ListMedia(m.Account, store.MediaFilter{Searchable: true})
			if err != nil || len(listed) > 0 {
				t.Fatal(listed, err)
			}
		}
		storetest.Update(t, s, func(tx *store.Tx) error {
			if err := tx.SetStatus(m.ID, media.Running); err != nil {
				return err
			}
			err := tx.SetStatus(m.ID, media.Failed)
			shown(tx)
			return err
		})
		storetest.Update(t, s, func(tx *store.Tx) error {
			err := tx.SetSearchable(m.ID, true)
			shown(tx)
			return err
		})
	})
}

func TestPublicKeysAreTheAccountsOwn(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a, b := storetest.Account(t, s, "a"), storetest.Account(t, s, "b")
		storetest.Update(t, s, func(tx *store.Tx) error {
			return tx.AddPublicKey(a.ID, store.PublicKey{ID: "k", Content: []byte("c")})
		})
		storetest.Update(t, s, func(tx *store.Tx) error {
			k, err := tx.PublicKey(a.ID, "k")
			equal(t, string(k.Content), "c")
			if err != nil {
				return err
			}
			_, err = tx.PublicKey(b.ID, "k")
			is(t, err, fault.NotFound, fault.CodeNotFound)
			is(t, tx.DropPublicKey(b.ID, "k"), fault.NotFound, fault.CodeNotFound)
			ids, err := tx.PublicKeys(a.ID)
			equal(t, ids, []string{"k"})
			if err != nil {
				return err
			}
			return tx.DropPublicKey(a.ID, "k")
		})
	})
}

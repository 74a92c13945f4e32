package store_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/internal/storage/store"
	"parley/internal/testkit/storetest"
	"parley/internal/words/media"
)

// TestPublishingAndChangesOfMetadataLeaveTheLastOfBoth repeatedly publishes an item with other fields while its
// metadata changes: whatever the order, the item is found by its latest metadata at its latest fields, and by nothing
// else.
func TestPublishingAndChangesOfMetadataLeaveTheLastOfBoth(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a := storetest.Account(t, s, "a")
		m := storetest.Media(t, s, a.ID)
		paths, values := []string{"extended.a", "extended.b"}, []string{"x", "y", "z"}
		for round := range 50 {
			v := values[round%3]
			md := metadata(t, fmt.Sprintf(`{"extended":{"a":"%s","b":"%s"}}`, v, v))
			var both sync.WaitGroup
			for _, change := range []func(tx *store.Tx) error{
				func(tx *store.Tx) error { return tx.SetSearchFields(m.ID, paths[:1+round%2]) },
				func(tx *store.Tx) error { _, err := tx.SetMetadata(a.ID, m.ID, md, 0); return err },
			} {
				both.Go(func() {
					if err := s.Update(t.Context(), change); err != nil {
						t.Error(err)
					}
				})
			}
			both.Wait()
			storetest.Update(t, s, func(tx *store.Tx) error {
				for i, path := range paths {
					for _, value := range values {
						found, err := tx.ListMedia(a.ID,
							store.MediaFilter{Fields: []media.FieldValue{{Field: path, Text: value}}})
						if err != nil {
							return err
						}
						if want := i <= round%2 && value == v; (len(found) == 1) != want {
							t.Fatalf("round %d: %s:%s finds %d items; the metadata is %s", round, path, value,
								len(found), md.Bytes())
						}
					}
				}
				return nil
			})
		}
	})
}

func TestValuesOfAnyLengthAndCharacterAreFound(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a := storetest.Account(t, s, "a")
		m := storetest.Media(t, s, a.ID)
		texts := []string{"", "\x00", "\ufffd", "%_'\"", strings.Repeat("é", 100_000), " a ", "ä", "a\u0308"}
		list, err := json.Marshal(texts)
		if err != nil {
			t.Fatal(err)
		}
		storetest.Update(t, s, func(tx *store.Tx) error {
			if err := tx.SetSearchFields(m.ID, []string{"extended.a"}); err != nil {
				return err
			}
			_, err := tx.SetMetadata(a.ID, m.ID, metadata(t, `{"extended":{"a":`+string(list)+`}}`), 0)
			return err
		})
		for _, text := range append(texts, "a", "\ufffd\ufffd") {
			storetest.Update(t, s, func(tx *store.Tx) error {
				found, err := tx.ListMedia(a.ID,
					store.MediaFilter{Fields: []media.FieldValue{{Field: "extended.a", Text: text}}})
				if want := slices.Contains(texts, text); (len(found) == 1) != want {
					t.Errorf("%.20q finds %d items", text, len(found))
				}
				return err
			})
		}
	})
}

// BenchmarkFieldFilter measures a first page of 100 of 100,000 recordings that one value of their metadata finds: of
// one recording, of a tenth, of all, and of a tenth and all together; and the same pages from the middle of the list.
func BenchmarkFieldFilter(b *testing.B) {
	if os.Getenv("PARLEY_LARGE") == "" {
		b.Skip("set PARLEY_LARGE=1: it makes 100,000 recordings")
	}
	for name, s := range map[string]*store.Store{"sqlite": storetest.SQLite(b),
		"postgres-without-fsync": storetest.Postgres(b)} {
		a := storetest.Account(b, s, "a")
		const many, batch = 100_000, 1000
		var middle media.ID
		started := time.Now()
		for first := 0; first < many; first += batch {
			storetest.Update(b, s, func(tx *store.Tx) error {
				for i := first; i < first+batch; i++ {
					md, err := media.ParseMetadata(fmt.Appendf(nil,
						`{"externalId":"e%d","extended":{"id":%d,"tenth":"t%d","all":true}}`, i, i, i%10))
					if err != nil {
						return err
					}
					m, err := tx.InsertMedia(media.Media{Account: a.ID, Status: media.Finished, Metadata: md}, nil, nil)
					if err == nil {
						err = tx.SetSearchFields(m.ID, []string{"extended.id", "extended.tenth", "extended.all"})
					}
					if err != nil {
						return err
					}
					if i == many/2 {
						middle = m.ID
					}
				}
				return nil
			})
		}
		b.Logf("%s: %d recordings made in %v", name, many, time.Since(started))
		if err := s.Analyze(b.Context()); err != nil {
			b.Fatal(err)
		}
		for _, q := range []struct {
			name   string
			filter []media.FieldValue
		}{
			{"one", []media.FieldValue{{Field: "extended.id", Text: "77"}}},
			{"tenth", []media.FieldValue{{Field: "extended.tenth", Text: "t3"}}},
			{"all", []media.FieldValue{{Field: "extended.all", Text: "true"}}},
			{"tenth-and-all", []media.FieldValue{{Field: "extended.all", Text: "true"},
				{Field: "extended.tenth", Text: "t3"}}},
			{"one-and-all", []media.FieldValue{{Field: "extended.all", Text: "true"},
				{Field: "extended.id", Text: "77"}}},
			{"none", []media.FieldValue{{Field: "extended.all", Text: "false"}}},
		} {
			for place, before := range map[string]media.ID{"first": "", "middle": middle} {
				b.Run(name+"/"+q.name+"/"+place, func(b *testing.B) {
					for b.Loop() {
						err := s.View(b.Context(), func(tx *store.Tx) error {
							_, err := tx.ListMedia(a.ID, store.MediaFilter{Fields: q.filter, Before: before})
							return err
						})
						if err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}

package store_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"parley/internal/account"
	"parley/internal/fault"
	"parley/internal/media"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// idAt returns an id of a given millisecond.
func idAt(ms int64, random [10]byte) media.ID {
	var u uuid.UUID
	for i := range 6 {
		u[i] = byte(ms >> (40 - 8*i))
	}
	copy(u[6:], random[:])
	u[6], u[8] = u[6]&0x0f|0x70, u[8]&0x3f|0x80
	return media.ID(u.String())
}

// model is the brute-force meaning of ListMedia.
func model(all []media.Media, a account.ID, f store.MediaFilter) (ids []media.ID) {
	for _, m := range all {
		if m.Account == a && (f.Status == "" || m.Status == f.Status) &&
			(f.ExternalID == "" || m.Metadata.ExternalID() == f.ExternalID) &&
			!m.Created.Before(f.From) && (f.Until.IsZero() || !m.Created.After(f.Until)) &&
			(f.After == "" || m.ID > f.After) && (f.Before == "" || m.ID < f.Before) {
			ids = append(ids, m.ID)
		}
	}
	slices.Sort(ids)
	if !f.Ascending {
		slices.Reverse(ids)
	}
	return ids[:min(len(ids), f.Limit)]
}

func TestListIsWhatTheFilterMeans(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a, b := storetest.Account(t, s, "a"), storetest.Account(t, s, "b")
		const first = 1_790_000_000_000 // milliseconds
		var all []media.Media
		var gone []media.ID
		storetest.Update(t, s, func(tx *store.Tx) error {
			all, gone = nil, nil
			for i := range 60 {
				id := idAt(first+int64(i*7%20), [10]byte{byte(i * 37), byte(i)})
				m := media.Media{ID: id, Account: []account.ID{a.ID, a.ID, b.ID}[i%3], Status: media.Statuses[i%4]}
				if i%2 == 0 {
					m.Metadata = metadata(t, fmt.Sprintf(`{"externalId":"e%d"}`, i%5))
				}
				m, err := tx.InsertMedia(m, nil, nil)
				if err != nil {
					return err
				}
				if i%10 == 9 {
					gone = append(gone, m.ID)
					if _, err := tx.DeleteMedia(m.Account, m.ID); err != nil {
						return err
					}
					continue
				}
				all = append(all, m)
			}
			return nil
		})
		ids := slices.Clone(gone)
		for _, m := range all {
			ids = append(ids, m.ID)
		}
		rapid.Check(t, func(t *rapid.T) {
			maybeID := rapid.SampledFrom(append(slices.Clone(ids), "", "", ""))
			maybeTime := rapid.Custom(func(t *rapid.T) time.Time {
				if rapid.Bool().Draw(t, "none") {
					return time.Time{}
				}
				return time.UnixMicro(first*1000 + rapid.Int64Range(-1000, 21_000).Draw(t, "µs")).UTC()
			})
			f := store.MediaFilter{
				Status:     rapid.SampledFrom([]media.Status{"", "", media.Accepted, media.Running, media.Rejected}).Draw(t, "status"),
				ExternalID: rapid.SampledFrom([]string{"", "", "e0", "e1", "e9"}).Draw(t, "externalId"),
				From:       maybeTime.Draw(t, "from"), Until: maybeTime.Draw(t, "until"),
				After: maybeID.Draw(t, "after"), Before: maybeID.Draw(t, "before"),
				Ascending: rapid.Bool().Draw(t, "ascending"), Limit: rapid.IntRange(1, 50).Draw(t, "limit"),
			}
			var got []media.ID
			err := s.View(t.Context(), func(tx *store.Tx) error {
				listed, err := tx.ListMedia(a.ID, f)
				for _, m := range listed {
					got = append(got, m.ID)
				}
				return err
			})
			if want := model(all, a.ID, f); err != nil || !slices.Equal(got, want) {
				t.Fatalf("%+v\ngot  %v (%v)\nwant %v", f, got, err, want)
			}
		})
	})
}

func TestPagesMeetEveryItemOnceWhileOthersComeAndGo(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a := storetest.Account(t, s, "a")
		var want, got []media.ID
		for range 25 {
			want = append(want, storetest.Media(t, s, a.ID).ID)
		}
		after := media.ID("")
		for {
			var page []media.Media
			storetest.Update(t, s, func(tx *store.Tx) (err error) {
				page, err = tx.ListMedia(a.ID, store.MediaFilter{After: after, Ascending: true, Limit: 4, Until: want[24].Created()})
				return err
			})
			if len(page) == 0 {
				break
			}
			for _, m := range page {
				got = append(got, m.ID)
			}
			after = got[len(got)-1]
			storetest.Update(t, s, func(tx *store.Tx) error { _, err := tx.DeleteMedia(a.ID, after); return err })
		}
		equal(t, got, want)
	})
}

func TestAMalformedPageEdgeIsInvalid(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		err := s.View(t.Context(), func(tx *store.Tx) error {
			_, err := tx.ListMedia("a", store.MediaFilter{After: "nonsense"})
			return err
		})
		is(t, err, fault.Invalid, fault.CodeParameter)
	})
}

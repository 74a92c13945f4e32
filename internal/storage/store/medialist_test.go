package store_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"parley/internal/storage/store"
	"parley/internal/testkit/storetest"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/media"
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

// listed is an item as known by the model.
type listed struct {
	media.Media
	paths []string // search fields at its publication
}

// has reports whether an item is found by a metadata value.
func (l listed) has(v media.FieldValue) bool {
	return slices.Contains(l.paths, v.Field) && slices.Contains(l.Metadata.Lookup(v.Field), v.Text)
}

// model is the reference implementation of ListMedia.
func model(all []listed, a account.ID, f store.MediaFilter) (ids []media.ID) {
	for _, m := range all {
		if m.Account == a && (f.Status == "" || m.Status == f.Status) &&
			(f.ExternalID == "" || m.Metadata.ExternalID() == f.ExternalID) &&
			!slices.ContainsFunc(f.Fields, func(v media.FieldValue) bool { return !m.has(v) }) &&
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

// firstMoment is the creation time of the oldest item of these tests, in milliseconds.
const firstMoment = 1_790_000_000_000

// items counts items, so that ids are unique.
var items atomic.Uint32

// anItem generates an item created within a range of 20 ms, so that many share a millisecond.
func anItem(accounts ...account.ID) *rapid.Generator[listed] {
	return rapid.Custom(func(t *rapid.T) listed {
		random := [10]byte{rapid.Byte().Draw(t, "random")}
		binary.BigEndian.PutUint32(random[5:], items.Add(1))
		return listed{
			Media: media.Media{
				ID:       idAt(firstMoment+rapid.Int64Range(0, 20).Draw(t, "ms"), random),
				Account:  rapid.SampledFrom(accounts).Draw(t, "account"),
				Status:   rapid.SampledFrom(media.Statuses).Draw(t, "status"),
				Metadata: someMetadata().Draw(t, "metadata"),
			},
			paths: rapid.SampledFrom([][]string{nil, {"extended.a"}, {"extended.b.c", "extended.a"}}).Draw(t, "paths"),
		}
	})
}

func someMetadata() *rapid.Generator[*media.Metadata] {
	return rapid.Map(rapid.SampledFrom([]string{
		"", `{"externalId":"e0"}`, `{"externalId":"e1","extended":{"a":"x"}}`,
		`{"extended":{"a":["x","y",1],"b":{"c":true}}}`, `{"extended":{"a":1,"b":{"c":"x"}}}`,
	}), func(text string) *media.Metadata {
		m, err := media.ParseMetadata([]byte(text))
		if err != nil {
			panic(err)
		}
		return m
	})
}

// aFilter generates a filter with any combination of conditions.
func aFilter(ids []media.ID) *rapid.Generator[store.MediaFilter] {
	return rapid.Custom(func(t *rapid.T) store.MediaFilter {
		maybeID := rapid.SampledFrom(append(slices.Clone(ids), "", "", ""))
		maybeTime := rapid.Custom(func(t *rapid.T) time.Time {
			if rapid.Bool().Draw(t, "none") {
				return time.Time{}
			}
			return time.UnixMicro(firstMoment*1000 + rapid.Int64Range(-1000, 21_000).Draw(t, "µs")).UTC()
		})
		return store.MediaFilter{
			Status: rapid.SampledFrom([]media.Status{"", "", "", media.Accepted, media.Running,
				media.Rejected}).Draw(t, "status"),
			ExternalID: rapid.SampledFrom([]string{"", "", "", "e0", "e1", "e9"}).Draw(t, "externalId"),
			Fields: rapid.SliceOfN(rapid.SampledFrom([]media.FieldValue{
				{Field: "extended.a", Text: "x"}, {Field: "extended.a", Text: "1"},
				{Field: "extended.b.c", Text: "true"}, {Field: "extended.a", Text: "none"},
			}), 0, 2).Draw(t, "fields"),
			From: maybeTime.Draw(t, "from"), Until: maybeTime.Draw(t, "until"),
			After: maybeID.Draw(t, "after"), Before: maybeID.Draw(t, "before"),
			Ascending: rapid.Bool().Draw(t, "ascending"), Limit: rapid.IntRange(1, 20).Draw(t, "limit"),
		}
	})
}

// insert stores an item of the model.
func insert(tx *store.Tx, l listed) (listed, error) {
	m, err := tx.InsertMedia(l.Media, nil, nil)
	if err != nil || l.paths == nil {
		return listed{m, nil}, err
	}
	return listed{m, l.paths}, tx.SetSearchFields(m.ID, l.paths)
}

func TestListIsWhatTheFilterMeans(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a, b := storetest.Account(t, s, "a"), storetest.Account(t, s, "b")
		var all []listed
		var ids []media.ID
		storetest.Update(t, s, func(tx *store.Tx) error {
			all, ids = nil, nil
			for i := range 80 {
				l, err := insert(tx, anItem(a.ID, a.ID, b.ID).Example(i))
				if err != nil {
					return err
				}
				ids = append(ids, l.ID)
				if i%10 != 9 {
					all = append(all, l)
				} else if _, err := tx.DeleteMedia(l.Account, l.ID); err != nil {
					return err
				}
			}
			return nil
		})
		rapid.Check(t, func(t *rapid.T) {
			f := aFilter(ids).Draw(t, "filter")
			if got, want := list(t, s, a.ID, f), model(all, a.ID, f); !slices.Equal(got, want) {
				t.Fatalf("%+v\ngot  %v\nwant %v", f, got, want)
			}
		})
	})
}

// list returns the ids that a filter finds.
func list(t *rapid.T, s *store.Store, a account.ID, f store.MediaFilter) (ids []media.ID) {
	err := s.View(context.Background(), func(tx *store.Tx) error {
		found, err := tx.ListMedia(a, f)
		ids = nil
		for _, m := range found {
			ids = append(ids, m.ID)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

// TestPagesAreStableWhileItemsComeGoAndChange pages through a list as clients do, by the last id seen, while items are
// added, deleted and changed concurrently.
func TestPagesAreStableWhileItemsComeGoAndChange(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		accounts := 0
		rapid.Check(t, func(t *rapid.T) {
			accounts++
			l := &library{store: s, touched: map[media.ID]bool{}}
			l.update(t, func(tx *store.Tx) (err error) {
				l.owner, err = tx.CreateAccount(fmt.Sprint("account ", accounts))
				return err
			})
			for range rapid.IntRange(5, 25).Draw(t, "items") {
				l.add(t)
			}
			f := aFilter(nil).Draw(t, "filter")
			f.Limit = rapid.IntRange(1, 4).Draw(t, "page")
			start, clean := slices.Clone(l.all), f
			clean.Limit = len(start) + 1
			l.touched = map[media.ID]bool{}
			var seen []media.ID
			for {
				page := list(t, s, l.owner.ID, f)
				if want := model(l.all, l.owner.ID, f); !slices.Equal(page, want) {
					t.Fatalf("%+v\ngot  %v\nwant %v", f, page, want)
				}
				if len(page) == 0 {
					break
				}
				seen = append(seen, page...)
				if f.Ascending {
					f.After = page[len(page)-1]
				} else {
					f.Before = page[len(page)-1]
				}
				for range rapid.IntRange(0, 3).Draw(t, "changes") {
					rapid.SampledFrom([]func(*rapid.T){l.add, l.remove, l.change}).Draw(t, "do")(t)
				}
			}
			if order := slices.Sorted(slices.Values(seen)); len(slices.Compact(order)) != len(seen) {
				t.Fatalf("an item came twice: %v", seen)
			}
			for _, id := range model(start, l.owner.ID, clean) {
				if !l.touched[id] && !slices.Contains(seen, id) {
					t.Fatalf("%s was there all the time and never seen", id)
				}
			}
		})
	})
}

// library is the items of an account, in a store and in the model.
type library struct {
	store   *store.Store
	owner   account.Account
	all     []listed
	touched map[media.ID]bool // added, deleted or changed items
}

func (l *library) update(t *rapid.T, f func(tx *store.Tx) error) {
	if err := l.store.Update(context.Background(), f); err != nil {
		t.Fatal(err)
	}
}

func (l *library) add(t *rapid.T) {
	item := anItem(l.owner.ID).Draw(t, "item")
	l.update(t, func(tx *store.Tx) (err error) { item, err = insert(tx, item); return err })
	l.all = append(l.all, item)
	l.touched[item.ID] = true
}

func (l *library) remove(t *rapid.T) {
	if len(l.all) == 0 {
		return
	}
	at := rapid.IntRange(0, len(l.all)-1).Draw(t, "delete")
	l.update(t, func(tx *store.Tx) error { _, err := tx.DeleteMedia(l.owner.ID, l.all[at].ID); return err })
	l.touched[l.all[at].ID] = true
	l.all = slices.Delete(l.all, at, at+1)
}

func (l *library) change(t *rapid.T) {
	if len(l.all) == 0 {
		return
	}
	item := &l.all[rapid.IntRange(0, len(l.all)-1).Draw(t, "change")]
	m := someMetadata().Draw(t, "metadata")
	l.update(t, func(tx *store.Tx) error { _, err := tx.SetMetadata(l.owner.ID, item.ID, m, 0); return err })
	item.Metadata = m
	l.touched[item.ID] = true
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
				page, err = tx.ListMedia(a.ID,
					store.MediaFilter{After: after, Ascending: true, Limit: 4, Until: want[24].Created()})
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

package store_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"parley/internal/call/delivery"
	"parley/internal/storage/store"
	"parley/internal/testkit/storetest"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// began is a time that the database stores without rounding.
var began = time.Date(2026, 11, 20, 7, 15, 20, 711_000_000, time.UTC)

func deliveryTo(m media.Media, position int, url string) delivery.Delivery {
	return delivery.New(&m, position,
		delivery.Callback{URL: url, Method: "PUT", Type: delivery.Analytics, Include: []string{"metrics", "metadata"},
			Format: "f", Stream: "s"}, began)
}

func TestDeliveriesAreReadAsTheyWereWrittenByTheirAccountAlone(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a, b := storetest.Account(t, s, "a").ID, storetest.Account(t, s, "b").ID
		m := storetest.Media(t, s, a)
		first, second := deliveryTo(m, 0, "https://example.com/1?x=1"), deliveryTo(m, 1, "https://example.com/2")
		second.Include = nil
		changed := first
		changed.State, changed.Attempt, changed.Tried, changed.Next = delivery.Pending, 3, 2, began.Add(time.Hour)
		storetest.Update(t, s, func(tx *store.Tx) error {
			return errors.Join(tx.AddDelivery(first), tx.AddDelivery(second), tx.SetDelivery(changed))
		})
		storetest.Update(t, s, func(tx *store.Tx) error {
			one, err := tx.Delivery(a, m.ID, first.ID)
			equal(t, one, changed)
			all, err2 := tx.Deliveries(a, m.ID)
			equal(t, all, []delivery.Delivery{changed, second})
			other, err3 := tx.Deliveries(b, m.ID)
			equal(t, len(other), 0)
			if _, err := tx.Delivery(b, m.ID, first.ID); !fault.Is(err, fault.NotFound) {
				t.Errorf("another account's: %v", err)
			}
			if err := tx.SetDelivery(delivery.Delivery{ID: "none"}); !fault.Is(err, fault.NotFound) {
				t.Errorf("none: %v", err)
			}
			return errors.Join(err, err2, err3)
		})
	})
}

func TestTriesAreKeptInTheirOrder(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		m := storetest.Media(t, s, storetest.Account(t, s, "a").ID)
		d := deliveryTo(m, 0, "https://example.com/")
		var want []delivery.Try
		for n := range 21 {
			want = append(want, delivery.Try{Attempt: n / 3, At: began.Add(time.Duration(n) * time.Second),
				Took: time.Duration(n) * time.Millisecond, Status: 500 + n, Error: fmt.Sprint("e", n),
				Answer: []byte{0, byte(n), 255}})
		}
		storetest.Update(t, s, func(tx *store.Tx) error {
			err := tx.AddDelivery(d)
			for _, try := range want {
				err = errors.Join(err, tx.AddTry(d, try))
			}
			return err
		})
		storetest.Update(t, s, func(tx *store.Tx) error {
			tries, err := tx.Tries(m.ID)
			equal(t, tries, map[string][]delivery.Try{d.ID: want})
			return err
		})
	})
}

func TestEndpointsFailByAccountUntilASuccessOrForAMonth(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a, b := storetest.Account(t, s, "a").ID, storetest.Account(t, s, "b").ID
		ours, theirs := storetest.Media(t, s, a), storetest.Media(t, s, b)
		now := time.Now().UTC().Truncate(time.Millisecond)
		attempts := 0
		try := func(tx *store.Tx, m media.Media, url string, ago time.Duration, status int) error {
			d := deliveryTo(m, 0, url)
			attempts++
			return errors.Join(tx.AddDelivery(d),
				tx.AddTry(d, delivery.Try{Attempt: attempts, At: now.Add(-ago), Took: time.Second, Status: status}))
		}
		const day = 24 * time.Hour
		storetest.Update(t, s, func(tx *store.Tx) error {
			return errors.Join(
				try(tx, ours, "https://example.com/down?key=1", 40*day, 500),
				try(tx, ours, "https://example.com/down?key=2", time.Hour, 502),
				try(tx, ours, "https://example.com/back", 2*time.Hour, 500),
				try(tx, ours, "https://example.com/back", time.Hour, 204),
				try(tx, ours, "https://example.com/once/1", 31*day, 500),
				try(tx, ours, "https://example.com/once/2", 29*day, 500),
				try(tx, theirs, "https://example.com/back", 3*time.Hour, 410),
				tx.ForgetEndpoints(),
			)
		})
		show := func(owner account.ID, most int) string {
			text := ""
			storetest.Update(t, s, func(tx *store.Tx) error {
				all, err := tx.Endpoints(owner, most)
				for _, e := range all {
					text += fmt.Sprintf("%s since %v failed %d, last %d at attempt %d %v ago; ",
						e.Address, now.Sub(e.Since), e.Failures, e.Last.Status, e.Last.Attempt, now.Sub(e.Last.At))
				}
				return err
			})
			return text
		}
		equal(t, show(a, 10), "https://example.com/down since 960h0m0s failed 2, last 502 at attempt 2 1h0m0s ago; "+
			"https://example.com/once/2 since 696h0m0s failed 1, last 500 at attempt 6 696h0m0s ago; ")
		equal(t, show(a, 1), "https://example.com/down since 960h0m0s failed 2, last 502 at attempt 2 1h0m0s ago; ")
		equal(t, show(b, 10), "https://example.com/back since 3h0m0s failed 1, last 410 at attempt 7 3h0m0s ago; ")
	})
}

func TestCallbackSecretsAreTheirAccountsNewestFirst(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		a, b := storetest.Account(t, s, "a").ID, storetest.Account(t, s, "b").ID
		older, newer := delivery.Secret{ID: "1", Key: delivery.NewSecret(), Created: began},
			delivery.Secret{ID: "2", Key: delivery.NewSecret(), Created: began.Add(time.Second)}
		storetest.Update(t, s, func(tx *store.Tx) error {
			return errors.Join(tx.AddCallbackSecret(a, older), tx.AddCallbackSecret(a, newer))
		})
		storetest.Update(t, s, func(tx *store.Tx) error {
			all, err := tx.CallbackSecrets(a)
			equal(t, all, []delivery.Secret{newer, older})
			none, err2 := tx.CallbackSecrets(b)
			equal(t, len(none), 0)
			if err := tx.DropCallbackSecret(b, "1"); !fault.Is(err, fault.NotFound) {
				t.Errorf("another account's: %v", err)
			}
			err3 := tx.DropCallbackSecret(a, "1")
			left, err4 := tx.CallbackSecrets(a)
			equal(t, left, []delivery.Secret{newer})
			return errors.Join(err, err2, err3, err4)
		})
	})
}

package auth

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"parley/internal/testkit/verify"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

var morning = time.Date(2026, 11, 20, 7, 0, 0, 0, time.UTC)

// signed holds the components of a signed URL.
type signed struct{ account, media, stream, expires, signature string }

func sign(ks Keys, g Grant, now time.Time) signed {
	q := ks.Sign(g, now)
	return signed{string(g.Account), string(g.Media), g.Stream, q.Get("expires"), q.Get("signature")}
}

func (s signed) check(ks Keys, now time.Time) error {
	q := url.Values{"account": {s.account}, "expires": {s.expires}, "signature": {s.signature}}
	_, err := ks.Check(q, media.ID(s.media), s.stream, now)
	return err
}

// texts returns the signed components.
func (s *signed) texts() []*string {
	return []*string{&s.account, &s.media, &s.stream, &s.expires, &s.signature}
}

func TestSignedURLHoldsOnlyForWhatItNames(t *testing.T) {
	keys := NewKeys(morning)
	as := sign(keys, Grant{"a1", "m1", media.Original, morning.Add(StreamTTL)}, morning)
	cases := []struct {
		name  string
		alter func(*signed)
		at    time.Time
		ok    bool
	}{
		{"as signed", func(*signed) {}, morning, true},
		{"just before the end", func(*signed) {}, morning.Add(StreamTTL - 1), true},
		{"at the end", func(*signed) {}, morning.Add(StreamTTL), false},
		{"another media item", func(s *signed) { s.media = "m2" }, morning, false},
		{"another stream", func(s *signed) { s.stream = media.RedactedAudio }, morning, false},
		{"another account", func(s *signed) { s.account = "a2" }, morning, false},
		{"a later end", func(s *signed) { s.expires = fmt.Sprint(morning.Add(StreamTTL).Unix() + 1) }, morning, false},
		{"the end written otherwise", func(s *signed) { s.expires = "+" + s.expires }, morning, false},
		{"no number", func(s *signed) { s.expires = "never" }, morning, false},
		{"another signature", func(s *signed) { s.signature = "AAAA" }, morning, false},
		{"no signature", func(s *signed) { s.signature = "" }, morning, false},
		{"a line end in the signature", func(s *signed) { s.signature += "\n" }, morning, false},
		{"fields that run into each other", func(s *signed) { s.account, s.media = "a1m", "1" }, morning, false},
	}
	for _, c := range cases {
		altered := as
		c.alter(&altered)
		if err := altered.check(keys, c.at); (err == nil) != c.ok || err != nil && !fault.Is(err, fault.Forbidden) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestAnyFlippedBitOfASignedURLIsRefused(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys := NewKeys(morning)
		text := rapid.StringN(1, 40, 60)
		as := sign(keys, Grant{
			account.ID(text.Draw(t, "account")), media.ID(text.Draw(t, "media")), text.Draw(t, "stream"),
			morning.Add(time.Duration(rapid.IntRange(1, 900).Draw(t, "seconds")) * time.Second),
		}, morning)
		if err := as.check(keys, morning); err != nil {
			t.Fatalf("as signed: %v", err)
		}
		for _, part := range as.texts() {
			whole := *part
			for bit := range 8 * len(whole) {
				b := []byte(whole)
				b[bit/8] ^= 1 << (bit % 8)
				*part = string(b)
				if as.check(keys, morning) == nil {
					t.Fatalf("bit %d of %q was flipped, and the address still holds", bit, whole)
				}
			}
			*part = whole
		}
	})
}

func FuzzCheckTakesOnlyWhatWasSigned(f *testing.F) {
	keys := Keys{{Secret: []byte(strings.Repeat("k", 32))}}
	as := sign(keys, Grant{"a1", "m1", media.Original, morning}, morning)
	f.Add(as.account, as.media, as.stream, as.expires, as.signature)
	f.Add(as.account, as.media, as.stream, "0"+as.expires, as.signature)
	f.Add(as.account, as.media, as.stream, as.expires, as.signature+"\r")
	f.Fuzz(func(t *testing.T, account, id, stream, expires, signature string) {
		given := signed{account, id, stream, expires, signature}
		if given.check(keys, morning.Add(-time.Second)) == nil && given != as {
			t.Fatalf("%+v was taken", given)
		}
	})
}

func TestURLsHoldUntilTheirEndWhenKeysAreRotated(t *testing.T) {
	before := NewKeys(morning)
	rotated := morning.Add(time.Hour)
	after := before.Rotated(rotated)
	late := rotated.Add(KeyLead + KeyRefresh) // a node that has not yet read the new key still signs with the old one
	old := sign(before, Grant{"a", "m", "s", late.Add(StreamTTL)}, late)
	if err := old.check(after, late.Add(StreamTTL-1)); err != nil {
		t.Errorf("signed by a node with the old keys: %v", err)
	}
	long := sign(before, Grant{"a", "m", "s", late.Add(time.Hour)}, late)
	if long.check(after, late.Add(StreamTTL)) == nil {
		t.Error("the old key counts for longer than anything that it may have signed")
	}
	first := sign(after, Grant{"a", "m", "s", late}, rotated.Add(KeyLead-1))
	if err := first.check(before, rotated); err != nil {
		t.Errorf("the new key signs before all nodes know it: %v", err)
	}
	next := sign(after, Grant{"a", "m", "s", late}, rotated.Add(KeyLead))
	if next.check(before, rotated) == nil || next.check(after, rotated) != nil {
		t.Error("the new key does not sign when its time has come, or does not count")
	}
	if again := after.Rotated(late.Add(StreamTTL)); len(again) != 2 ||
		string(again[0].Secret) != string(after[1].Secret) {
		t.Errorf("%d keys are kept, want the last and the fresh one", len(again))
	}
}

func TestKeysAreReplacedAfterAMonth(t *testing.T) {
	keys := NewKeys(morning)
	if keys.Due(morning.Add(KeyLife)) || !keys.Due(morning.Add(KeyLife+1)) {
		t.Error("a key is due too early or too late")
	}
	if rotated := keys.Rotated(morning.Add(KeyLife + 1)); rotated.Due(morning.Add(KeyLife + time.Hour)) {
		t.Error("it is due again at once")
	}
}

func TestKeysAreReadAsTheyWereStored(t *testing.T) {
	keys := NewKeys(morning).Rotated(morning)
	for i := range keys {
		keys[i].Secret = []byte(strings.Repeat("x", 31+i))
	}
	for _, data := range [][]byte{keys.Encode(), verify.Golden(t, "keys", 1, keys.Encode())} {
		if got, err := DecodeKeys(data); err != nil || fmt.Sprint(got) != fmt.Sprint(keys) {
			t.Errorf("%v, %v", got, err)
		}
	}
	for _, broken := range []string{"", "[]", "{", "[1]"} {
		if _, err := DecodeKeys([]byte(broken)); err == nil {
			t.Errorf("%q was taken", broken)
		}
	}
}

func TestNodesHearOfEachOthersKeys(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shared := NewKeys(time.Now())
		var away error
		loads := 0
		ring, err := NewRing(t.Context(), func(context.Context) (Keys, error) {
			loads++
			return shared, away
		})
		if err != nil {
			t.Fatal(err)
		}
		grant := Grant{"a", "m", "s", time.Now().Add(StreamTTL)}
		check := func(q url.Values) error { _, err := ring.Check(t.Context(), q, "m", "s"); return err }
		if err := check(ring.Sign(t.Context(), grant)); err != nil || loads != 1 {
			t.Errorf("%v, keys were read %d times", err, loads)
		}
		time.Sleep(2 * time.Second)
		shared = NewKeys(time.Now()) // as after a leak: older keys are no longer valid
		if err := check(shared.Sign(grant, time.Now())); err != nil || loads != 2 {
			t.Errorf("signed by a node with newer keys: %v, keys were read %d times", err, loads)
		}
		for range 100 {
			if check(url.Values{"account": {"a"}, "expires": {"1"}, "signature": {"x"}}) == nil {
				t.Error("a forged signature was taken")
			}
		}
		if loads > 3 {
			t.Errorf("forged signatures made us read keys %d times", loads)
		}
		time.Sleep(KeyRefresh + time.Second)
		away = errors.New("the database is away")
		if err := check(ring.Sign(t.Context(), grant)); err != nil {
			t.Errorf("while the database is away: %v", err)
		}
	})
}

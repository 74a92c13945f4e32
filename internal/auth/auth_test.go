package auth

import (
	"fmt"
	"net/url"
	"testing"
	"time"

	"parley/internal/fault"
	"parley/internal/media"
)

func TestSecretNeverShowsWhenFormatted(t *testing.T) {
	s := NewSecret()
	for _, shown := range []string{fmt.Sprint(s), fmt.Sprintf("%v %s %q", s, s, s)} {
		for i := range len(s) - 8 {
			if part := string(s)[i : i+8]; len(shown) >= 8 && contains(shown, part) {
				t.Fatalf("%q shows a part of the token", shown)
			}
		}
	}
	if s.Hash() == NewSecret().Hash() {
		t.Fatal("two tokens are equal")
	}
}

func contains(s, sub string) bool {
	for i := 0; i+len(sub) <= len(s); i++ {
		if s[i:i+len(sub)] == sub {
			return true
		}
	}
	return false
}

func TestBearerAcceptsTheHeaderInAnyCase(t *testing.T) {
	for header, want := range map[string]Secret{"Bearer abc": "abc", "bearer  abc ": "abc", "BEARER abc": "abc"} {
		if got, err := Bearer(header); err != nil || got != want {
			t.Errorf("Bearer(%q) = %v, %v", header, string(got), err)
		}
	}
	for _, header := range []string{"", "abc", "Basic abc", "Bearer ", "Bearer"} {
		if _, err := Bearer(header); !fault.Is(err, fault.Unauthorized) {
			t.Errorf("Bearer(%q) gave %v", header, err)
		}
	}
}

func TestSignedURLHoldsOnlyForWhatItNames(t *testing.T) {
	now := time.Date(2026, 11, 20, 7, 0, 0, 0, time.UTC)
	grant := Grant{Account: "a1", Media: "m1", Stream: media.Original, Expires: now.Add(StreamTTL)}
	signer := Signer{Keys: [][]byte{[]byte("new"), []byte("old")}}
	query := signer.Sign(grant)
	altered := func(name, value string) url.Values {
		q := url.Values{}
		for k, v := range query {
			q[k] = v
		}
		q.Set(name, value)
		return q
	}
	cases := []struct {
		name   string
		query  url.Values
		media  media.ID
		stream string
		at     time.Time
		ok     bool
	}{
		{"as signed", query, "m1", "original", now, true},
		{"just before the end", query, "m1", "original", grant.Expires.Add(-1), true},
		{"at the end", query, "m1", "original", grant.Expires, false},
		{"another media item", query, "m2", "original", now, false},
		{"another stream", query, "m1", "redacted-audio", now, false},
		{"another account", altered("account", "a2"), "m1", "original", now, false},
		{"a later end", altered("expires", fmt.Sprint(grant.Expires.Unix()+1)), "m1", "original", now, false},
		{"no number", altered("expires", "never"), "m1", "original", now, false},
		{"another signature", altered("signature", "AAAA"), "m1", "original", now, false},
		{"no base64", altered("signature", "%"), "m1", "original", now, false},
	}
	for _, c := range cases {
		if _, err := signer.Check(c.query, c.media, c.stream, c.at); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	old := Signer{Keys: [][]byte{[]byte("old")}}.Sign(grant)
	if _, err := signer.Check(old, "m1", "original", now); err != nil {
		t.Errorf("signed with the key before rotation: %v", err)
	}
}

package auth

import (
	"fmt"
	"testing"

	"parley/internal/words/fault"
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

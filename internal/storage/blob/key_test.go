package blob

import (
	"path"
	"strings"
	"testing"

	"parley/internal/words/fault"
)

func TestKeysCannotLeaveTheStore(t *testing.T) {
	for _, key := range []string{"", "/", "a/", "/a", "a//b", ".", "..", "../a", "a/../b", "a/./b", "a\x00b", "a\\b",
		"ä", "a b", "a=b", "~", strings.Repeat("x", MaxKey+1)} {
		if err := CheckKey(key); !fault.Is(err, fault.Invalid) {
			t.Errorf("%q: %v", key, err)
		}
	}
	for _, key := range []string{"a", "a/b", "...", ".a", "a-b_c.d/E9", strings.Repeat("x", MaxKey)} {
		if err := CheckKey(key); err != nil {
			t.Errorf("%q: %v", key, err)
		}
	}
}

func FuzzCheckKey(f *testing.F) {
	f.Add("media/0193/original")
	f.Add("a/../b")
	f.Fuzz(func(t *testing.T, key string) {
		if CheckKey(key) == nil && (path.Clean("/root/"+key) != "/root/"+key || strings.ContainsAny(key, "\\\x00=~")) {
			t.Fatalf("%q was taken", key)
		}
	})
}

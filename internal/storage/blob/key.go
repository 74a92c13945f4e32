package blob

import (
	"strings"

	"parley/internal/words/fault"
)

// MaxKey is the maximum length of a key in bytes.
const MaxKey = 200

// CheckKey returns a fault of kind Invalid unless the key is valid: at most MaxKey bytes, slash-separated names of
// ASCII letters, digits, "-", "_" and ".", none of them empty, "." or "..".
func CheckKey(key string) error {
	if len(key) > MaxKey {
		return fault.New(fault.Invalid, fault.CodeParameter, "blob key of %d bytes: at most %d are allowed", len(key),
			MaxKey)
	}
	for name := range strings.SplitSeq(key, "/") {
		if name == "" || name == "." || name == ".." || strings.IndexFunc(name, foreign) >= 0 {
			return fault.New(fault.Invalid, fault.CodeParameter, "blob key %q: the part %q is not allowed", key, name)
		}
	}
	return nil
}

func foreign(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' || r == '.')
}

// CheckRange returns a fault of kind Invalid unless offset and length are valid for Store.Open.
func CheckRange(offset, length int64) error {
	if offset < 0 || length < -1 {
		return fault.New(fault.Invalid, fault.CodeParameter, "blob range: %d bytes from %d", length, offset)
	}
	return nil
}

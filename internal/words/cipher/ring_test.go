package cipher_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"parley/internal/words/cipher"
	"parley/internal/words/fault"
)

func ring(t *testing.T, lines ...string) *cipher.Ring {
	t.Helper()
	r, err := cipher.ParseRing([]byte(strings.Join(lines, "\n")))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestTheFirstKeyOfARingWrapsAndAllUnwrap(t *testing.T) {
	older, newer, k := cipher.NewStorageKey(), cipher.NewStorageKey(), cipher.NewKey()
	before, after := ring(t, older), ring(t, "# rotated", newer, "", older)
	kept := before.Wrap(k)
	if bytes.Contains(kept, []byte(k)) || bytes.Equal(kept, before.Wrap(k)) {
		t.Error("the key stands in what is kept, or is kept twice alike")
	}
	for name, r := range map[string]*cipher.Ring{"before": before, "after": after} {
		if got, err := r.Unwrap(kept); err != nil || got != k {
			t.Errorf("%s the rotation: %v", name, err)
		}
	}
	if !bytes.HasPrefix(after.Wrap(k), after.Head()) || bytes.HasPrefix(kept, after.Head()) {
		t.Error("another key than the first wraps")
	}
	if ids := after.IDs(); len(ids) != 2 || ids[1] != before.IDs()[0] || cipher.HeadID(after.Head()) != ids[0] {
		t.Errorf("ids %v and %v", ids, before.IDs())
	}
	_, err := before.Unwrap(after.Wrap(k))
	if !fault.Is(err, fault.Unavailable) || !strings.Contains(err.Error(), after.IDs()[0]) ||
		!strings.Contains(err.Error(), "--storage-key-file") {
		t.Errorf("without the key: %v", err)
	}
}

func TestWithoutARingKeysAreKeptAsTheyAre(t *testing.T) {
	var none *cipher.Ring
	k, full := cipher.NewKey(), ring(t, cipher.NewStorageKey())
	if kept := none.Wrap(k); string(kept) != string(k) || none.Head() != nil || none.IDs() != nil ||
		none.Wrap("") != nil || full.Wrap("") != nil {
		t.Errorf("kept as %d bytes", len(kept))
	}
	for _, r := range []*cipher.Ring{none, full} {
		if got, err := r.Unwrap([]byte(k)); err != nil || got != k {
			t.Errorf("a key that is kept as it is: %v", err)
		}
		if got, err := r.Unwrap(nil); err != nil || got != "" {
			t.Errorf("no key: %q, %v", got, err)
		}
	}
	if _, err := none.Unwrap(full.Wrap(k)); !fault.Is(err, fault.Unavailable) {
		t.Errorf("wrapped: %v", err)
	}
}

func TestDamagedKeysAreFound(t *testing.T) {
	r := ring(t, cipher.NewStorageKey())
	kept := r.Wrap(cipher.NewKey())
	for i := range kept {
		damaged := slices.Clone(kept)
		damaged[i] ^= 1
		if _, err := r.Unwrap(damaged); err == nil {
			t.Errorf("byte %d may be another", i)
		}
	}
	if _, err := r.Unwrap(kept[:40]); !fault.Is(err, fault.Internal) {
		t.Errorf("cut: %v", err)
	}
}

func TestKeyFilesThatAreWrongAreRefusedWithTheirLine(t *testing.T) {
	good := cipher.NewStorageKey()
	for file, want := range map[string]string{
		"": "no key", "# nothing\n\n": "no key", good + "\nsecret": "line 2", good[:40]: "line 1",
		"\n" + good + "\n\n" + good + "\n": "line 4 repeats",
		good + good:                        "line 1",
	} {
		_, err := cipher.ParseRing([]byte(file))
		if !fault.Is(err, fault.Invalid) || !strings.Contains(err.Error(), want) ||
			strings.Contains(err.Error(), good[:8]) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", file, err)
		}
	}
	if r := ring(t, "  "+good+"\r"); len(r.IDs()) != 1 {
		t.Error("spaces around a key make another file")
	}
}

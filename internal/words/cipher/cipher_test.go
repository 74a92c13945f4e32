package cipher_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"parley/internal/words/cipher"
	"parley/internal/words/fault"
)

func encrypted(t rapid.TB, k cipher.Key, plain []byte) []byte {
	r, err := k.Encrypt(bytes.NewReader(plain))
	if err != nil {
		t.Fatal(err)
	}
	out, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func opener(stored []byte) cipher.Opener {
	return func(offset, length int64) (io.ReadCloser, error) {
		from := min(offset, int64(len(stored)))
		until := int64(len(stored))
		if length >= 0 {
			until = min(until, from+length)
		}
		return io.NopCloser(bytes.NewReader(stored[from:until])), nil
	}
}

func content(size int) []byte {
	plain := make([]byte, size)
	rand.NewChaCha8([32]byte{byte(size)}).Read(plain)
	return plain
}

func TestAnyPartIsReadAsItWasWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		plain := content(rapid.SampledFrom([]int{0, 1, 65535, 65536, 65537, 131072, 200_000}).Draw(t, "size"))
		k := rapid.SampledFrom([]cipher.Key{"", cipher.NewKey()}).Draw(t, "key")
		stored := encrypted(t, k, plain)
		if k.Size(int64(len(plain))) != int64(len(stored)) {
			t.Fatalf("%d bytes have %d, said %d", len(plain), len(stored), k.Size(int64(len(plain))))
		}
		if n, err := k.Plain(int64(len(stored))); err != nil || n != int64(len(plain)) {
			t.Fatalf("%d stored bytes hold %d, %v", len(stored), n, err)
		}
		offset := rapid.IntRange(0, len(plain)+70_000).Draw(t, "offset")
		length := rapid.IntRange(-1, 140_000).Draw(t, "length")
		r, err := k.Open(opener(stored), int64(len(plain)), int64(offset), int64(length))
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		want := plain[min(offset, len(plain)):]
		if length >= 0 {
			want = want[:min(length, len(want))]
		}
		if !bytes.Equal(got, want) {
			t.Fatalf("%d bytes from %d of %d: got %d", length, offset, len(plain), len(got))
		}
	})
}

func TestDamageIsFound(t *testing.T) {
	k, plain := cipher.NewKey(), content(200_000)
	stored := encrypted(t, k, plain)
	for name, damaged := range map[string][]byte{
		"a bit":            func() []byte { d := bytes.Clone(stored); d[150_000] ^= 1; return d }(),
		"cut at a package": stored[:k.Size(131072)], "cut": stored[:100_000],
		"two packages exchanged": append(append(bytes.Clone(stored[k.Size(65536):k.Size(131072)]),
			stored[:k.Size(65536)]...), stored[k.Size(131072):]...),
	} {
		r, err := k.Open(opener(damaged), 200_000, 0, -1)
		if err == nil {
			_, err = io.ReadAll(r)
		}
		if err == nil || err == io.EOF || fault.KindOf(err) != fault.Internal {
			t.Errorf("%s: %v", name, err)
		}
	}
	r, err := cipher.NewKey().Open(opener(stored), 200_000, 0, -1)
	if err == nil {
		_, err = io.ReadAll(r)
	}
	if err == nil {
		t.Error("another key reads it")
	}
}

// broken returns some bytes and then fails.
func broken(after int, with error) io.Reader {
	return io.MultiReader(bytes.NewReader(content(after)), iotest.ErrReader(with))
}

func TestASourceThatBreaksOffIsNotTakenForItsEnd(t *testing.T) {
	k, other := cipher.NewKey(), errors.New("other")
	stored := encrypted(t, k, content(200_000))
	for _, after := range []int{0, 1, 65536, 65537, 70_000, 131_072} {
		for _, cause := range []error{io.ErrUnexpectedEOF, other} {
			r, err := k.Encrypt(broken(after, cause))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.ReadAll(r); !errors.Is(err, cause) {
				t.Errorf("encrypting %d bytes before %v: %v", after, cause, err)
			}
			r, err = k.Open(func(int64, int64) (io.ReadCloser, error) {
				return io.NopCloser(io.MultiReader(bytes.NewReader(stored[:after]), iotest.ErrReader(cause))), nil
			}, 200_000, 0, -1)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.ReadAll(r); !errors.Is(err, cause) {
				t.Errorf("reading %d bytes before %v: %v", after, cause, err)
			}
		}
	}
}

func TestTextsAreReadWithTheirKeyAlone(t *testing.T) {
	k := cipher.NewKey()
	for _, text := range []string{"", "a", "metadata of a call"} {
		sealed := k.Seal([]byte(text))
		if len(text) > 8 && bytes.Contains(sealed, []byte(text)) { // shorter texts may occur by chance
			t.Errorf("%q stands in %q", text, sealed)
		}
		if got, err := k.Unseal(sealed); err != nil || string(got) != text {
			t.Errorf("%q came back as %q, %v", text, got, err)
		}
		if _, err := cipher.NewKey().Unseal(sealed); err == nil && text != "" {
			t.Errorf("another key reads %q", text)
		}
	}
	if _, err := k.Unseal([]byte("short")); fault.KindOf(err) != fault.Internal || err == nil {
		t.Errorf("damage: %v", err)
	}
}

func TestAMaskedKeyIsHadWithTheOtherKeyAndTheLabelAlone(t *testing.T) {
	k, other := cipher.NewKey(), cipher.NewKey()
	masked := k.Mask("a", other)
	if k.Mask("a", masked) != other {
		t.Error("another key comes back")
	}
	for _, wrong := range []cipher.Key{masked, k.Mask("b", masked), cipher.NewKey().Mask("a", masked),
		k.Mask("b", other)} {
		if wrong == other || wrong == k || wrong == k.Mask("a", masked) {
			t.Error("it is had without")
		}
	}
}

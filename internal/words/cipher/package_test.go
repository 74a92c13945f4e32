package cipher_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"pgregory.net/rapid"

	"parley/internal/words/cipher"
)

// failing is a source whose reads fail.
type failing struct{ err error }

func (f failing) ReadAt([]byte, int64) (int, error) { return 0, f.err }

func packages(k cipher.Key, stored []byte, size int) (plain []byte, err error) {
	for n := 0; n*cipher.PackageBytes < size; n++ {
		p, err := k.Package(bytes.NewReader(stored), int64(size), n)
		if err != nil {
			return nil, err
		}
		plain = append(plain, p...)
	}
	return plain, nil
}

var packageSizes = []int{1, 65535, 65536, 65537, 131072, 200_000}

func TestPackagesTogetherAreWhatWasWritten(t *testing.T) {
	for _, k := range []cipher.Key{"", cipher.NewKey()} {
		for _, size := range packageSizes {
			plain := content(size)
			stored := encrypted(t, k, plain)
			if got, err := packages(k, stored, size); err != nil || !bytes.Equal(got, plain) {
				t.Errorf("%d bytes: %v", size, err)
			}
			for _, n := range []int{-1, (size + cipher.PackageBytes - 1) / cipher.PackageBytes} {
				if _, err := k.Package(bytes.NewReader(stored), int64(size), n); err != io.EOF {
					t.Errorf("package %d of %d bytes: %v", n, size, err)
				}
			}
		}
	}
}

func TestAPackageThatWasChangedMovedOrCutOffIsDamaged(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := cipher.NewKey()
		size := rapid.SampledFrom(packageSizes).Draw(t, "size")
		stored := encrypted(t, k, content(size))
		whole := int(k.Size(cipher.PackageBytes))
		switch rapid.SampledFrom([]string{"bit", "cut", "swap", "other key"}).Draw(t, "damage") {
		case "bit":
			stored[rapid.IntRange(0, len(stored)-1).Draw(t, "at")] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
		case "cut": // at the end of a package, as far as there is one
			n, err := k.Plain(int64(len(stored) - 1 - (len(stored)-1)%whole))
			if err != nil || n == 0 {
				t.Skip()
			}
			size, stored = int(n), stored[:k.Size(n)]
		case "swap":
			if len(stored) < 2*whole {
				t.Skip()
			}
			stored = append(append(bytes.Clone(stored[whole:2*whole]), stored[:whole]...), stored[2*whole:]...)
		default:
			k = cipher.NewKey()
		}
		if _, err := packages(k, stored, size); !cipher.Damaged(err) {
			t.Fatalf("%v", err)
		}
	})
}

func TestAPackageOfASourceThatFailsHasItsErrorAndIsNotDamaged(t *testing.T) {
	broken := errors.New("broken")
	for _, k := range []cipher.Key{"", cipher.NewKey()} {
		if _, err := k.Package(failing{broken}, 10, 0); !errors.Is(err, broken) || cipher.Damaged(err) {
			t.Errorf("%v", err)
		}
		if _, err := k.Package(bytes.NewReader(nil), 10, 0); !cipher.Damaged(err) {
			t.Errorf("nothing is stored: %v", err)
		}
	}
}

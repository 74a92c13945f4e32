package seal_test

import (
	"bytes"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/internal/flow/seal"
	"parley/internal/testkit/gpgtest"
	"parley/internal/words/fault"
)

func TestGnuPGDecryptsWhatIsEncrypted(t *testing.T) {
	home := gpgtest.New(t)
	big := make([]byte, 3<<20)
	rand.NewChaCha8([32]byte{1}).Read(big)
	for name, public := range map[string][]byte{
		"rsa": home.RSA(t, "rsa@example.com"), "ecc": home.ECC(t, "ecc@example.com"),
		"binary": home.Public(t, "rsa@example.com"),
	} {
		key, err := seal.ParseKey(public, time.Now())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, content := range [][]byte{{}, []byte("hello ünïcode"), big} {
			message := key.Reader(bytes.NewReader(content))
			binary, err := io.ReadAll(message)
			if err != nil {
				t.Fatal(err)
			}
			message.Close()
			armored, err := key.Armored(content)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.HasPrefix(armored, []byte("-----BEGIN PGP MESSAGE-----")) {
				t.Errorf("%s: the armor begins with %.40q", name, armored)
			}
			for form, message := range map[string][]byte{"binary": binary, "armored": armored} {
				if got := home.Decrypt(t, message); !bytes.Equal(got, content) {
					t.Errorf("%s, %s: %d bytes were decrypted as %d", name, form, len(content), len(got))
				}
			}
		}
	}
}

func TestKeysThatCannotBeEncryptedForAreRefused(t *testing.T) {
	home := gpgtest.New(t)
	public := home.RSA(t, "good@example.com")
	other := home.ECC(t, "other@example.com")
	home.ECC(t, "revoked@example.com")
	for name, c := range map[string]struct {
		content []byte
		after   time.Duration
		says    string
	}{
		"empty":   {content: []byte(" \n"), says: "empty"},
		"text":    {content: []byte("hello"), says: "not an OpenPGP public key"},
		"cut":     {content: public[:len(public)/2], says: "not an OpenPGP public key"},
		"private": {content: home.Private(t, "good@example.com"), says: "private key"},
		"two":     {content: slices.Concat(public, other), says: "more than one key"},
		"two at once": {content: home.Public(t, "good@example.com", "--armor", "--export", "other@example.com"),
			says: "more than one key"},
		"two, binary": {content: slices.Concat(home.Public(t, "good@example.com"), home.Public(t, "other@example.com")),
			says: "more than one key"},
		"a pair":  {content: slices.Concat(public, home.Private(t, "good@example.com")), says: "more than one key"},
		"expired": {content: public, after: 400 * 24 * time.Hour, says: "expired"},
		"revoked": {content: home.Revoke(t, "revoked@example.com"), says: "revoked"},
		"short": {content: home.Make(t,
			gpgtest.Pair{Name: "short@example.com", Algorithm: "rsa2048", Encryption: "rsa1024", Life: "1y"}),
			says: "encryption subkey"},
		"for signing": {content: home.Make(t, gpgtest.Pair{Name: "sign@example.com", Algorithm: "ed25519", Life: "1y"}),
			says: "encryption subkey"},
	} {
		err := seal.Check(c.content, time.Now().Add(c.after))
		if !fault.Is(err, fault.Invalid) || fault.ProblemsOf(err)[0].Code != fault.CodePublicKey ||
			!strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want one that says %q", name, err, c.says)
		}
	}
}

// A key that expires while a recording waits is still used: the recording was accepted with it.
func TestAKeyIsUsedAsItWasWhenItWasChecked(t *testing.T) {
	public := gpgtest.New(t).Make(t,
		gpgtest.Pair{Name: "soon@example.com", Algorithm: "ed25519", Encryption: "cv25519", Life: "1d"})
	key, err := seal.ParseKey(public, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := seal.ParseKey(public, time.Now().Add(48*time.Hour)); err == nil {
		t.Fatal("the key does not expire: the test shows nothing")
	}
	later, err := key.Armored([]byte("x"))
	if err != nil || len(later) == 0 {
		t.Error(err)
	}
}

func FuzzParseKey(f *testing.F) {
	f.Add([]byte("-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n-----END PGP PUBLIC KEY BLOCK-----"))
	f.Add([]byte{0x99, 0x01, 0x0d, 0x04})
	f.Fuzz(func(t *testing.T, content []byte) {
		at := time.Unix(1_800_000_000, 0)
		taken := seal.Check(content, at) == nil
		if key, err := seal.ParseKey(content, at); err != nil && taken {
			t.Errorf("a key was taken that is refused: %v", err)
		} else if err == nil {
			if _, err := key.Armored([]byte("x")); err != nil {
				t.Errorf("a key was taken that cannot be used: %v", err)
			}
		}
	})
}

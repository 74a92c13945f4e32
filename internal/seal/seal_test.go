package seal_test

import (
	"bytes"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/internal/fault"
	"parley/internal/seal"
)

// gpg runs Debian's GnuPG in a folder of keys.
func gpg(t *testing.T, home string, input io.Reader, args ...string) []byte {
	t.Helper()
	if _, err := exec.LookPath("gpg"); err != nil {
		t.Fatal("gpg is missing; install the package gnupg")
	}
	command := exec.Command("gpg", append([]string{"--homedir", home, "--batch", "--quiet", "--yes", "--pinentry-mode", "loopback", "--passphrase", ""}, args...)...)
	command.Stdin = input
	var problems bytes.Buffer
	command.Stderr = &problems
	out, err := command.Output()
	if err != nil {
		t.Fatalf("gpg %s: %v\n%s", strings.Join(args, " "), err, problems.String())
	}
	return out
}

func home(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "gpg") // the path of gpg's socket must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		exec.Command("gpgconf", "--homedir", dir, "--kill", "all").Run()
		os.RemoveAll(dir)
	})
	return dir
}

// pair makes a key that certifies and, where wanted, a part of it for encryption, and returns the public key.
func pair(t *testing.T, dir, name, algorithm, encryption, expires string) []byte {
	t.Helper()
	gpg(t, dir, nil, "--quick-generate-key", name, algorithm, "cert,sign", expires)
	fingerprint := ""
	for _, line := range strings.Split(string(gpg(t, dir, nil, "--list-keys", "--with-colons", name)), "\n") {
		if strings.HasPrefix(line, "fpr:") && fingerprint == "" {
			fingerprint = strings.Split(line, ":")[9]
		}
	}
	if encryption != "" {
		gpg(t, dir, nil, "--quick-add-key", fingerprint, encryption, "encr", expires)
	}
	return gpg(t, dir, nil, "--armor", "--export", name)
}

func unarmored(t *testing.T, dir, name string) []byte { return gpg(t, dir, nil, "--export", name) }

func TestGnuPGDecryptsWhatIsEncrypted(t *testing.T) {
	dir := home(t)
	big := make([]byte, 3<<20)
	rand.NewChaCha8([32]byte{1}).Read(big)
	for name, public := range map[string][]byte{
		"rsa": pair(t, dir, "rsa@example.com", "rsa2048", "rsa2048", "1y"), "ecc": pair(t, dir, "ecc@example.com", "ed25519", "cv25519", "1y"),
		"binary": unarmored(t, dir, "rsa@example.com"),
	} {
		key, err := seal.ParseKey(public, time.Now())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, content := range [][]byte{{}, []byte("hello ünïcode"), big} {
			var binary bytes.Buffer
			w, err := key.Writer(&binary)
			if err != nil {
				t.Fatal(err)
			}
			for rest := content; len(rest) > 0; rest = rest[min(len(rest), 100_000):] {
				if _, err := w.Write(rest[:min(len(rest), 100_000)]); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			armored, err := key.Armored(content)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.HasPrefix(armored, []byte("-----BEGIN PGP MESSAGE-----")) {
				t.Errorf("%s: the armor begins with %.40q", name, armored)
			}
			for form, message := range map[string][]byte{"binary": binary.Bytes(), "armored": armored} {
				if got := gpg(t, dir, bytes.NewReader(message), "--decrypt"); !bytes.Equal(got, content) {
					t.Errorf("%s, %s: %d bytes were decrypted as %d", name, form, len(content), len(got))
				}
			}
		}
	}
}

func TestKeysThatCannotBeEncryptedForAreRefused(t *testing.T) {
	dir := home(t)
	public := pair(t, dir, "good@example.com", "rsa2048", "rsa2048", "1y")
	gpg(t, dir, nil, "--quick-generate-key", "revoked@example.com", "rsa2048", "default", "1y")
	revocations, err := filepath.Glob(filepath.Join(dir, "openpgp-revocs.d", "*.rev"))
	if err != nil || len(revocations) != 2 {
		t.Fatal(revocations, err)
	}
	own := strings.TrimSpace(string(gpg(t, dir, nil, "--with-colons", "--list-keys", "revoked@example.com")))
	for _, path := range revocations {
		if text, err := os.ReadFile(path); err != nil {
			t.Fatal(err)
		} else if strings.Contains(own, strings.TrimSuffix(filepath.Base(path), ".rev")) {
			gpg(t, dir, strings.NewReader(strings.ReplaceAll(string(text), ":-----BEGIN", "-----BEGIN")), "--import")
		}
	}
	for name, c := range map[string]struct {
		content []byte
		after   time.Duration
		says    string
	}{
		"empty":       {content: []byte(" \n"), says: "empty"},
		"text":        {content: []byte("hello"), says: "no OpenPGP public key"},
		"cut":         {content: public[:len(public)/2], says: "no OpenPGP public key"},
		"private":     {content: gpg(t, dir, nil, "--armor", "--export-secret-keys", "good@example.com"), says: "private key"},
		"expired":     {content: public, after: 400 * 24 * time.Hour, says: "expired"},
		"revoked":     {content: gpg(t, dir, nil, "--armor", "--export", "revoked@example.com"), says: "revoked"},
		"short":       {content: pair(t, dir, "short@example.com", "rsa2048", "rsa1024", "1y"), says: "part for encryption"},
		"for signing": {content: pair(t, dir, "sign@example.com", "rsa2048", "", "1y"), says: "part for encryption"},
	} {
		_, err := seal.ParseKey(c.content, time.Now().Add(c.after))
		if !fault.Is(err, fault.Invalid) || fault.ProblemsOf(err)[0].Code != fault.CodePublicKey || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want one that says %q", name, err, c.says)
		}
	}
}

// A key that expires while a recording waits is used all the same: the recording was accepted with it.
func TestAKeyIsUsedAsItWasWhenItWasChecked(t *testing.T) {
	dir := home(t)
	public := pair(t, dir, "soon@example.com", "rsa2048", "rsa2048", "1d")
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
		if key, err := seal.ParseKey(content, time.Unix(1_800_000_000, 0)); err == nil {
			if _, err := key.Armored([]byte("x")); err != nil {
				t.Errorf("a key was taken that cannot be used: %v", err)
			}
		}
	})
}

// Package gpgtest runs GnuPG in tests: it creates key pairs as customers do, and decrypts messages for them.
//
// Tests fail if gpg is missing. The package is for tests only.
package gpgtest

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Home is a GnuPG home folder. It is removed at the end of the test.
type Home struct{ dir string }

// New creates an empty home folder.
func New(t testing.TB) *Home {
	t.Helper()
	dir, err := os.MkdirTemp("", "gpg") // the path of gpg's socket must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		exec.Command("gpgconf", "--homedir", dir, "--kill", "all").Run()
		os.RemoveAll(dir)
	})
	return &Home{dir}
}

// run runs gpg and returns its output.
func (h *Home) run(t testing.TB, input []byte, args ...string) []byte {
	t.Helper()
	if _, err := exec.LookPath("gpg"); err != nil {
		t.Fatal("gpg is missing; install the package gnupg")
	}
	command := exec.Command("gpg",
		append([]string{"--homedir", h.dir, "--batch", "--quiet", "--yes", "--pinentry-mode", "loopback",
			"--passphrase", ""}, args...)...)
	command.Stdin = bytes.NewReader(input)
	var problems bytes.Buffer
	command.Stderr = &problems
	out, err := command.Output()
	if err != nil {
		t.Fatalf("gpg %s: %v\n%s", strings.Join(args, " "), err, problems.String())
	}
	return out
}

// Pair describes a key pair.
type Pair struct {
	Name       string    // an email address
	Algorithm  string    // of the primary key, such as rsa2048 or ed25519
	Encryption string    // of the encryption subkey, such as rsa2048 or cv25519; empty: none
	Life       string    // time until it expires, such as 1y
	Made       time.Time // creation time; zero: now
}

// Make creates a key pair and returns the public key, armored.
func (h *Home) Make(t testing.TB, p Pair) []byte {
	t.Helper()
	clock := []string{}
	if !p.Made.IsZero() {
		clock = append(clock, "--faked-system-time", p.Made.UTC().Format("20060102T150405"))
	}
	h.run(t, nil, append(clock, "--quick-generate-key", p.Name, p.Algorithm, "cert,sign", p.Life)...)
	if p.Encryption != "" {
		h.run(t, nil, append(clock, "--quick-add-key", h.fingerprint(t, p.Name), p.Encryption, "encr", p.Life)...)
	}
	return h.Public(t, p.Name, "--armor")
}

// RSA creates a key pair of 2048 bits, as the API recommends, and returns the public key, armored.
func (h *Home) RSA(t testing.TB, name string) []byte {
	t.Helper()
	return h.Make(t, Pair{Name: name, Algorithm: "rsa2048", Encryption: "rsa2048", Life: "1y"})
}

// ECC creates a key pair on elliptic curves and returns the public key, armored.
func (h *Home) ECC(t testing.TB, name string) []byte {
	t.Helper()
	return h.Make(t, Pair{Name: name, Algorithm: "ed25519", Encryption: "cv25519", Life: "1y"})
}

func (h *Home) fingerprint(t testing.TB, name string) string {
	t.Helper()
	for line := range strings.Lines(string(h.run(t, nil, "--list-keys", "--with-colons", name))) {
		if strings.HasPrefix(line, "fpr:") {
			return strings.Split(line, ":")[9]
		}
	}
	t.Fatalf("no key of %s", name)
	return ""
}

// Public returns a public key, exported with further gpg options such as --armor.
func (h *Home) Public(t testing.TB, name string, options ...string) []byte {
	t.Helper()
	return h.run(t, nil, append(options, "--export", name)...)
}

// Private returns a private key, armored.
func (h *Home) Private(t testing.TB, name string) []byte {
	t.Helper()
	return h.run(t, nil, "--armor", "--export-secret-keys", name)
}

// Revoke revokes a key pair and returns the public key, armored.
func (h *Home) Revoke(t testing.TB, name string) []byte {
	t.Helper()
	written, err := os.ReadFile(filepath.Join(h.dir, "openpgp-revocs.d", h.fingerprint(t, name)+".rev"))
	if err != nil {
		t.Fatal(err)
	}
	// gpg writes a colon before the armor header to prevent accidental use
	h.run(t, bytes.ReplaceAll(written, []byte(":-----BEGIN"), []byte("-----BEGIN")), "--import")
	return h.Public(t, name, "--armor")
}

// Decrypt returns the plain text of a message, armored or binary.
func (h *Home) Decrypt(t testing.TB, message []byte) []byte {
	t.Helper()
	return h.run(t, message, "--decrypt")
}

package api_test

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/internal/flow/seal"
	"parley/internal/testkit/gpgtest"
	"parley/internal/testkit/servertest"
)

const publicKeys = "/v3/security/public-keys"

// publicKey is a public key that does not expire.
//
//go:embed testdata/public.asc
var publicKey string

// addKey uploads a public key, which must succeed.
func addKey(t *testing.T, c *servertest.Client, key string) map[string]any {
	t.Helper()
	return ok(t, c.Do(t, http.MethodPost, publicKeys, strings.NewReader(key), "Content-Type",
		"application/octet-stream")).JSON(t)
}

// keyLinks returns the URLs of the account's public keys.
func keyLinks(t *testing.T, c *servertest.Client) []string {
	t.Helper()
	answer := ok(t, c.Get(t, publicKeys)).JSON(t)
	if at(t, answer, "_links", "self", "href") != publicKeys {
		t.Errorf("%v", answer)
	}
	links := []string{}
	for _, k := range answer["keys"].([]any) {
		if len(k.(map[string]any)) != 1 {
			t.Errorf("a list shows more than where keys are: %v", k)
		}
		links = append(links, at(t, k, "_links", "self", "href").(string))
	}
	return links
}

func TestAPublicKeyIsReadAsItWasGivenUntilItIsDeleted(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	home := gpgtest.New(t)
	armored, binary := "application/pgp-keys", "application/octet-stream"
	given := []struct{ key, contentType string }{
		{string(home.RSA(t, "rsa@example.com")), armored}, {string(home.ECC(t, "ecc@example.com")), armored},
		// the same key twice gets two ids
		{string(home.Public(t, "rsa@example.com")), binary}, {publicKey, armored}, {publicKey, armored},
	}
	want := []string{}
	for _, g := range given {
		made := addKey(t, s.Client, g.key)
		sum := sha256.Sum256([]byte(g.key))
		link := publicKeys + "/" + made["publicKeyId"].(string)
		if made["publicKeyHash"] != hex.EncodeToString(sum[:]) || at(t, made, "_links", "self", "href") != link {
			t.Errorf("%v", made)
		}
		want = append(want, link)
	}
	if got := keyLinks(t, s.Client); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	for i, g := range given {
		if a := ok(t, s.Get(t, want[i])); string(a.Body) != g.key || a.Header.Get("Content-Type") != g.contentType {
			t.Errorf("%s\n%s", a.Header, a)
		}
	}
	ok(t, s.Get(t, publicKeys+"/"+strings.ToUpper(strings.TrimPrefix(want[0], publicKeys+"/"))))
	if a := s.Do(t, http.MethodDelete, want[1], nil); a.Status != 204 || len(a.Body) > 0 {
		t.Error(a)
	}
	refused(t, s.Get(t, want[1]), 404, 10205, "public key")
	refused(t, s.Do(t, http.MethodDelete, want[1], nil), 404, 10205, "public key")
	if got := keyLinks(t, s.Client); !slices.Equal(got, slices.Delete(want, 1, 2)) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestPublicKeysThatCannotBeEncryptedForAreRefused(t *testing.T) {
	t.Parallel()
	book := &logbook{}
	s := servertest.Start(t, servertest.Options{Log: book, Settings: only})
	home := gpgtest.New(t)
	past := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
	home.ECC(t, "good@example.com")
	private := home.Private(t, "good@example.com")
	for name, c := range map[string]struct {
		key  []byte
		says string
	}{
		"expired": {home.Make(t, gpgtest.Pair{Name: "old@example.com", Algorithm: "ed25519", Encryption: "cv25519",
			Life: "1y", Made: past}), "expired"},
		"revoked": {home.Revoke(t, "good@example.com"), "revoked"},
		"short": {home.Make(t, gpgtest.Pair{Name: "short@example.com", Algorithm: "ed25519",
			Encryption: "rsa1024", Life: "1y"}), "encryption subkey"},
		"for signing": {home.Make(t, gpgtest.Pair{Name: "sign@example.com", Algorithm: "ed25519", Life: "1y"}),
			"encryption subkey"},
		"private": {private, "private key"},
		"text":    {[]byte("hello"), "gpg --export"},
		"nothing": {nil, "empty"},
	} {
		t.Log(name)
		refused(t, s.Do(t, http.MethodPost, publicKeys, bytes.NewReader(c.key)), 400, 95070, c.says)
	}
	refused(t, s.Do(t, http.MethodPost, publicKeys, strings.NewReader(strings.Repeat("x", seal.MaxKey+1))), 413, 10800,
		fmt.Sprint(seal.MaxKey))
	refused(t, s.Do(t, http.MethodPost, publicKeys+"?name=x", strings.NewReader(publicKey)), 400, 95002, "name")
	if got := keyLinks(t, s.Client); len(got) != 0 {
		t.Errorf("kept: %v", got)
	}
	if log := book.text.String(); strings.Contains(log, "BEGIN PGP") ||
		strings.Contains(log, strings.Split(string(private), "\n")[3]) {
		t.Error("the log has keys")
	}
}

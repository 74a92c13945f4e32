package client_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"parley/internal/call/wire"
	"parley/internal/operation/config"
	"parley/internal/terminal/client"
	"parley/internal/testkit/gpgtest"
	"parley/internal/testkit/servertest"
)

func TestClientUploadsShowsAndDeletesPublicKeys(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: func(c *config.Settings) { c.Role = config.RoleAPI }})
	c := &client.Client{Base: s.Base, Token: s.Token, HTTP: http.DefaultClient}
	key := gpgtest.New(t).ECC(t, "calls@example.com")
	answer, err := c.AddPublicKey(t.Context(), bytes.NewReader(key))
	if err != nil {
		t.Fatal(err)
	}
	var made wire.PublicKey
	if err := json.Unmarshal(answer, &made); err != nil || made.PublicKeyID == "" || len(made.PublicKeyHash) != 64 {
		t.Fatalf("%s, %v", answer, err)
	}
	if list, err := c.PublicKeys(t.Context()); err != nil || !strings.Contains(string(list), made.PublicKeyID) {
		t.Errorf("%s, %v", list, err)
	}
	if shown, err := c.PublicKey(t.Context(), made.PublicKeyID); err != nil || !bytes.Equal(shown, key) {
		t.Errorf("%s, %v", shown, err)
	}
	if _, err := c.AddPublicKey(t.Context(), strings.NewReader("no key")); err == nil ||
		!strings.Contains(err.Error(), "key") {
		t.Errorf("no key: %v", err)
	}
	if err := c.DeletePublicKey(t.Context(), made.PublicKeyID); err != nil {
		t.Error(err)
	}
	if _, err := c.PublicKey(t.Context(), made.PublicKeyID); err == nil ||
		!strings.Contains(err.Error(), made.PublicKeyID) {
		t.Errorf("it is still there: %v", err)
	}
}

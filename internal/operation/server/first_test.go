package server_test

import (
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"parley/internal/operation/config"
	"parley/internal/operation/server"
	"parley/internal/storage/store"
	"parley/internal/testkit/pgtest"
	"parley/internal/testkit/servertest"
	"parley/internal/web/auth"
	"parley/internal/words/account"
	"parley/internal/words/fault"
)

func open(t *testing.T, settings config.Settings) (*server.Server, error) {
	t.Helper()
	return server.Open(t.Context(),
		server.Config{Settings: settings, Version: "test", Log: slog.New(slog.DiscardHandler)})
}

// admin reports whether a token has all scopes.
func admin(t *testing.T, s *server.Server, secret auth.Secret) bool {
	t.Helper()
	var token account.Token
	err := s.Store.View(t.Context(), func(tx *store.Tx) (err error) {
		token, _, err = tx.TokenByHash(secret.Hash())
		return err
	})
	if err != nil && !fault.Is(err, fault.NotFound) {
		t.Fatal(err)
	}
	return err == nil && token.Scopes.Has(account.Admin)
}

func TestAStartThatFailsLeavesTheAdminTokenToTheNext(t *testing.T) {
	dir := t.TempDir()
	settings := servertest.Settings(dir)
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	taken := settings
	taken.Listen = busy.Addr().String()
	if _, err := open(t, taken); err == nil || !strings.Contains(err.Error(), "--listen") {
		t.Fatalf("a port that is taken: %v", err)
	}
	badTLS := settings
	badTLS.TLSCert, badTLS.TLSKey = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for _, name := range []string{badTLS.TLSCert, badTLS.TLSKey} {
		if err := os.WriteFile(name, []byte("no PEM"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := open(t, badTLS); err == nil || !strings.Contains(err.Error(), "cert.pem") {
		t.Fatalf("a certificate that is none: %v", err)
	}
	s, err := open(t, settings)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if s.Secret == "" || !admin(t, s, s.Secret) {
		t.Error("the start that succeeds has no admin token")
	}
}

func TestAnAdminTokenThatWasNeverShownIsReplaced(t *testing.T) {
	settings := servertest.Settings(t.TempDir())
	first, err := open(t, settings)
	if err != nil {
		t.Fatal(err)
	}
	if err := first.Store.Update(t.Context(), func(tx *store.Tx) error { // back-date it by a minute
		noted, err := tx.Setting("first token")
		if err != nil {
			return err
		}
		id, _, _ := strings.Cut(string(noted), " ")
		return tx.SetSetting("first token", []byte(id+" "+time.Now().Add(-time.Minute).Format(time.RFC3339Nano)))
	}); err != nil {
		t.Fatal(err)
	}
	if err := first.Close(); err != nil { // simulates a crash before the token is printed
		t.Fatal(err)
	}
	second, err := open(t, settings)
	if err != nil {
		t.Fatal(err)
	}
	if second.Secret == "" || second.Secret == first.Secret || !admin(t, second, second.Secret) ||
		admin(t, second, first.Secret) {
		t.Error("there is no new token, or the one that nobody has seen still counts")
	}
	if err := second.TokenShown(t.Context()); err != nil {
		t.Fatal(err)
	}
	second.Close()
	third, err := open(t, settings)
	if err != nil {
		t.Fatal(err)
	}
	defer third.Close()
	if third.Secret != "" || !admin(t, third, second.Secret) {
		t.Error("a token that was shown is replaced")
	}
}

func TestServersWithRecordingsInDifferentFoldersDoNotShareADatabase(t *testing.T) {
	database := pgtest.URL(t)
	at := func(dir string) config.Settings {
		c := servertest.Settings(dir)
		c.Database = database
		return c
	}
	dir := t.TempDir()
	first, err := open(t, at(dir))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := open(t, at(t.TempDir())); err == nil || !strings.Contains(err.Error(), "--shared-blobs") {
		t.Errorf("another folder beside it: %v", err)
	}
	second, err := open(t, at(dir))
	if err != nil {
		t.Fatalf("the same folder: %v", err)
	}
	second.Close()
	first.Close()
	third, err := open(t, at(t.TempDir()))
	if err != nil {
		t.Fatalf("after both have ended: %v", err)
	}
	third.Close()
}

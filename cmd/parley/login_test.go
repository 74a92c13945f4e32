package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/internal/testkit/servertest"
	"parley/internal/words/account"
)

func TestAfterLoginNoCommandNeedsAToken(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: apiOnly})
	u := newUser(t)
	bare := strings.TrimPrefix(s.Base, "http://")
	u.refused(1, "parley login", "list", "--server", bare)
	if r := u.types(s.Token+"\n", "login", "--server", bare); r.code != 0 || strings.Contains(r.out+r.err, s.Token) {
		t.Fatalf("%+v", r)
	}
	u.must("list", "--server", s.Base+"/") // every way to write the address
	file := filepath.Join(u.home, "config", "parley", "credentials.json")
	info, err := os.Stat(file)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("%v, %v", info, err)
	}
	u.refused(1, "no token for http://127.0.0.2", "list", "--server", "127.0.0.2:1")
	if err := os.Chmod(file, 0o640); err != nil {
		t.Fatal(err)
	}
	u.refused(1, "chmod 600 "+file, "list", "--server", bare)
	u.env = append(u.env, "PARLEY_TOKEN="+s.Token)
	u.must("list", "--server", bare) // a given token needs no file
	u.env = u.env[:len(u.env)-1]
	if err := os.Chmod(file, 0o600); err != nil {
		t.Fatal(err)
	}
	u.must("logout", "--server", bare)
	u.refused(1, "no token", "list", "--server", bare)
}

func TestLoginKeepsNoTokenThatTheServerRefuses(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: apiOnly})
	u := newUser(t)
	if r := u.types("wrong\n", "login", "--server", s.Base); r.code != 1 || !strings.Contains(r.err, "HTTP 401") {
		t.Errorf("%+v", r)
	}
	if r := u.types("\n", "login", "--server", s.Base); r.code != 2 {
		t.Errorf("an empty one: %+v", r)
	}
	u.refused(1, "no token", "list", "--server", s.Base)
	narrow := s.As(t, "firm", account.Analytics)
	if r := u.types(narrow.Token, "login", "--server", s.Base); r.code != 0 {
		t.Errorf("a valid token that may not read media: %+v", r)
	}
	if out := u.must("usage", "--server", s.Base); !strings.HasPrefix(out, "WHEN") {
		t.Errorf("%q", out)
	}
}

package main

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"parley/internal/storage/store"
	"parley/internal/testkit/servertest"
	"parley/internal/web/auth"
	"parley/internal/words/account"
)

// followLink signs in with a link that a text contains, and returns the status and who has signed in.
func followLink(t *testing.T, s *servertest.Server, text string) (int, string) {
	t.Helper()
	_, secret, found := strings.Cut(text, "/ui/#/sign-in/")
	if !found {
		t.Fatalf("no link in %q", text)
	}
	secret, _, _ = strings.Cut(secret, "\n")
	a := s.With("").Do(t, http.MethodPost, "/ui/session", strings.NewReader(`{"link":"`+secret+`"}`))
	return a.Status, string(a.Body)
}

func TestALinkOfTheCommandLineSignsInOnceAndItsTokenEndsWithTheSession(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	u := newUser(t)
	made := u.types("", "token", "create", "--data", s.Dir, "--sign-in", "--scopes", "media:read", "--public-url",
		"https://calls.example.com/parley/")
	if made.code != 0 || !strings.HasPrefix(made.out, "https://calls.example.com/parley/ui/#/sign-in/parley_") ||
		strings.Count(made.out, "\n") != 1 || !strings.Contains(made.err, "once") {
		t.Fatalf("%+v", made)
	}
	status, who := followLink(t, s, made.out)
	if status != 200 || !strings.Contains(who, `"scopes":["media:read"]`) || !strings.Contains(who, `"sign-in"`) {
		t.Errorf("%d %s", status, who)
	}
	if status, who := followLink(t, s, made.out); status != 401 {
		t.Errorf("a second time: %d %s", status, who)
	}
	tokens, err := store.Read(t.Context(), s.Server.Store, func(tx *store.Tx) ([]account.Token, error) {
		return tx.Tokens(s.Account(t, account.DefaultName).ID)
	})
	if err != nil {
		t.Fatal(err)
	}
	last := tokens[len(tokens)-1]
	if left := time.Until(last.Expires); !last.Ephemeral || left < account.SessionLife ||
		left > account.SessionLife+account.LinkLife {
		t.Errorf("%+v", last)
	}
	if out := u.must("token", "create", "--data", s.Dir, "--sign-in"); !strings.HasPrefix(out, defaultServer+"/ui/#/") {
		t.Error(out)
	}
	u.refused(2, "--public-url", "token", "create", "--data", s.Dir, "--sign-in", "--public-url", "calls")
	line := fmt.Sprint(s.Get(t, "/v3/audit?action=create").JSON(t)["events"])
	if strings.Count(line, "profile/sign-in-links") != 2 || strings.Count(line, "object:profile/sessions") != 1 {
		t.Errorf("%s", line)
	}
}

func TestTheDemoEndsWithALinkAndHowToGetAnother(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	text, err := invitation(t.Context(), s.Server, auth.Secret(s.Token))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text, "\n  "+s.Base+"/ui/#/sign-in/") ||
		!strings.Contains(text, "parley token create --sign-in --data "+s.Dir+" --public-url "+s.Base+"\n") {
		t.Error(text)
	}
	if status, who := followLink(t, s, text); status != 200 || !strings.Contains(who, `"missingScopes":[]`) {
		t.Errorf("%d %s", status, who)
	}
}

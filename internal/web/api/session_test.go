package api_test

import (
	"database/sql"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/internal/operation/config"
	"parley/internal/storage/store"
	"parley/internal/testkit/pgtest"
	"parley/internal/testkit/servertest"
	"parley/internal/web/api"
	"parley/internal/web/auth"
	"parley/internal/words/account"
)

const (
	sessionPath  = "/ui/session"
	sessionsPath = "/v3/profile/sessions"
)

// browser returns a client that keeps cookies and sends no token.
func browser(t *testing.T, c *servertest.Client) *servertest.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	b := c.With("")
	b.HTTP = &http.Client{Transport: c.HTTP.Transport, Jar: jar}
	return b
}

func trySignIn(t *testing.T, b *servertest.Client, property, secret string) servertest.Answer {
	t.Helper()
	return b.Do(t, http.MethodPost, sessionPath, strings.NewReader(fmt.Sprintf(`{%q:%q}`, property, secret)))
}

// signedOut checks that nobody is signed in.
func signedOut(t *testing.T, c *servertest.Client) {
	t.Helper()
	if a := c.Get(t, sessionPath); a.Status != http.StatusNoContent {
		t.Errorf("%s: somebody is signed in", a)
	}
}

// signIn signs in with a key and a browser of its own, and returns the answer.
func signIn(t *testing.T, c *servertest.Client, key string) map[string]any {
	t.Helper()
	return ok(t, trySignIn(t, browser(t, c), "key", key)).JSON(t)
}

// signedIn returns a browser that has signed in with a key.
func signedIn(t *testing.T, c *servertest.Client, key string) *servertest.Client {
	t.Helper()
	b := browser(t, c)
	ok(t, trySignIn(t, b, "key", key))
	return b
}

// link makes a one-time link of a token and returns its secret.
func link(t *testing.T, s *servertest.Server, token string) string {
	t.Helper()
	secret := auth.NewSecret()
	err := s.Server.Store.Update(t.Context(), func(tx *store.Tx) error {
		kept, _, err := tx.TokenByHash(auth.Secret(token).Hash())
		if err != nil {
			return err
		}
		return tx.CreateLink(kept, secret.Hash())
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(secret)
}

// alter changes rows of a server's SQLite database directly.
func alter(t *testing.T, s *servertest.Server, statement string, args ...any) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(s.Dir, "parley.db")+"?_pragma=busy_timeout(10000)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	result, err := db.ExecContext(t.Context(), statement, args...)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := result.RowsAffected(); n == 0 || err != nil {
		t.Fatalf("%s changes %d rows (%v)", statement, n, err)
	}
}

func TestABrowserSignsInSeesWhoItIsAndSignsOut(t *testing.T) {
	t.Parallel()
	book := &logbook{}
	s := servertest.Start(t, servertest.Options{Log: book})
	secret := makeKey(t, s.Client, `{"description":"supervisor","scope":"media:read keys","ttlMillis":86400000}`)["bearerToken"].(string)
	b := browser(t, s.Client)
	signedOut(t, b)
	refused(t, b.Get(t, "/v3/media"), 401, 10002)
	a := ok(t, trySignIn(t, b, "key", secret))
	for _, path := range []string{"/v3/media", sessionsPath} {
		ok(t, b.Get(t, path))
	}
	refused(t, b.Get(t, "/v3/queue"), 403, 10006, "admin")
	who := ok(t, b.Get(t, sessionPath)).JSON(t)
	if fmt.Sprint(who) != fmt.Sprint(a.JSON(t)) {
		t.Errorf("signing in answered %s, reading it %v", a, who)
	}
	if at(t, who, "account", "name") != account.DefaultName || at(t, who, "key", "description") != "supervisor" ||
		at(t, who, "key", "lastSix") != secret[len(secret)-6:] || at(t, who, "server", "version") != "test" ||
		fmt.Sprint(who["scopes"], who["missingScopes"]) != "[media:read keys] [media:write definitions analytics admin]" {
		t.Errorf("%v", who)
	}
	if engines := at(t, who, "server", "engines").([]any); len(engines) == 0 ||
		len(at(t, engines[0], "languages").([]any)) == 0 {
		t.Errorf("engines %v", engines)
	}
	if who["finalExpirationDate"] != at(t, who, "key", "expirationDate") {
		t.Errorf("the session outlives its key: %v", who)
	}
	cookie := a.Header.Get("Set-Cookie")
	for _, part := range []string{"parley=parley_", "Path=/", "HttpOnly", "SameSite=Strict", "Max-Age=86"} {
		if !strings.Contains(cookie, part) || strings.Contains(cookie, "Secure") || strings.Contains(cookie, "Domain") {
			t.Errorf("cookie %s, want %s", cookie, part)
		}
	}
	if out := b.Do(t, http.MethodDelete, sessionPath, nil); out.Status != 204 ||
		!strings.Contains(out.Header.Get("Set-Cookie"), "Max-Age=0") {
		t.Errorf("%s %v", out, out.Header)
	}
	signedOut(t, b)
	value, _, _ := strings.Cut(strings.TrimPrefix(cookie, "parley="), ";")
	refused(t, s.With("").Get(t, "/v3/media", "Cookie", "parley="+value), 401, 95120, "ended")
	if a := b.Do(t, http.MethodDelete, sessionPath, nil); a.Status != 204 {
		t.Error(a)
	}
	for _, secret := range []string{secret, value} {
		if strings.Contains(book.text.String(), secret) || strings.Contains(string(a.Body), value) {
			t.Error("the log or the answer has a secret")
		}
	}
}

func TestTheCookieIsBoundToTheHostOverTLS(t *testing.T) {
	t.Parallel()
	public, err := url.Parse("https://calls.example.com/parley")
	if err != nil {
		t.Fatal(err)
	}
	s := servertest.Start(t, servertest.Options{Settings: func(c *config.Settings) { only(c); c.PublicURL = public }})
	a := ok(t, trySignIn(t, s.With(""), "key", s.Token))
	cookie := a.Header.Get("Set-Cookie")
	if !strings.HasPrefix(cookie, "__Host-parley=") || !strings.Contains(cookie, "; Secure") ||
		!strings.Contains(cookie, "Path=/;") || strings.Contains(cookie, "Domain") {
		t.Error(cookie)
	}
	value, _, _ := strings.Cut(strings.TrimPrefix(cookie, "__Host-parley="), ";")
	ok(t, s.With("").Get(t, "/v3/media", "Cookie", "__Host-parley="+value))
	refused(t, s.With("").Get(t, "/v3/media", "Cookie", "parley="+value), 401, 10002)
	// an old browser behind a proxy that replaces the host
	ok(t, s.With("").Get(t, "/v3/media", "Cookie", "__Host-parley="+value, "Origin", "https://calls.example.com"))
	refused(t, s.With("").Get(t, "/v3/media", "Cookie", "__Host-parley="+value, "Origin", "https://example.com"), 403,
		95123)
}

func TestASessionDoesWhatItsKeyDoesOnEveryRoute(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	id := s.Submit(t, recording)
	s.Await(t, id)
	for _, scopes := range append([]account.Scopes{account.AllScopes}, each(account.AllScopes)...) {
		key, _ := s.NewToken(t, s.Account(t, account.DefaultName), time.Time{}, scopes...)
		b := signedIn(t, s.Client, key)
		for _, r := range api.Routes() {
			with, in := call(t, s, s.With(key), r, id), call(t, s, b, r, id)
			again := with.Status == 200 && in.Code(t) == 95004 // what the key began is not done yet
			if (with.Status != in.Status || with.Code(t) != in.Code(t)) && !again {
				t.Errorf("%s %s with %s: with the key %s, in its session %s", r.Method, r.Path, scopes, with, in)
			}
		}
		ok(t, browser(t, s.Client).Do(t, http.MethodGet, "/v3/media", nil, "Authorization", "Bearer "+s.Token))
	}
}

// each returns the sets of a single scope.
func each(scopes account.Scopes) (sets []account.Scopes) {
	for _, s := range scopes {
		sets = append(sets, account.Scopes{s})
	}
	return sets
}

// forgeries are the headers with which browsers send what a page of another origin asks for.
var forgeries = map[string][]string{
	"another site":                     {"Sec-Fetch-Site", "cross-site", "Origin", "https://evil.example"},
	"another site, without its origin": {"Sec-Fetch-Site", "cross-site"},
	"another port of the host":         {"Sec-Fetch-Site", "same-site"},
	"an old browser":                   {"Origin", "https://evil.example"},
	"a page without an origin":         {"Origin", "null"},
}

func TestForgedRequestsOfOtherSitesChangeNothingAndReadNothing(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: func(c *config.Settings) {
		c.AllowOrigins = []string{"https://evil.example"} // may call the API with a token
	}})
	id := s.Submit(t, recording)
	s.Await(t, id)
	b := signedIn(t, s.Client, s.Token)
	before := rows(t, s)
	forged := 0
	for _, r := range append(api.Routes(), api.SignInRoutes()...) {
		if needed(r) == "" && r.Path != sessionPath {
			continue
		}
		for how, headers := range forgeries {
			a := b.Do(t, r.Method, fill(r.Path, id), nil, headers...)
			if a.Status != 403 || a.Code(t) != 95123 {
				t.Errorf("%s %s of %s: %s", r.Method, r.Path, how, a)
			}
			if a.Header.Get("Access-Control-Allow-Credentials") != "" {
				t.Errorf("%s %s: browsers may send cookies to it", r.Method, r.Path)
			}
			forged++
		}
	}
	if forged < 300 {
		t.Fatalf("only %d requests were forged", forged)
	}
	after := rows(t, s)
	delete(before, "audit")
	for table, n := range before {
		if after[table] != n {
			t.Errorf("table %s has %d rows, before %d", table, after[table], n)
		}
	}
	stream := "/v3/media/" + id + "/streams/original"
	for how, headers := range map[string][]string{
		"a page": {"Sec-Fetch-Site", "same-origin"}, "the address bar": {"Sec-Fetch-Site", "none"},
		"a page in an old browser": {"Origin", b.Base}, "an old browser": nil,
	} {
		ok(t, b.Get(t, stream, headers...))
		ok(t, b.Get(t, sessionPath, headers...))
		if a := save(t, b, "products", products, headers...); a.Status != 200 {
			t.Errorf("%s: %s", how, a)
		}
	}
	if a := b.Get(t, stream, "Range", "bytes=0-9", "Sec-Fetch-Site", "same-origin"); a.Status != 206 ||
		len(a.Body) != 10 || a.Header.Get("Cache-Control") != "no-store, no-transform" {
		t.Errorf("%s %v", a, a.Header)
	}
	ok(t, s.Get(t, "/v3/media", forgeries["another site"]...)) // a token is no cookie: nobody can forge it
	preflight := b.Do(t, http.MethodOptions, "/v3/media", nil, "Origin", "https://evil.example",
		"Access-Control-Request-Method", "DELETE")
	if preflight.Header.Get("Access-Control-Allow-Origin") == "" ||
		preflight.Header.Get("Access-Control-Allow-Credentials") != "" {
		t.Errorf("%v", preflight.Header)
	}
}

func TestOnlyOneOfManyBrowsersSignsInWithALink(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	key, id := s.NewToken(t, s.Account(t, account.DefaultName), time.Time{}, account.MediaRead)
	secret := link(t, s, key)
	refused(t, s.With(secret).Get(t, "/v3/media"), 401, 10003)
	var group sync.WaitGroup
	statuses := make([]int, 8)
	for i := range statuses {
		group.Go(func() { statuses[i] = trySignIn(t, browser(t, s.Client), "link", secret).Status })
	}
	group.Wait()
	slices.Sort(statuses)
	if statuses[0] != 200 || statuses[1] != 401 {
		t.Errorf("%v", statuses)
	}
	listed := ok(t, s.Get(t, sessionsPath)).JSON(t)["sessions"].([]any)
	if len(listed) != 1 || at(t, listed[0], "keyId") != id || at(t, listed[0], "current") != false {
		t.Errorf("%v", listed)
	}
	alter(t, s, `DELETE FROM session`)
	late := link(t, s, key)
	alter(t, s, `UPDATE sign_in_link SET expires = $1`, time.Now().Add(-time.Second).UnixMicro())
	refused(t, trySignIn(t, s.With(""), "link", late), 401, 95122, "--sign-in")
	ofRevoked := link(t, s, key)
	s.Revoke(t, s.Account(t, account.DefaultName), id)
	refused(t, trySignIn(t, s.With(""), "link", ofRevoked), 401, 95122)
}

func TestSignInNeedsAKeyOrALink(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	own := s.Account(t, account.DefaultName)
	expired, _ := s.NewToken(t, own, time.Now().Add(-time.Second), account.AllScopes...)
	refused(t, trySignIn(t, s.With(""), "key", expired), 401, 10003)
	refused(t, trySignIn(t, s.With(""), "key", "parley_x"), 401, 10003)
	refused(t, trySignIn(t, s.With(""), "link", s.Token), 401, 95122)
	refused(t, trySignIn(t, s.With(""), "token", s.Token), 400, 10008)
	for _, body := range []string{"", "{}", "[]", `{"key":1}`, `{"key":"a","link":"b"}`, "key"} {
		s := servertest.Start(t, servertest.Options{Settings: only})
		refused(t, s.With("").Do(t, "POST", sessionPath, strings.NewReader(body)), 400, 95121)
		refused(t, s.With("").Do(t, "POST", sessionPath, strings.NewReader(body+strings.Repeat(" ", 5000))), 413, 10800)
		refused(t, s.With("").Do(t, "POST", sessionPath+"?key=x", strings.NewReader(body)), 400, 95002)
	}
}

func TestASessionEndsWithItsTimeAndItsKey(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	own := s.Account(t, account.DefaultName)
	ago := func(d time.Duration) int64 { return time.Now().Add(-d).UnixMicro() }
	for how, end := range map[string]func(t *testing.T, session, key string){
		"not used for 12 hours": func(t *testing.T, session, _ string) {
			alter(t, s, `UPDATE session SET last_used = $1 WHERE id = $2`, ago(account.SessionIdle), session)
		},
		"older than 7 days": func(t *testing.T, session, _ string) {
			alter(t, s, `UPDATE session SET created = $1 WHERE id = $2`, ago(account.SessionLife), session)
		},
		"its key has expired": func(t *testing.T, _, key string) {
			alter(t, s, `UPDATE token SET expires = $1 WHERE id = $2`, ago(0), key)
		},
		"its key is revoked": func(t *testing.T, _, key string) { s.Revoke(t, own, key) },
		"ended by the API": func(t *testing.T, session, _ string) {
			if a := s.Do(t, http.MethodDelete, sessionsPath+"/"+session, nil); a.Status != 204 {
				t.Fatal(a)
			}
			refused(t, s.Do(t, http.MethodDelete, sessionsPath+"/"+session, nil), 404, 95120, session)
		},
	} {
		secret, key := s.NewToken(t, own, time.Time{}, account.AllScopes...)
		b := browser(t, s.Client)
		session := at(t, ok(t, trySignIn(t, b, "key", secret)).JSON(t), "sessionId").(string)
		alter(t, s, `UPDATE session SET created = $1, last_used = $2 WHERE id = $3`, ago(account.SessionLife-time.Hour),
			ago(account.SessionIdle-time.Hour), session)
		ok(t, b.Get(t, "/v3/media"))
		ok(t, s.Get(t, "/v3/audit")) // writes when the session was used, before its end
		listed := fmt.Sprint(ok(t, s.Get(t, sessionsPath)).JSON(t))
		end(t, session, key)
		refused(t, b.Get(t, "/v3/media"), 401, 95120)
		signedOut(t, b)
		left := fmt.Sprint(ok(t, s.Get(t, sessionsPath)).JSON(t))
		if !strings.Contains(listed, session) || strings.Contains(left, session) {
			t.Errorf("%s: it was listed in %s, then in %s", how, listed, left)
		}
	}
	other := s.As(t, "other", account.AllScopes...)
	b := signedIn(t, other, other.Token)
	ok(t, b.Get(t, "/v3/media"))
	s.Disable(t, s.Account(t, "other"))
	refused(t, b.Get(t, "/v3/media"), 401, 95120)
}

func TestRevokingAKeyEndsItsSessionsOnOtherNodesAtOnce(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	shared := func(c *config.Settings) { c.Database, c.Role = url, config.RoleAPI }
	first := servertest.Start(t, servertest.Options{Settings: shared})
	second := servertest.Start(t, servertest.Options{Dir: first.Dir, Settings: shared})
	made := makeKey(t, first.Client, `{}`)
	b := browser(t, second.Client)
	session := at(t, ok(t, trySignIn(t, b, "key", made["bearerToken"].(string))).JSON(t), "sessionId").(string)
	onFirst := *b
	onFirst.Base = first.Base // cookies count for a host with all its ports
	ok(t, onFirst.Get(t, "/v3/media"))
	ok(t, b.Get(t, "/v3/media"))
	if a := first.Do(t, "DELETE", "/v3/profile/keys/"+made["id"].(string), nil); a.Status != 204 {
		t.Fatal(a)
	}
	refused(t, b.Get(t, "/v3/media"), 401, 95120)
	refused(t, first.Do(t, "DELETE", sessionsPath+"/"+session, nil), 404, 95120)
	ok(t, trySignIn(t, b, "key", first.Token))
	if a := onFirst.Do(t, "DELETE", sessionPath, nil); a.Status != 204 {
		t.Fatal(a)
	}
	refused(t, b.Get(t, "/v3/media"), 401, 10002)
	for _, secret := range []string{link(t, first, first.Token), link(t, second, first.Token)} {
		ok(t, trySignIn(t, browser(t, second.Client), "link", secret))
		refused(t, trySignIn(t, browser(t, first.Client), "link", secret), 401, 95122)
	}
}

func TestAKeyHasABoundedNumberOfSessions(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	idle, busy := signedIn(t, s.Client, s.Token), signedIn(t, s.Client, s.Token)
	id := at(t, ok(t, busy.Get(t, sessionPath)).JSON(t), "sessionId")
	alter(t, s, `UPDATE session SET last_used = last_used - 1000000`)
	alter(t, s, `UPDATE session SET last_used = last_used + 1000000 WHERE id = $1`, id)
	for range account.MaxSessions - 1 {
		signIn(t, s.Client, s.Token)
	}
	refused(t, idle.Get(t, "/v3/media"), 401, 95120)
	ok(t, busy.Get(t, "/v3/media"))
	if n := rows(t, s)["session"]; n != account.MaxSessions {
		t.Errorf("%d sessions", n)
	}
	ok(t, trySignIn(t, busy, "key", s.Token)) // takes the place of the one that the browser has
	if n := rows(t, s)["session"]; n > account.MaxSessions {
		t.Errorf("%d sessions", n)
	}
}

func TestSigningInAgainEndsTheSessionOfTheBrowser(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	b := signedIn(t, s.Client, s.Token)
	other := s.As(t, "other", account.AllScopes...)
	ok(t, trySignIn(t, b, "key", other.Token))
	if n := rows(t, s)["session"]; n != 1 {
		t.Errorf("%d sessions", n)
	}
	refused(t, trySignIn(t, b, "key", "parley_wrong"), 401, 10003)
	if who := ok(t, b.Get(t, sessionPath)).JSON(t); at(t, who, "account", "name") != "other" {
		t.Errorf("%v", who)
	}
}

func TestAnAddressThatFailsToSignInTenTimesWaits(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	for range 15 { // they succeed, so they do not count
		signIn(t, s.Client, s.Token)
	}
	for range 10 {
		refused(t, trySignIn(t, s.With(""), "key", "parley_guess"), 401, 10003)
	}
	a := trySignIn(t, s.With(""), "key", s.Token)
	refused(t, a, 429, 95040, "failed attempts", "127.0.0.1")
	if wait, err := strconv.Atoi(a.Header.Get("Retry-After")); err != nil || wait < 1 || wait > 6 {
		t.Errorf("Retry-After %q", a.Header.Get("Retry-After"))
	}
	ok(t, s.Get(t, "/v3/media")) // the API is not concerned
}

func TestTheAuditLogNamesTheSessionOfABrowser(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	key, token := s.NewToken(t, s.Account(t, account.DefaultName), time.Time{}, account.AllScopes...)
	b := browser(t, s.Client)
	in := ok(t, trySignIn(t, b, "key", key))
	session := in.JSON(t)["sessionId"]
	if n := linesOf(t, s, in.Header.Get("X-Request-Id")); n != 1 {
		t.Errorf("%d lines about the sign-in when it is answered", n)
	}
	read := ok(t, b.Get(t, "/v3/media"))
	denied := b.Get(t, "/v3/media/"+noMedia)
	for _, want := range []struct {
		a                       servertest.Answer
		action, object, outcome string
		name                    any
	}{
		{in, "create", "profile/sessions", "done", session},
		{read, "read", "media", "done", nil},
		{denied, "read", "media", "refused", nil},
		{b.Do(t, "DELETE", sessionPath, nil), "delete", "profile/sessions", "done", session},
	} {
		line := lineAbout(t, s.Client, want.a.Header.Get("X-Request-Id"))
		if line["action"] != want.action || line["object"] != want.object || line["outcome"] != want.outcome ||
			line["name"] != want.name || line["sessionId"] != session || line["tokenId"] != token || line["by"] != "token" {
			t.Errorf("%v, want %v", line, want)
		}
	}
	plain := ok(t, s.With(key).Get(t, "/v3/media"))
	if line := lineAbout(t, s.Client, plain.Header.Get("X-Request-Id")); line["sessionId"] != nil {
		t.Errorf("%v", line)
	}
}

func TestASessionNotesItsUseAtMostOnceAMinute(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	b := signedIn(t, s.Client, s.Token)
	used := func() any {
		ok(t, b.Get(t, "/v3/media"))
		ok(t, b.Get(t, "/v3/audit")) // writes what was used
		for _, one := range ok(t, s.Get(t, sessionsPath)).JSON(t)["sessions"].([]any) {
			return at(t, one, "lastUsed")
		}
		return nil
	}
	first := used()
	if again := used(); again != first {
		t.Errorf("used at %v, then at %v", first, again)
	}
	alter(t, s, `UPDATE session SET last_used = last_used - 120000000`)
	old := ok(t, s.Get(t, sessionsPath)).JSON(t)["sessions"].([]any)[0]
	if later := used(); later == at(t, old, "lastUsed") {
		t.Errorf("two minutes later it was used at %v", later)
	}
}

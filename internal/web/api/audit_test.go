package api_test

import (
	"database/sql"
	"fmt"
	"net/http"
	"net/netip"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/internal/operation/config"
	"parley/internal/testkit/servertest"
	"parley/internal/web/api"
	"parley/internal/words/account"
)

// audited returns the audit events that match a query, newest first.
func audited(t *testing.T, c *servertest.Client, query string) (lines []map[string]any) {
	t.Helper()
	for _, line := range ok(t, c.Get(t, "/v3/audit"+query)).JSON(t)["events"].([]any) {
		lines = append(lines, line.(map[string]any))
	}
	return lines
}

// lineAbout waits for the event of a request: reads are recorded while the answer is sent.
func lineAbout(t *testing.T, c *servertest.Client, reference string) map[string]any {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		for _, line := range audited(t, c, "") {
			if line["reference"] == reference {
				return line
			}
		}
		select {
		case <-t.Context().Done():
			t.Fatalf("the audit log has no line about %s", reference)
		case <-tick.C:
		}
	}
}

var braces = regexp.MustCompile(`/\{[^}]*\}`)

func TestEveryRouteToAResourceIsInTheAuditLog(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	id := s.Submit(t, recording)
	s.Await(t, id)
	secret, token := s.NewToken(t, s.Account(t, account.DefaultName), time.Time{}, account.AllScopes...)
	mine := s.With(secret)
	ok(t, s.Get(t, changesPath+"?after=0&wait=30"))
	for _, r := range api.Routes() {
		if needed(r) == "" || r.Path == "/v3" || strings.HasSuffix(r.Path, "/progress") || r.Path == checkPath {
			continue
		}
		answer := call(t, s, mine, r, id)
		line := lineAbout(t, s.Client, answer.Header.Get("X-Request-Id"))
		action := map[string]string{"GET": "read", "POST": "create", "PUT": "change", "DELETE": "delete"}[r.Method]
		if r.Method == "POST" && strings.Contains(r.Path, "{") {
			action = "change"
		}
		if r.Method == "POST" && needed(r) == account.Analytics { // a query
			action = "read"
		}
		outcome, code := "done", any(nil)
		if answer.Status >= 400 {
			outcome, code = "refused", float64(answer.Code(t))
		}
		if line["action"] != action || line["outcome"] != outcome || line["code"] != code || line["tokenId"] != token ||
			line["by"] != "token" || line["remoteAddress"] != "127.0.0.1" {
			t.Errorf("%s %s: %v", r.Method, r.Path, line)
		}
		if at, err := time.Parse(time.RFC3339, line["time"].(string)); err != nil || time.Since(at) > time.Minute ||
			time.Until(at) > 0 {
			t.Errorf("%s %s was at %v", r.Method, r.Path, line["time"])
		}
		about := strings.Contains(r.Path, "{mediaId}") || r.Method+r.Path == "POST/v3/media"
		if (line["mediaId"] != nil) != about ||
			line["object"] != braces.ReplaceAllString(strings.TrimPrefix(r.Path, "/v3/"), "") {
			t.Errorf("%s %s: %v", r.Method, r.Path, line)
		}
	}
}

func TestRefusedRequestsAreInTheAuditLogOfWhoSentThem(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	id := s.Submit(t, recording)
	other := s.As(t, "other", account.AllScopes...)
	for _, a := range []servertest.Answer{other.Get(t, "/v3/media/"+id), other.Do(t, "DELETE", "/v3/media/"+id, nil)} {
		line := lineAbout(t, other, a.Header.Get("X-Request-Id"))
		if line["outcome"] != "refused" || line["code"] != 10205. || line["mediaId"] != id {
			t.Errorf("%v", line)
		}
	}
	for _, line := range audited(t, s.Client, "") {
		if line["outcome"] != "done" {
			t.Errorf("the owner sees %v", line)
		}
	}
	before := len(audited(t, s.Client, "?limit=1000"))
	s.With("").Get(t, "/v3/media")
	s.With("parley_x").Get(t, "/v3/media/"+id)
	if after := len(audited(t, s.Client, "?limit=1000")); after != before+1 { // the request that counts them
		t.Errorf("%d lines, before %d", after, before)
	}
}

func TestSignedAddressesAreInTheAuditLog(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	id := s.Submit(t, recording)
	a := s.With("").Get(t, location(t, s.Client, id))
	if line := lineAbout(t, s.Client, a.Header.Get("X-Request-Id")); line["by"] != "signedUrl" ||
		line["tokenId"] != nil || line["mediaId"] != id || line["name"] != "original" {
		t.Errorf("%v", line)
	}
}

// linesOf reads the table without a request to the server, so that the server does not write pending events.
func linesOf(t *testing.T, s *servertest.Server, reference string) (n int) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(s.Dir, "parley.db")+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRow(`SELECT COUNT(*) FROM audit WHERE reference = $1`, reference).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestChangesAreNotedBeforeTheyAreAnswered(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	id := s.Submit(t, recording)
	key := makeKey(t, s.Client, `{}`)["id"].(string)
	form, contentType := servertest.Form(t, recording)
	for _, a := range []servertest.Answer{
		s.Do(t, "POST", "/v3/media", strings.NewReader(string(form)), "Content-Type", contentType),
		save(t, s.Client, "products", products),
		s.Do(t, "DELETE", "/v3/definition/vocabularies/products", nil),
		s.Do(t, "POST", "/v3/profile/keys", strings.NewReader("{}")),
		s.Do(t, "DELETE", "/v3/profile/keys/"+key, nil),
		s.Do(t, "DELETE", "/v3/media/"+id, nil),
	} {
		if n := linesOf(t, s, a.Header.Get("X-Request-Id")); n != 1 || a.Status/100 != 2 {
			t.Errorf("%d lines about %s", n, a)
		}
	}
	deleted := audited(t, s.Client, "?action=delete&mediaId="+id)
	if len(deleted) != 1 || deleted[0]["object"] != "media" {
		t.Errorf("about the deletion: %v", deleted)
	}
}

func TestAuditLogHasNothingOfTheContents(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	id := s.Submit(t, recording, servertest.Field("metadata", `{"externalId":"hunter2","title":"hunter2"}`))
	s.Await(t, id)
	s.Get(t, "/v3/media?externalId=hunter2")
	s.Get(t, "/v3/media/"+id+"/metadata")
	s.Do(t, "PUT", "/v3/definition/vocabularies/products", strings.NewReader(`{"terms":[{"term":"hunter2"}]}`))
	secret := makeKey(t, s.Client, `{"description":"hunter2"}`)["bearerToken"].(string)
	s.With(secret).Get(t, location(t, s.Client, id))
	text := fmt.Sprint(audited(t, s.Client, "?limit=1000"))
	for _, word := range []string{"hunter2", secret, s.Token, "signature"} {
		if strings.Contains(text, word) {
			t.Errorf("the audit log has %.10s…", word)
		}
	}
}

func TestAuditLogIsReadInPages(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	for range 5 {
		s.Get(t, "/v3/media")
	}
	audited(t, s.Client, "") // flushes all events
	for _, order := range []string{"asc", "desc"} {
		var all []string
		next := "/v3/audit?limit=2&action=read&onOrAfterDate=2020-01-01&sortOrder=" + order
		for pages := 0; next != "" && len(all) < 6; pages++ {
			body := ok(t, s.Get(t, next)).JSON(t)
			for _, line := range body["events"].([]any) {
				all = append(all, at(t, line, "id").(string))
			}
			next, _ = at(t, body, "_links", "next", "href").(string)
		}
		sorted := slices.Clone(all)
		slices.Sort(sorted)
		if order == "desc" {
			slices.Reverse(sorted)
		}
		if !slices.Equal(all, sorted) || len(slices.Compact(sorted)) != 6 {
			t.Errorf("%s: %v", order, all)
		}
	}
	for _, query := range []string{"?action=peek", "?mediaId=x", "?after=x", "?before=", "?limit=0", "?limit=1001",
		"?sortOrder=up", "?onOrAfterDate=soon", "?user=x", "?tokenId=a&tokenId=b"} {
		refused(t, s.Get(t, "/v3/audit"+query), 400, 95002)
	}
	if lines := audited(t, s.Client, "?onOrBeforeDate=2020-01-01"); len(lines) != 0 {
		t.Errorf("%v", lines)
	}
}

func TestLastUseOfAKeyIsNotedBehindTheRequest(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	made := makeKey(t, s.Client, `{}`)
	s.With(made["bearerToken"].(string)).Get(t, "/v3/media")
	audited(t, s.Client, "")
	if key := ok(t, s.Get(t, "/v3/profile/keys/"+made["id"].(string))).JSON(t); key["lastUsed"] == nil {
		t.Errorf("%v", key)
	}
}

func TestAddressIsThatOfTheClientBehindTrustedProxiesAlone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ trusted, forwarded, want string }{
		{"", "198.51.100.7", "127.0.0.1"},
		{"127.0.0.0/8", "198.51.100.7", "198.51.100.7"},
		{"127.0.0.0/8", "203.0.113.9, 198.51.100.7", "198.51.100.7"}, // the first address is what the client claimed
		{"127.0.0.0/8,198.51.100.0/24", "203.0.113.9, 198.51.100.7", "203.0.113.9"},
		{"127.0.0.0/8", "nonsense", "127.0.0.1"},
		{"127.0.0.0/8", "2001:db8::1", "2001:db8::1"},
	} {
		s := servertest.Start(t, servertest.Options{Settings: func(s *config.Settings) {
			only(s)
			for _, prefix := range strings.FieldsFunc(c.trusted, func(r rune) bool { return r == ',' }) {
				s.TrustedProxies = append(s.TrustedProxies, netip.MustParsePrefix(prefix))
			}
		}})
		a := s.Do(t, http.MethodGet, "/v3/media", nil, "X-Forwarded-For", c.forwarded)
		if line := lineAbout(t, s.Client, a.Header.Get("X-Request-Id")); line["remoteAddress"] != c.want {
			t.Errorf("%+v: %v", c, line["remoteAddress"])
		}
	}
}

package api_test

import (
	"bytes"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/internal/testkit/servertest"
	"parley/internal/web/api"
	"parley/internal/words/account"
)

// needed returns the scope that a route requires; empty for open routes. Streams check it themselves, since a signed
// URL needs no token.
func needed(r api.Route) account.Scope {
	if strings.HasSuffix(r.Path, "/streams/{streamName}") {
		return account.MediaRead
	}
	return r.Scope
}

// call sends a well-formed request to a route, for an item made for it.
func call(t *testing.T, s *servertest.Server, c *servertest.Client, r api.Route, id string) servertest.Answer {
	t.Helper()
	switch {
	case strings.Contains(r.Path, "{vocabularyName}"):
		ok(t, save(t, s.Client, "products", products))
	case strings.Contains(r.Path, "{callbackId}"):
		s.Deliver(t, account.DefaultName, id, "msg_1")
	case strings.Contains(r.Path, "{retryId}"):
		id = belongings["{retryId}"].make(t, s)
	case strings.Contains(r.Path, "{publicKeyId}"):
		id = belongings["{publicKeyId}"].make(t, s)
	case strings.HasSuffix(r.Path, "/encrypted"):
		id = s.Seal(t, account.DefaultName, []byte("document"), []byte("stream"))
	case strings.Contains(r.Path, "{secretId}"):
		id = belongings["{secretId}"].make(t, s)
	case strings.Contains(r.Path, "{sessionId}"):
		id = belongings["{sessionId}"].make(t, s)
	case strings.Contains(r.Path, "{keyId}"):
		_, id = s.NewToken(t, s.Account(t, account.DefaultName), time.Time{}, account.MediaRead)
	case strings.Contains(r.Path, "{queryName}"):
		ok(t, s.Do(t, http.MethodPut, queriesPath+"/all", category("*")))
	case strings.Contains(r.Path, "{categoryName}"):
		ok(t, s.Do(t, http.MethodPut, categoriesPath+"/at-risk", category("*")))
	case strings.Contains(r.Path, "{presetName}"):
		belongings["{presetName}"].make(t, s)
	case strings.Contains(r.Path, "{dashboardName}"):
		belongings["{dashboardName}"].make(t, s)
	case strings.Contains(r.Path, "{classifierId}"):
		id = ok(t, s.Do(t, http.MethodPost, classifiers, strings.NewReader(trainingSet("intent")))).JSON(
			t)["classifierId"].(string)
	case strings.Contains(r.Path, "{groupName}"):
		ok(t, s.Do(t, http.MethodPut, groups+"/cancellation", strings.NewReader(cancellation)))
	case r.Method == http.MethodDelete:
		id = s.Submit(t, recording)
	}
	return about(t, c, r, id)
}

func about(t *testing.T, c *servertest.Client, r api.Route, id string) servertest.Answer {
	t.Helper()
	var body io.Reader
	var headers []string
	if r.Method == http.MethodPost && r.Path == "/v3/media" {
		form, contentType := servertest.Form(t, recording)
		body, headers = bytes.NewReader(form), []string{"Content-Type", contentType}
	}
	if r.Method == http.MethodPost && r.Path == classifiers {
		body = strings.NewReader(trainingSet("theirs"))
	}
	if r.Method == http.MethodPost && (strings.HasPrefix(r.Path, "/v3/analytics/") || r.Path == whyPath) {
		body = strings.NewReader(`{"query":"*"}`)
		switch r.Path {
		case vbqlPath:
			body = strings.NewReader("*")
		case explorePath:
			body = strings.NewReader(`{"where":"*"}`)
		}
		headers = []string{"Content-Type", "application/json"}
	}
	if r.Method == http.MethodPost && r.Path == publicKeys {
		body = strings.NewReader(publicKey)
	}
	if r.Method == http.MethodPost && r.Path == "/v3/profile/keys" {
		body = strings.NewReader("{}")
	}
	if r.Method == http.MethodPost && r.Path == "/v3/media/{mediaId}" {
		form, contentType := servertest.Form(t)
		body, headers = bytes.NewReader(form), []string{"Content-Type", contentType}
	}
	if r.Method == http.MethodPut {
		body = strings.NewReader(bodyFor(r.Path))
	}
	return c.Do(t, r.Method, fill(r.Path, id), body, headers...)
}

// showsOnlyContents reports whether a route has nothing for tokens that may see figures alone.
func showsOnlyContents(r api.Route) bool { return r.Path == wordsPath }

// bodyFor returns a body that is valid in a PUT to a path.
func bodyFor(path string) string {
	switch {
	case strings.Contains(path, "{groupName}"):
		return cancellation
	case strings.Contains(path, "{categoryName}"), strings.Contains(path, "{queryName}"):
		return `{"query":"*"}`
	case strings.Contains(path, "{presetName}"):
		return support
	case strings.Contains(path, "{dashboardName}"):
		return volume
	case strings.HasSuffix(path, "/media/search"):
		return `{"fields":["extended.theirs"]}`
	case strings.HasSuffix(path, "/metadata"):
		return `{"externalId":"theirs"}`
	}
	return products
}

func TestEveryRouteAsksForItsScopeAlone(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	id := s.Submit(t, recording)
	s.Await(t, id)
	for _, r := range api.Routes() {
		if strings.HasPrefix(r.Path, "/v3") != (needed(r) != "") {
			t.Errorf("%s %s asks for the scope %q", r.Method, r.Path, needed(r))
		}
		// The resource of a route exists, except for jobs and definitions, for which only the token is checked.
		about := !strings.Contains(r.Path, "{jobId}") && !strings.Contains(r.Path, "/definition/")
		for _, scope := range account.AllScopes {
			a := call(t, s, s.As(t, account.DefaultName, scope), r, id)
			switch {
			case needed(r) == scope && showsOnlyContents(r):
				refused(t, a, 403, 10006, string(account.MediaRead))
			case needed(r) == "" || needed(r) == scope:
				if a.Status/100 != 2 && (about || a.Status == 401 || a.Status == 403 || a.Status >= 500) {
					t.Errorf("%s %s with %s: %s", r.Method, r.Path, scope, a)
				}
			default:
				refused(t, a, 403, 10006, string(scope), string(needed(r)))
			}
		}
	}
}

func TestNoRouteIsOpenToAllOtherScopesTogether(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	id := s.Submit(t, recording)
	s.Await(t, id)
	for _, owner := range []string{account.DefaultName, "other"} {
		for _, r := range api.Routes() {
			if needed(r) == "" {
				continue
			}
			others := slices.DeleteFunc(slices.Clone(account.AllScopes), func(s account.Scope) bool {
				return s == needed(r)
			})
			refused(t, call(t, s, s.As(t, owner, others...), r, id), 403, 10006, string(needed(r)))
			if a := about(t, s.As(t, owner), r, id); a.Status != 403 {
				t.Errorf("%s %s with a token of %s without scopes: %s", r.Method, r.Path, owner, a)
			}
		}
	}
}

func TestEveryRouteRefusesTokensThatAreNotValid(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	id := s.Submit(t, recording)
	s.Await(t, id)
	own := s.Account(t, account.DefaultName)
	expired, _ := s.NewToken(t, own, time.Now().Add(-time.Second), account.AllScopes...)
	revoked, revokedID := s.NewToken(t, own, time.Time{}, account.AllScopes...)
	s.Revoke(t, own, revokedID)
	disabled := s.As(t, "disabled", account.AllScopes...)
	s.Disable(t, s.Account(t, "disabled"))
	valid, _ := s.NewToken(t, own, time.Now().Add(time.Hour), account.AllScopes...)
	s.Ready(t, 200)
	for _, r := range api.Routes() {
		for name, c := range map[string]*servertest.Client{
			"expired": s.With(expired), "revoked": s.With(revoked), "disabled": disabled,
			"garbage": s.With("parley_garbage"), "cut": s.With(valid[:len(valid)-1]),
		} {
			switch a := about(t, c, r, id); {
			case needed(r) == "" && a.Status == 200:
			case needed(r) == "" || a.Status != 401 || a.Code(t) != 10003 ||
				!strings.HasPrefix(a.Header.Get("WWW-Authenticate"), "Bearer"):
				t.Errorf("%s %s with a token that is %s: %s", r.Method, r.Path, name, a)
			}
		}
		if needed(r) == "" {
			continue
		}
		refused(t, about(t, s.With(""), r, id), 401, 10002, "Bearer")
		refused(t, s.With("").Do(t, r.Method, fill(r.Path, id), nil, "Authorization", "Basic YTpi"), 401, 10003,
			"Bearer")
		if a := call(t, s, s.With(valid), r, id); a.Status == 401 || a.Status == 403 {
			t.Errorf("%s %s with a valid token: %s", r.Method, r.Path, a)
		}
	}
	ok(t, s.Get(t, "/v3/media/"+id))
}

// belonging is a parameter of a path and the resource that it names, which belongs to an account.
type belonging struct {
	make func(t *testing.T, s *servertest.Server) (id string) // for the default account; nil: belongs to no account
	show string                                               // path at which the owner sees it, with the parameter
	name bool                                                 // a name that each account can use for its own
}

// belongings lists all path parameters. A route with another parameter fails the test that iterates over the routes.
var belongings = map[string]belonging{
	"{mediaId}": {make: func(t *testing.T, s *servertest.Server) string {
		id := s.Submit(t, recording, servertest.Field("metadata", `{"externalId":"mine","extended":{"a":"mine"}}`))
		s.Await(t, id)
		return id
	}, show: "/v3/media/{mediaId}/metadata"},
	"{vocabularyName}": {make: func(t *testing.T, s *servertest.Server) string {
		ok(t, save(t, s.Client, "products", products))
		return "products"
	}, show: vocabularies + "/{vocabularyName}", name: true},
	"{groupName}": {make: func(t *testing.T, s *servertest.Server) string {
		ok(t, s.Do(t, http.MethodPut, groups+"/cancellation", strings.NewReader(cancellation)))
		return "cancellation"
	}, show: groups + "/{groupName}", name: true},
	"{queryName}": {make: func(t *testing.T, s *servertest.Server) string {
		ok(t, s.Do(t, http.MethodPut, queriesPath+"/all", category("*")))
		return "all"
	}, show: queriesPath + "/{queryName}", name: true},
	"{presetName}": {make: func(t *testing.T, s *servertest.Server) string {
		ok(t, s.Do(t, http.MethodPut, presetsPath+"/support", strings.NewReader(support)))
		return "support"
	}, show: presetsPath + "/{presetName}", name: true},
	"{dashboardName}": {make: func(t *testing.T, s *servertest.Server) string {
		ok(t, s.Do(t, http.MethodPut, dashboardsPath+"/volume", strings.NewReader(volume)))
		return "volume"
	}, show: dashboardsPath + "/{dashboardName}", name: true},
	"{categoryName}": {make: func(t *testing.T, s *servertest.Server) string {
		ok(t, s.Do(t, http.MethodPut, categoriesPath+"/at-risk", category("*")))
		return "at-risk"
	}, show: categoriesPath + "/{categoryName}", name: true},
	"{keyId}": {make: func(t *testing.T, s *servertest.Server) string {
		_, id := s.NewToken(t, s.Account(t, account.DefaultName), time.Time{}, account.MediaRead)
		return id
	}, show: "/v3/profile/keys/{keyId}"},
	"{sessionId}": {make: func(t *testing.T, s *servertest.Server) string {
		return at(t, signIn(t, s.Client, s.Token), "sessionId").(string)
	}, show: "/v3/profile/sessions"},
	"{secretId}": {make: func(t *testing.T, s *servertest.Server) string {
		if there := ok(t, s.Get(t, "/v3/callbacks/secrets")).JSON(t)["secrets"].([]any); len(there) > 0 {
			return there[0].(map[string]any)["secretId"].(string)
		}
		return ok(t, s.Do(t, http.MethodPost, "/v3/callbacks/secrets", nil)).JSON(t)["secretId"].(string)
	}, show: "/v3/callbacks/secrets"},
	"{retryId}": {make: func(t *testing.T, s *servertest.Server) string {
		return ok(t, s.Do(t, http.MethodPost, retryPath, nil)).JSON(t)["retryId"].(string)
	}, show: retryPath + "/{retryId}"},
	"{publicKeyId}": {make: func(t *testing.T, s *servertest.Server) string {
		return addKey(t, s.Client, publicKey)["publicKeyId"].(string)
	}, show: publicKeys + "/{publicKeyId}"},
	"{jobId}": {}, // see TestQueueShowsWaitingRunningAndDeadJobs
	// Sub-resources of an id; pages; months of the account's own usage.
	"{format}": {}, "{streamName}": {}, "{callbackId}": {}, "{file}": {}, "{asset}": {}, "{year}": {}, "{month}": {},
	// Built in, the same for all accounts.
	"{detectorId}": {},
	"{classifierId}": {make: func(t *testing.T, s *servertest.Server) string {
		return trainNew(t, s, "mine")
	}, show: classifiers + "/{classifierId}"},
}

// TestNothingCrossesAccounts calls all routes with resources of another account: they must look nonexistent and stay
// unchanged.
func TestNothingCrossesAccounts(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	other := s.As(t, "other", account.AllScopes...)
	ids := map[string]string{}
	for param, thing := range belongings {
		if thing.make != nil {
			ids[param] = thing.make(t, s)
		}
	}
	for _, r := range api.Routes() {
		for _, param := range regexp.MustCompile(`\{[^}]*\}`).FindAllString(r.Path, -1) {
			thing, known := belongings[param]
			switch {
			case !known:
				t.Errorf("%s %s: whose is %s? Say so in belongings", r.Method, r.Path, param)
			case thing.make == nil:
			case thing.name && r.Method == http.MethodPut:
				ok(t, about(t, other, r, ""))
				other.Do(t, http.MethodDelete, fill(r.Path, ""), nil)
			case thing.name:
				refused(t, about(t, other, r, ""), 404, 80000)
			default:
				same(t, r, about(t, other, r, ids[param]), about(t, other, r, noMedia), ids[param])
			}
		}
	}
	id := ids["{mediaId}"]
	ok(t, s.Do(t, http.MethodPut, searchFields, strings.NewReader(`{"fields":["extended.mine"]}`)))
	for _, r := range api.Routes() { // lists
		// the audit log lists the refused requests
		if r.Method != http.MethodGet || strings.Contains(r.Path, "{") || r.Scope == "" || r.Path == "/v3/audit" {
			continue
		}
		if r.Path == progressPath { // names the id that it is asked for
			continue
		}
		if a := ok(t, about(t, other, r, id)); strings.Contains(string(a.Body), "mine") ||
			strings.Contains(string(a.Body), id) {
			t.Errorf("%s %s shows what is another account's: %s", r.Method, r.Path, a)
		}
	}
	for _, query := range []string{"", "?externalId=mine", "?extendedFilter=a:mine",
		"?before=ffffffff-ffff-7fff-bfff-ffffffffffff"} {
		if listed, _ := page(t, other, "/v3/media"+query); len(listed) != 0 {
			t.Errorf("%s lists %v of another account", query, listed)
		}
	}
	theirs := other.Submit(t, recording)
	if listed, _ := page(t, s.Client, "/v3/media"); !slices.Equal(listed, []string{id}) {
		t.Errorf("we see %v, theirs is %s", listed, theirs)
	}
	for param, owned := range ids {
		if a := ok(t, s.Get(t, fill(belongings[param].show, owned))); strings.Contains(string(a.Body), "theirs") {
			t.Errorf("another account changed ours: %s", a)
		}
	}
	if a := ok(t, s.Get(t, searchFields)); strings.Contains(string(a.Body), "theirs") {
		t.Errorf("another account changed our search fields: %s", a)
	}
}

func TestIdsThatCannotBeAreNotFound(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	for _, r := range api.Routes() {
		if !strings.Contains(r.Path, "{mediaId}") {
			continue
		}
		for _, id := range []string{"x", "1", "..%2f..", "%00", strings.Repeat("a", 5000), "{" + noMedia + "}"} {
			if a := s.Do(t, r.Method, fill(r.Path, id), nil); a.Status != 404 || a.Code(t) != 10205 {
				t.Errorf("%s %s with id %.20q: %s", r.Method, r.Path, id, a)
			}
		}
	}
}

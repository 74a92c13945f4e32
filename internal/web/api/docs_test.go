package api_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/internal/testkit/browsertest"
	"parley/internal/testkit/servertest"
	"parley/internal/web/api"
)

// TestTheAddressOfTheServerLeadsToThePages tests browsers and other programs, also behind a proxy.
func TestTheAddressOfTheServerLeadsToThePages(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	page := ok(t, s.Get(t, "/ui/"))
	proxy := httptest.NewServer(http.StripPrefix("/parley", httputil.NewSingleHostReverseProxy(address(t, s.Base))))
	defer proxy.Close()
	for _, at := range []string{s.Base, s.Base + "/", s.Base + "/ui", proxy.URL + "/parley/", proxy.URL + "/parley/ui"} {
		response, err := http.Get(at)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil || string(body) != string(page.Body) {
			t.Errorf("%s: %d %v, %s", at, response.StatusCode, err, body)
		}
	}
	refused(t, s.Do(t, http.MethodPost, "/", nil), 404, 10000)
}

func TestTheReferenceIsFoundWithASlashBehindItsAddress(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	page := ok(t, s.Get(t, "/docs"))
	if slashed := ok(t, s.Get(t, "/docs/")); string(slashed.Body) != string(page.Body) {
		t.Errorf("%s", slashed.Body)
	}
	proxy := httptest.NewServer(http.StripPrefix("/parley", httputil.NewSingleHostReverseProxy(address(t, s.Base))))
	defer proxy.Close()
	response, err := http.Get(proxy.URL + "/parley/docs/")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if behind, err := io.ReadAll(response.Body); err != nil || string(behind) != string(page.Body) {
		t.Errorf("behind a proxy: %v, %s", err, behind)
	}
}

func address(t *testing.T, text string) *url.URL {
	t.Helper()
	u, err := url.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestReferenceLoadsInABrowserAndItsRequestsWork(t *testing.T) {
	b := browsertest.Open(t)
	s := servertest.Start(t, servertest.Options{Settings: only})
	id := s.Submit(t, recording, servertest.Field("metadata", `{"externalId":"tried out"}`))
	b.Open(s.Base+"/docs", "#operations-Media-postMedia")
	if title := b.Run("document.querySelector('.info .title').textContent"); !strings.HasPrefix(fmt.Sprint(title),
		"Parley") {
		t.Errorf("title %v", title)
	}
	routes := len(api.Routes()) + len(api.SignInRoutes())
	if shown := b.Run("document.querySelectorAll('.opblock').length"); shown != float64(routes) {
		t.Errorf("%v routes are on the page, there are %d", shown, routes)
	}
	b.Shoot("reference")
	if above := b.Run("document.querySelectorAll('.information-container table').length"); above != 0.0 {
		t.Errorf("%v tables stand above the operations", above)
	}
	b.Run("document.querySelector('#model-Problem .model-box button, #model-Problem button').click()")
	b.AwaitText("#model-Problem table", "10301")
	b.Run("document.querySelector('#model-Problem').scrollIntoView()")
	b.Shoot("codes")
	b.Run(`localStorage.setItem('authorized', JSON.stringify({token: {name: 'token', schema: {type: 'http', scheme: 'bearer'}, value: '` + s.Token + `'}}))`)
	b.Open(s.Base+"/docs#/Media/listMedia", "#operations-Media-listMedia .execute")
	b.Run("document.querySelector('#operations-Media-listMedia .execute').click()")
	b.AwaitText("#operations-Media-listMedia .live-responses-table", "200", id, "tried out")
	b.Run("document.querySelector('#operations-Media-listMedia .live-responses-table').scrollIntoView()")
	b.Shoot("tried-out")
	b.Open(s.Base+"/docs#/Media/postMedia", "#operations-Media-postMedia input[type=file]")
	call := filepath.Join(t.TempDir(), "call.wav")
	if err := os.WriteFile(call, recording.Body, 0o600); err != nil {
		t.Fatal(err)
	}
	b.Attach("#operations-Media-postMedia input[type=file]", call)
	b.Run("document.querySelector('#operations-Media-postMedia .execute').click()")
	b.AwaitText("#operations-Media-postMedia .live-responses-table", `"status": "accepted"`)
	b.Run("document.querySelector('#operations-Media-postMedia').scrollIntoView()")
	b.Shoot("sent")
	if problems := b.Problems(); len(problems) > 0 {
		t.Errorf("the page complains: %s", strings.Join(problems, "\n"))
	}
}

package api_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/websocket"

	"parley/internal/host/sandbox"
	"parley/internal/testkit/browsertest"
	"parley/internal/testkit/servertest"
	"parley/internal/web/api"
)

// TestTheAddressOfTheServerLeadsToTheReference tests browsers and other programs, also behind a proxy.
func TestTheAddressOfTheServerLeadsToTheReference(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	page := ok(t, s.Get(t, "/docs"))
	proxy := httptest.NewServer(http.StripPrefix("/parley", httputil.NewSingleHostReverseProxy(address(t, s.Base))))
	defer proxy.Close()
	for _, at := range []string{s.Base, s.Base + "/", proxy.URL + "/parley/"} {
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

// tab is a page in a real browser, controlled with the DevTools protocol.
type tab struct {
	t        *testing.T
	socket   *websocket.Conn
	sent     int
	problems []string // console errors, failed loads and exceptions
}

// browse starts a headless browser and returns its first page.
func browse(t *testing.T) *tab {
	t.Helper()
	program := browsertest.Program(t)
	flags, dir := browsertest.Flags(t)
	cmd := sandbox.Command(context.Background(), program, append(flags,
		"--remote-debugging-port=0", "--remote-allow-origins=*", "--window-size=1200,1600", "about:blank")...)
	if err := sandbox.Start(cmd, sandbox.Limits{Access: sandbox.Access{Trusted: true}}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		sandbox.Wait(cmd) // and all its child processes
	})
	var port string
	until(t, "the browser listens", func() bool {
		text, err := os.ReadFile(filepath.Join(dir, "DevToolsActivePort"))
		port, _, _ = strings.Cut(string(text), "\n")
		return err == nil && port != ""
	})
	var pages []struct{ Type, WebSocketDebuggerURL string }
	until(t, "the browser has a page", func() bool {
		response, err := http.Get("http://127.0.0.1:" + port + "/json/list")
		if err != nil {
			return false
		}
		defer response.Body.Close()
		err = json.NewDecoder(response.Body).Decode(&pages)
		pages = slices.DeleteFunc(pages, func(p struct{ Type, WebSocketDebuggerURL string }) bool {
			return p.Type != "page"
		})
		return err == nil && len(pages) > 0
	})
	socket, err := websocket.Dial(pages[0].WebSocketDebuggerURL, "", "http://127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	socket.MaxPayloadBytes = 64 << 20
	t.Cleanup(func() { socket.Close() })
	b := &tab{t: t, socket: socket}
	for _, domain := range []string{"Page", "Runtime", "Log"} {
		b.send(domain+".enable", nil)
	}
	return b
}

// send calls a method and returns its result; it records the page's problems meanwhile.
func (b *tab) send(method string, params map[string]any) map[string]any {
	b.t.Helper()
	b.sent++
	if err := websocket.JSON.Send(b.socket,
		map[string]any{"id": b.sent, "method": method, "params": params}); err != nil {
		b.t.Fatal(err)
	}
	for {
		var message struct {
			ID             int
			Method         string
			Params, Result map[string]any
			Error          map[string]any
		}
		if err := websocket.JSON.Receive(b.socket, &message); err != nil {
			b.t.Fatal(err)
		}
		switch message.Method {
		case "Log.entryAdded":
			if entry := message.Params["entry"].(map[string]any); entry["level"] == "error" {
				b.problems = append(b.problems, fmt.Sprint(entry["text"], " ", entry["url"]))
			}
		case "Runtime.exceptionThrown":
			b.problems = append(b.problems, fmt.Sprint(message.Params))
		case "Runtime.consoleAPICalled":
			if message.Params["type"] == "error" {
				b.problems = append(b.problems, fmt.Sprint(message.Params["args"]))
			}
		}
		if message.ID != b.sent {
			continue
		}
		if message.Error != nil {
			b.t.Fatalf("%s: %v", method, message.Error)
		}
		return message.Result
	}
}

// run evaluates an expression and returns its value.
func (b *tab) run(expression string) any {
	b.t.Helper()
	result := b.send("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true})
	return at(b.t, result, "result").(map[string]any)["value"]
}

// open loads a page again and waits until an element exists.
func (b *tab) open(address, element string) {
	b.t.Helper()
	b.send("Page.navigate", map[string]any{"url": "about:blank"})
	b.send("Page.navigate", map[string]any{"url": address})
	b.await(element)
}

func (b *tab) await(element string) {
	b.t.Helper()
	until(b.t, element+" is on the page", func() bool {
		return b.run("document.querySelector('"+element+"') !== null") == true
	})
}

// awaitText waits until an element contains all given texts: a page that renders step by step adds elements before
// their text.
func (b *tab) awaitText(element string, texts ...string) {
	b.t.Helper()
	var shown string
	defer func() {
		if b.t.Failed() {
			b.t.Logf("%s shows %.2000s", element, shown)
		}
	}()
	until(b.t, fmt.Sprintf("%s shows %q", element, texts), func() bool {
		shown, _ = b.run("document.querySelector('" + element + "')?.textContent").(string)
		return !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(shown, text) })
	})
}

// attach chooses a file in the first matching input.
func (b *tab) attach(input string, file []byte) {
	b.t.Helper()
	path := filepath.Join(b.t.TempDir(), "call.wav")
	if err := os.WriteFile(path, file, 0o600); err != nil {
		b.t.Fatal(err)
	}
	root := at(b.t, b.send("DOM.getDocument", nil), "root", "nodeId")
	node := b.send("DOM.querySelector", map[string]any{"nodeId": root, "selector": input})["nodeId"]
	b.send("DOM.setFileInputFiles", map[string]any{"files": []string{path}, "nodeId": node})
}

// shoot saves a screenshot of the page if PARLEY_PICTURES names a folder.
func (b *tab) shoot(name string) {
	b.t.Helper()
	dir := os.Getenv("PARLEY_PICTURES")
	if dir == "" {
		return
	}
	picture, err := base64.StdEncoding.DecodeString(b.send("Page.captureScreenshot", nil)["data"].(string))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name+".png"), picture, 0o600)
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

func TestReferenceLoadsInABrowserAndItsRequestsWork(t *testing.T) {
	b := browse(t)
	s := servertest.Start(t, servertest.Options{Settings: only})
	id := s.Submit(t, recording, servertest.Field("metadata", `{"externalId":"tried out"}`))
	b.open(s.Base+"/docs", "#operations-Media-postMedia")
	if title := b.run("document.querySelector('.info .title').textContent"); !strings.HasPrefix(fmt.Sprint(title),
		"Parley") {
		t.Errorf("title %v", title)
	}
	routes := len(api.Routes()) + len(api.SignInRoutes())
	if shown := b.run("document.querySelectorAll('.opblock').length"); shown != float64(routes) {
		t.Errorf("%v routes are on the page, there are %d", shown, routes)
	}
	b.shoot("reference")
	if above := b.run("document.querySelectorAll('.information-container table').length"); above != 0.0 {
		t.Errorf("%v tables stand above the operations", above)
	}
	b.run("document.querySelector('#model-Problem .model-box button, #model-Problem button').click()")
	b.awaitText("#model-Problem table", "10301")
	b.run("document.querySelector('#model-Problem').scrollIntoView()")
	b.shoot("codes")
	b.run(`localStorage.setItem('authorized', JSON.stringify({token: {name: 'token', schema: {type: 'http', scheme: 'bearer'}, value: '` + s.Token + `'}}))`)
	b.open(s.Base+"/docs#/Media/listMedia", "#operations-Media-listMedia .execute")
	b.run("document.querySelector('#operations-Media-listMedia .execute').click()")
	b.awaitText("#operations-Media-listMedia .live-responses-table", "200", id, "tried out")
	b.run("document.querySelector('#operations-Media-listMedia .live-responses-table').scrollIntoView()")
	b.shoot("tried-out")
	b.open(s.Base+"/docs#/Media/postMedia", "#operations-Media-postMedia input[type=file]")
	b.attach("#operations-Media-postMedia input[type=file]", recording.Body)
	b.run("document.querySelector('#operations-Media-postMedia .execute').click()")
	b.awaitText("#operations-Media-postMedia .live-responses-table", `"status": "accepted"`)
	b.run("document.querySelector('#operations-Media-postMedia').scrollIntoView()")
	b.shoot("sent")
	if len(b.problems) > 0 {
		t.Errorf("the page complains: %s", strings.Join(b.problems, "\n"))
	}
}

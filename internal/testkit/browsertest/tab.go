package browsertest

import (
	"context"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/websocket"

	"parley/internal/host/sandbox"
)

// patience is how long a tab waits for what a test expects of it.
const patience = 60 * time.Second

// Tab is a page in a real browser, controlled with the DevTools protocol
// (https://chromedevtools.github.io/devtools-protocol). It belongs to one goroutine. Whatever fails ends the test.
type Tab struct {
	t      testing.TB
	socket *websocket.Conn
	sent   int

	mu       sync.Mutex
	answers  map[int]chan message
	closed   error
	problems []string
	requests []string
}

// message is what the browser sends: an answer, or an event.
type message struct {
	ID             int
	Method         string
	Params, Result map[string]any
	Error          map[string]any
}

// Open starts a headless browser and returns its first page. It skips the test if there is no browser.
func Open(t testing.TB) *Tab {
	t.Helper()
	program := Program(t)
	flags, dir := Flags(t)
	cmd := sandbox.Command(context.Background(), program, append(flags,
		"--remote-debugging-port=0", "--remote-allow-origins=*", "--window-size=1440,1000", "about:blank")...)
	if err := sandbox.Start(cmd, sandbox.Limits{Access: sandbox.Access{Trusted: true}}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		sandbox.Wait(cmd) // and all its child processes
	})
	socket, err := websocket.Dial(firstPage(t, dir), "", "http://127.0.0.1")
	if err != nil {
		t.Fatal(err)
	}
	socket.MaxPayloadBytes = 256 << 20
	b := &Tab{t: t, socket: socket, answers: map[int]chan message{}}
	var reading sync.WaitGroup
	reading.Go(b.read)
	t.Cleanup(func() {
		socket.Close()
		reading.Wait()
	})
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		b.Send(domain+".enable", nil)
	}
	return b
}

// firstPage waits for the browser's first page and returns the address of its debugger.
func firstPage(t testing.TB, dir string) string {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for range int(patience / (10 * time.Millisecond)) {
		if address := debugger(dir); address != "" {
			return address
		}
		<-tick.C
	}
	t.Fatal("the browser has no page")
	return ""
}

func debugger(dir string) string {
	text, err := os.ReadFile(filepath.Join(dir, "DevToolsActivePort"))
	port, _, _ := strings.Cut(string(text), "\n")
	if err != nil || port == "" {
		return ""
	}
	response, err := http.Get("http://127.0.0.1:" + port + "/json/list")
	if err != nil {
		return ""
	}
	defer response.Body.Close()
	var pages []struct{ Type, WebSocketDebuggerURL string }
	if json.NewDecoder(response.Body).Decode(&pages) != nil {
		return ""
	}
	for _, p := range pages {
		if p.Type == "page" {
			return p.WebSocketDebuggerURL
		}
	}
	return ""
}

// read hands answers to those who wait for them, and notes events, until the connection ends.
func (b *Tab) read() {
	for {
		var m message
		err := websocket.JSON.Receive(b.socket, &m)
		b.mu.Lock()
		if err != nil {
			b.closed = err
			for _, waiting := range b.answers {
				close(waiting)
			}
			b.mu.Unlock()
			return
		}
		if waiting := b.answers[m.ID]; waiting != nil {
			delete(b.answers, m.ID)
			waiting <- m
		}
		b.note(m)
		b.mu.Unlock()
	}
}

// note keeps what the page complains of, and what it asks for.
func (b *Tab) note(m message) {
	switch m.Method {
	case "Log.entryAdded":
		if entry := m.Params["entry"].(map[string]any); entry["level"] == "error" {
			b.problems = append(b.problems, fmt.Sprint(entry["text"], " ", entry["url"]))
		}
	case "Runtime.exceptionThrown":
		b.problems = append(b.problems, fmt.Sprint(m.Params))
	case "Runtime.consoleAPICalled":
		if m.Params["type"] == "error" {
			b.problems = append(b.problems, fmt.Sprint(m.Params["args"]))
		}
	case "Network.requestWillBeSent":
		request := m.Params["request"].(map[string]any)
		b.requests = append(b.requests, fmt.Sprint(request["method"], " ", request["url"]))
	}
}

// Problems returns what the page has complained of: errors of the console, refused loads, violations of its policy,
// exceptions. They are forgotten.
func (b *Tab) Problems() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	found := b.problems
	b.problems = nil
	return found
}

// Requests returns the requests that the page has sent, as "GET http://…". They are forgotten.
func (b *Tab) Requests() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	found := b.requests
	b.requests = nil
	return found
}

// Send calls a method of the protocol and returns its result.
func (b *Tab) Send(method string, params map[string]any) map[string]any {
	b.t.Helper()
	result, err := b.try(method, params)
	if err != nil {
		b.t.Fatalf("%s: %v", method, err)
	}
	return result
}

func (b *Tab) try(method string, params map[string]any) (map[string]any, error) {
	answer := make(chan message, 1)
	b.mu.Lock()
	b.sent++
	id := b.sent
	closed := b.closed
	b.answers[id] = answer
	b.mu.Unlock()
	if closed != nil {
		return nil, closed
	}
	err := websocket.JSON.Send(b.socket, map[string]any{"id": id, "method": method, "params": params})
	if err != nil {
		return nil, err
	}
	select {
	case m, ok := <-answer:
		if !ok {
			return nil, fmt.Errorf("the browser is gone")
		}
		if m.Error != nil {
			return nil, fmt.Errorf("%v", m.Error["message"])
		}
		return m.Result, nil
	case <-time.After(2 * patience):
		return nil, fmt.Errorf("no answer in %v", 2*patience)
	}
}

// Run evaluates an expression, waits if it is a promise, and returns its value.
func (b *Tab) Run(expression string) any {
	b.t.Helper()
	value, err := b.evaluate(expression)
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return value
}

func (b *Tab) evaluate(expression string) (any, error) {
	result, err := b.try("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true,
		"awaitPromise": true, "userGesture": true})
	if err != nil {
		return nil, err
	}
	if thrown, ok := result["exceptionDetails"].(map[string]any); ok {
		return nil, fmt.Errorf("%v", thrown["exception"].(map[string]any)["description"])
	}
	return result["result"].(map[string]any)["value"], nil
}

// Text returns an expression as a text of JavaScript, quoted.
func Text(s string) string {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err) // strings always encode
	}
	return string(text)
}

// Open loads a page anew and waits until an element exists.
func (b *Tab) Open(address, element string) {
	b.t.Helper()
	b.Send("Page.navigate", map[string]any{"url": "about:blank"})
	b.Send("Page.navigate", map[string]any{"url": address})
	b.Await(element)
}

// Until waits until an expression is true. The page looks at it before each frame, so nothing sleeps.
func (b *Tab) Until(what, expression string) {
	b.t.Helper()
	b.until(what, "Boolean("+expression+")")
}

// until is Until for an expression whose value is plain data, and returns the value.
func (b *Tab) until(what, expression string) any {
	b.t.Helper()
	limit := time.Now().Add(patience)
	for time.Now().Before(limit) {
		met, err := b.evaluate(fmt.Sprintf(`new Promise((done) => {
			const end = performance.now() + 2000;
			const look = () => {
				let met = false;
				try { met = %s; } catch {}
				if (met || performance.now() > end) done(met); else setTimeout(look, 8);
			};
			look();
		})`, expression))
		if err == nil && met != nil && met != false {
			return met
		}
	}
	b.Shoot("failed")
	b.t.Fatalf("%s: not in %v; the page shows: %.3000s; it complains: %v", what, patience,
		b.Run("document.body.innerText"), b.Problems())
	return nil
}

// Await waits until an element exists.
func (b *Tab) Await(element string) {
	b.t.Helper()
	b.Until(element+" is on the page", "document.querySelector("+Text(element)+")")
}

// AwaitText waits until an element contains all given texts: a page that renders step by step adds elements before
// their text.
func (b *Tab) AwaitText(element string, texts ...string) {
	b.t.Helper()
	for _, text := range texts {
		b.Until(fmt.Sprintf("%s shows %q", element, text),
			fmt.Sprintf("document.querySelector(%s).textContent.includes(%s)", Text(element), Text(text)))
	}
}

// named finds the element of a text: a button, link, tab, option or labelled field whose name it is.
const named = `(text) => {
	const plain = (n) => n.replace(/\s+/g, " ").trim();
	const names = (e) => [e.getAttribute("aria-label"), e.innerText, e.title, e.labels?.[0]?.innerText].filter(Boolean);
	const all = [...document.querySelectorAll("button, a, [role=tab], [role=option], [role=button], input, select, textarea, summary, label")]
		.filter((e) => e.checkVisibility({ visibilityProperty: true }));
	return all.find((e) => names(e).some((n) => plain(n) === text)) ?? all.find((e) => names(e).some((n) => plain(n).startsWith(text)));
}`

// found is an expression for the element of a selector, or of a visible name where it begins with "=".
func found(element string) string {
	if name, ok := strings.CutPrefix(element, "="); ok {
		return "(" + named + ")(" + Text(name) + ")"
	}
	return "document.querySelector(" + Text(element) + ")"
}

// Click waits for an element that rests and that nothing covers, and clicks on its middle with the mouse. The element
// is a selector, or "=Name" for the button, link or field with a visible name.
func (b *Tab) Click(element string) {
	b.t.Helper()
	at := b.until(element+" is there to be clicked", "("+clickable+")("+found(element)+")").([]any)
	b.Mouse("mousePressed", at[0].(float64), at[1].(float64))
	b.Mouse("mouseReleased", at[0].(float64), at[1].(float64))
}

// clickable keeps the middle of an element with it, and returns it when it has been there for three frames, and when the
// element or its label is what is seen there: a page that loads moves what is below.
const clickable = `(e) => {
	e.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
	const r = e.getClientRects()[0];
	const at = [r.left + r.width / 2, r.top + r.height / 2];
	if (e.clickable?.join() !== at.join()) [e.clickable, e.since] = [at, performance.now()];
	const seen = e.getRootNode().elementFromPoint(...at);
	return performance.now() - e.since > 50 && (e.contains(seen) || seen.closest("label")?.control === e) && at;
}`

// Mouse sends an event of the left button, such as "mousePressed", "mouseMoved", "mouseReleased".
func (b *Tab) Mouse(kind string, x, y float64) {
	b.t.Helper()
	b.Send("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": x, "y": y, "button": "left",
		"buttons": 1, "clickCount": 1})
}

// Type inserts a text where the focus is, as the keyboard would.
func (b *Tab) Type(text string) {
	b.t.Helper()
	b.Send("Input.insertText", map[string]any{"text": text})
}

// Fill clicks on a field, and replaces its text.
func (b *Tab) Fill(element, text string) {
	b.t.Helper()
	b.Click(element)
	b.Run("document.activeElement.select?.()")
	b.Type(text)
}

// keys are those whose code is not their name.
var keys = map[string]struct {
	code string
	key  int
}{"Enter": {"Enter", 13}, "Escape": {"Escape", 27}, "Tab": {"Tab", 9}, " ": {"Space", 32}, "ArrowDown": {"ArrowDown", 40},
	"ArrowUp": {"ArrowUp", 38}, "ArrowLeft": {"ArrowLeft", 37}, "ArrowRight": {"ArrowRight", 39},
	"Home": {"Home", 36}, "End": {"End", 35}, "Backspace": {"Backspace", 8}, "Delete": {"Delete", 46}}

// Modifiers of Press.
const (
	Control = 2
	Shift   = 8
)

// Press presses and releases a key, by its name in KeyboardEvent.key, with modifiers.
func (b *Tab) Press(key string, modifiers ...int) {
	b.t.Helper()
	held := 0
	for _, m := range modifiers {
		held |= m
	}
	event := map[string]any{"key": key, "modifiers": held}
	if k, ok := keys[key]; ok {
		event["code"], event["windowsVirtualKeyCode"] = k.code, k.key
	} else {
		event["windowsVirtualKeyCode"] = int(strings.ToUpper(key)[0])
	}
	if text := map[string]string{"Enter": "\r", " ": " "}[key]; held&Control == 0 && (text != "" || len(key) == 1) {
		event["text"] = key
		if text != "" {
			event["text"] = text
		}
	}
	event["type"] = "keyDown"
	b.Send("Input.dispatchKeyEvent", event)
	delete(event, "text")
	event["type"] = "keyUp"
	b.Send("Input.dispatchKeyEvent", event)
}

// Attach chooses files in an input.
func (b *Tab) Attach(input string, paths ...string) {
	b.t.Helper()
	b.Await(input)
	root := b.Send("DOM.getDocument", nil)["root"].(map[string]any)["nodeId"]
	node := b.Send("DOM.querySelector", map[string]any{"nodeId": root, "selector": input})["nodeId"]
	b.Send("DOM.setFileInputFiles", map[string]any{"files": paths, "nodeId": node})
}

// Size sets the size of the window, in pixels of CSS.
func (b *Tab) Size(width, height int) {
	b.t.Helper()
	b.Send("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height,
		"deviceScaleFactor": 1, "mobile": false})
}

// Dark asks for dark or light colours, as a system does.
func (b *Tab) Dark(dark bool) {
	b.t.Helper()
	value := "light"
	if dark {
		value = "dark"
	}
	b.Send("Emulation.setEmulatedMedia", map[string]any{
		"features": []any{map[string]any{"name": "prefers-color-scheme", "value": value}}})
}

// Slow makes the processor seem that many times slower.
func (b *Tab) Slow(times float64) {
	b.t.Helper()
	b.Send("Emulation.setCPUThrottlingRate", map[string]any{"rate": times})
}

// Shoot saves a screenshot of the page if PARLEY_PICTURES names a folder.
func (b *Tab) Shoot(name string) {
	b.t.Helper()
	dir := os.Getenv("PARLEY_PICTURES")
	if dir == "" {
		return
	}
	picture, err := base64.StdEncoding.DecodeString(b.Send("Page.captureScreenshot", nil)["data"].(string))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name+".png"), picture, 0o600)
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

// axe is axe-core 4.14.1, which checks pages for people who cannot see or use a mouse (MPL-2.0, see testdata).
//
//go:embed testdata/axe.min.js
var axe string

// Axe returns what axe-core finds wrong with the page, each as its rule and an element.
func (b *Tab) Axe() []string {
	b.t.Helper()
	return b.axe(`{}`)
}

// Contrasts is Axe for the only rule on colours, which is also the slowest: it looks at the pixels behind each text.
func (b *Tab) Contrasts() []string {
	b.t.Helper()
	return b.axe(`{ runOnly: { type: "rule", values: ["color-contrast"] } }`)
}

// Structure is Axe for all rules but that of Contrasts.
func (b *Tab) Structure() []string {
	b.t.Helper()
	return b.axe(`{ rules: { "color-contrast": { enabled: false } } }`)
}

func (b *Tab) axe(options string) []string {
	b.t.Helper()
	if b.Run("typeof axe") != "object" {
		b.Run(axe + ";0")
	}
	found := b.Run(`axe.run(document, { resultTypes: ["violations"], ...` + options + ` }).then((r) =>
		r.violations.flatMap((v) => v.nodes.map((n) => v.id + ": " + n.target.join(" ") + ": " + n.failureSummary)))`).([]any)
	var texts []string
	for _, f := range found {
		texts = append(texts, fmt.Sprint(f))
	}
	slices.Sort(texts)
	return texts
}

// Drop drags files from the desktop over an element, and drops them there.
func (b *Tab) Drop(element string, paths ...string) {
	b.t.Helper()
	b.Await(element)
	at := b.Run(fmt.Sprintf(`(() => {
		const r = %s.getBoundingClientRect();
		return [r.left + r.width / 2, Math.min(r.top + 40, innerHeight - 10)];
	})()`, found(element))).([]any)
	for _, kind := range []string{"dragEnter", "dragOver", "drop"} {
		b.Send("Input.dispatchDragEvent", map[string]any{"type": kind, "x": at[0], "y": at[1],
			"data": map[string]any{"items": []any{}, "files": paths, "dragOperationsMask": 1}})
	}
}

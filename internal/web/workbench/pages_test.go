package workbench_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"parley/internal/testkit/browsertest"
)

// page is a page of the workbench, from the pages' own list.
type page struct {
	name, title string
	address     string // behind /ui/
}

// pages returns all pages. The page of a call shows the one with the id.
func pages(t testing.TB, call string) (all []page) {
	t.Helper()
	text, err := os.ReadFile("../../../web/src/frame/pages.ts")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range regexp.MustCompile(`\{ name: "(\w+)", title: "([^"]+)"`).FindAllStringSubmatch(string(text), -1) {
		p := page{row[1], row[2], "#/" + row[1]}
		if p.name == "call" {
			p.address += "/" + call
		}
		all = append(all, p)
	}
	if len(all) < 8 {
		t.Fatalf("web/src/frame/pages.ts has %d pages", len(all))
	}
	return all
}

// signIn opens the workbench at an address, and signs in.
func signIn(b *browsertest.Tab, base, token string) {
	b.Open(base+"/ui/#/upload", "input[type=password]")
	b.Fill("input[type=password]", token)
	b.Press("Enter")
	b.Await("nav.rail")
}

// visit leads to a page and waits until nothing on it is being loaded. The page begins anew, as after a reload.
func visit(b *browsertest.Tab, base string, p page) {
	b.Open(base+"/ui/"+p.address, "main")
	settle(b)
}

// settle waits until nothing is being loaded, for two frames in a row.
func settle(b *browsertest.Tab) {
	b.Until("everything is loaded", `(() => {
		const waits = document.querySelector("main h1") === null ||
			[...document.querySelectorAll(".loading, [aria-busy=true]")].some((e) => e.checkVisibility());
		window.calm = waits ? 0 : (window.calm ?? 0) + 1;
		return window.calm > 12;
	})()`)
}

// proxy stands between a browser and a server. While it fails, requests of the API are answered with 503, or not at all.
type proxy struct {
	*httptest.Server
	fails atomic.Int32
}

// The ways in which a proxy fails.
const (
	works int32 = iota
	refuses
	breaks
)

// failure is what servers answer that are unavailable.
const failure = `{"status":503,"errors":[{"code":10020,"error":"the database is unavailable; try again later"}],"reference":"` +
	`0b6f2a3e-8f0a-4a53-9a6f-2a34cf0f5d43"}`

func newProxy(t testing.TB, base string) *proxy {
	t.Helper()
	to, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{}
	through := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(to)
		r.Out.Host = r.In.Host
	}, ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) }}
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		how := p.fails.Load()
		if !strings.HasPrefix(r.URL.Path, "/v3") {
			how = works
		}
		switch how {
		case works:
			through.ServeHTTP(w, r)
		case refuses:
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusServiceUnavailable)
			io.WriteString(w, failure)
		case breaks:
			panic(http.ErrAbortHandler)
		}
	}))
	t.Cleanup(p.Close)
	return p
}

// foreign returns the requests that went to another host than that of base.
func foreign(requests []string, base string) []string {
	return slices.DeleteFunc(requests, func(r string) bool {
		_, address, _ := strings.Cut(r, " ")
		return address == "about:blank" || strings.HasPrefix(address, base+"/") ||
			strings.HasPrefix(address, "data:") || strings.HasPrefix(address, "blob:"+base)
	})
}

// tabThrough presses Tab until the focus comes back to where it began, and returns the controls that it did not reach,
// and where it was caught.
func tabThrough(b *browsertest.Tab) (missed []string) {
	b.Run(`document.activeElement?.blur(); window.reached = new Set(); window.scrollTo(0, 0); 0`)
	b.Run(focusStart)
	last, same := "", 0
	for range 600 {
		b.Press("Tab")
		now := fmt.Sprint(b.Run(focused))
		if now == "end" {
			break
		}
		if now == last {
			if same++; same > 3 {
				return []string{"the focus is caught at " + now}
			}
		} else {
			same = 0
		}
		last = now
	}
	for _, m := range b.Run(unreached).([]any) {
		missed = append(missed, fmt.Sprint(m))
	}
	return missed
}

// focusStart lets Tab begin at the beginning of the page.
const focusStart = `(() => {
	const start = document.createElement("span");
	start.tabIndex = -1;
	document.body.prepend(start);
	start.focus();
	start.remove();
})()`

const describe = `(e) => e.tagName.toLowerCase() + (e.id ? "#" + e.id : "") + (typeof e.className === "string" &&
	e.className ? "." + e.className.trim().replace(/\s+/g, ".") : "") + " “" +
	(e.getAttribute("aria-label") ?? e.innerText ?? e.name ?? "").trim().slice(0, 40) + "”"`

// focused notes the focused element, and describes it; "end" if it had the focus before, or nothing has it.
const focused = `(() => {
	let e = document.activeElement;
	while (e?.shadowRoot?.activeElement) e = e.shadowRoot.activeElement;
	if (e === null || e === document.body || e === document.documentElement) return "end";
	const first = window.reached.values().next().value;
	if (e === first) return window.reached.size > 1 ? "end" : "again";
	window.reached.add(e);
	return (` + describe + `)(e) + " " + [...window.reached].indexOf(e);
})()`

// unreached describes the visible controls that the focus did not reach. Of radio buttons with one name, one is enough.
const unreached = `(() => {
	const names = new Set([...window.reached].filter((e) => e.type === "radio").map((e) => e.name));
	const controls = "a[href], button, input, select, textarea, summary, [tabindex], audio[controls]";
	return [...document.querySelectorAll(controls)].filter((e) => !window.reached.has(e) && e.tabIndex >= 0 &&
		!e.disabled && e.type !== "hidden" && !e.closest("[inert]") &&
		!(e.type === "radio" && names.has(e.name)) &&
		e.checkVisibility({ visibilityProperty: true })).map(` + describe + `);
})()`

// wide describes what is wider than the window; nothing, if the document does not scroll sideways.
const wide = `(() => {
	const width = document.documentElement.clientWidth;
	if (Math.max(document.documentElement.scrollWidth, document.body.scrollWidth) <= width) return [];
	return [...document.querySelectorAll("body *")].filter((e) => e.getBoundingClientRect().right > width + 1 &&
		![...e.children].some((c) => c.getBoundingClientRect().right > width + 1)).slice(0, 5).map(` + describe + `);
})()`

// texts returns a list of texts that an expression gives.
func texts(b *browsertest.Tab, expression string) (all []string) {
	for _, v := range b.Run(expression).([]any) {
		all = append(all, fmt.Sprint(v))
	}
	return all
}

// body returns the body of a request as a reader.
func body(text string) io.Reader { return bytes.NewReader([]byte(text)) }

package workbench_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"parley/internal/testkit/browsertest"
	"parley/internal/testkit/stage"
	"parley/internal/testkit/verify"
)

// trap notes whatever hostile texts achieve: scripts that run, and violations of the policy that they attempt.
const trap = `window.caught = [];
	for (const name of ["` + stage.Trap + `", "PARLEYTRAP", "alert"]) window[name] = (n) => caught.push("ran " + n);
	addEventListener("securitypolicyviolation", (e) => caught.push(e.violatedDirective + " " + e.blockedURI), true);`

// foreignElements are those that no page has, and hostile texts would bring.
const foreignElements = `[...document.querySelectorAll("script:not([src]), style, iframe, math, noscript, base, meta[http-equiv=refresh], form[action], animate, " +
	"[onload], [onerror], [onfocus], [onbegin], [ontoggle], [onmouseover], a[href^='javascript:' i], a[href^='data:' i]")].map((e) => e.outerHTML.slice(0, 200))`

func TestHostileTextsAreShownAsTexts(t *testing.T) {
	verify.Long(t)
	t.Parallel()
	number := 1000
	if os.Getenv("PARLEY_SOAK") != "" {
		number = 10_000
	}
	b := browsertest.Open(t)
	s, newest := stage.Hostile(t, number)
	if a := s.Do(t, "POST", "/v3/analytics/explore", strings.NewReader(`{"facets":["metadata:team"]}`)); a.Status != 200 {
		t.Errorf("before the browser: %s", a)
	}
	b.Send("Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": trap})
	signIn(b, s.Base, s.Token, "upload")
	for _, p := range pages(t, newest) {
		t.Run(p.name, func(t *testing.T) {
			b.Problems()
			b.Requests()
			visit(b, s.Base, p)
			if p.name == "call" {
				b.Until("all turns are there", fmt.Sprintf(`document.querySelectorAll(".turns > li").length >= %d`, number/4))
			}
			scrollThrough(b)
			shown := fmt.Sprint(b.Run(`document.querySelector("main").textContent`))
			t.Logf("%d hostile texts are shown", strings.Count(strings.ToLower(shown), "parleytrap"))
			harmless(t, b, s.Base)
			b.Size(390, 800)
			settle(b)
			for _, found := range texts(b, wide) {
				t.Errorf("at 390 pixels, the page scrolls sideways because of %s", found)
			}
			b.Size(1440, 1000)
		})
	}
}

// scrollThrough scrolls a page to its end, as long as it becomes longer, and presses what shows more.
func scrollThrough(b *browsertest.Tab) {
	for range 60 {
		grown := b.Run(`new Promise((done) => {
			const more = [...document.querySelectorAll("main button")].find((e) => /^(show )?(more|older|next)/i.test(e.innerText) && !e.disabled);
			const boxes = [document.scrollingElement, ...document.querySelectorAll("main, main *")].filter((e) => e.scrollHeight > e.clientHeight + 4 &&
				/auto|scroll/.test(getComputedStyle(e).overflowY) || e === document.scrollingElement);
			const before = boxes.map((e) => e.scrollTop).join() + document.querySelector("main").textContent.length;
			for (const e of boxes) e.scrollTop += Math.max(e.clientHeight, 400) * 8;
			more?.click();
			setTimeout(() => done(boxes.map((e) => e.scrollTop).join() + document.querySelector("main").textContent.length !== before), 60);
		})`)
		if grown != true {
			return
		}
	}
}

// harmless checks that nothing of hostile texts has run, and that they brought no elements.
func harmless(t *testing.T, b *browsertest.Tab, base string) {
	t.Helper()
	for _, caught := range texts(b, "window.caught") {
		t.Errorf("a hostile text %s", caught)
	}
	for _, found := range texts(b, foreignElements) {
		t.Errorf("a hostile text became an element: %s", found)
	}
	for _, request := range foreign(b.Requests(), base) {
		t.Errorf("the page asks another host: %s", request)
	}
	for _, problem := range b.Problems() {
		t.Errorf("the page complains: %s", problem)
	}
}

// Every kind of hostile text has to do harm where it is not shown as a text; otherwise the test above proves nothing.
func TestTheTrapCatchesHostileTextsThatRun(t *testing.T) {
	t.Parallel()
	b := browsertest.Open(t)
	b.Send("Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": trap})
	b.Send("Page.navigate", map[string]any{"url": "data:text/html,<body><h1>unsafe</h1>"})
	b.Await("h1")
	b.Run(`document.body.innerHTML = "<img src=x onerror=` + stage.Trap + `(7)>"; 0`)
	b.Until("the trap has caught the text", `window.caught.includes("ran 7")`)
	if found := texts(b, foreignElements); len(found) != 1 {
		t.Errorf("the element of the text is not found: %q", found)
	}
}

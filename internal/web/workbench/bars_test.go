package workbench_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"parley/internal/testkit/browsertest"
	"parley/internal/testkit/servertest"
	"parley/internal/testkit/stage"
)

// bar is a measure of the pages, and what it may be at most.
type bar struct {
	what     string
	measured float64
	most     float64 // 0: only told
	unit     string
	missing  string // why it was not measured
}

// bars collects them.
type bars struct {
	t   *testing.T
	all []bar
}

func (m *bars) add(what string, measured, most float64, unit string) {
	m.all = append(m.all, bar{what: what, measured: measured, most: most, unit: unit})
	m.t.Logf("%s: %.1f %s", what, measured, unit)
}

func (m *bars) lack(what, why string) {
	m.all = append(m.all, bar{what: what, missing: why})
}

// TestBarsOfThePages measures the pages in a browser, and prints a table, if PARLEY_BENCH_UI is set (make bench-ui).
// It fails where nothing could be measured, not where a bar is missed: that depends on the machine.
func TestBarsOfThePages(t *testing.T) {
	if os.Getenv("PARLEY_BENCH_UI") == "" {
		t.Skip("PARLEY_BENCH_UI is not set")
	}
	m := &bars{t: t}
	for _, s := range sizes(t) {
		m.add(s.what+", gzip", float64(s.bytes)/1000, float64(s.most)/1000, "kB")
	}
	t.Run("many", m.many)
	t.Run("call", m.call)
	t.Run("full", m.full)
	t.Run("seeks", m.seeks)
	m.print()
}

func (m *bars) print() {
	var b bytes.Buffer
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "measure\tbar\tmeasured\tmet")
	for _, r := range m.all {
		switch {
		case r.missing != "":
			fmt.Fprintf(w, "%s\t\tnot measured: %s\t\n", r.what, r.missing)
		case r.most == 0:
			fmt.Fprintf(w, "%s\t\t%.1f %s\t\n", r.what, r.measured, r.unit)
		default:
			fmt.Fprintf(w, "%s\t≤ %.0f %s\t%.1f %s\t%v\n", r.what, r.most, r.unit, r.measured, r.unit,
				map[bool]string{true: "yes", false: "NO"}[r.measured <= r.most])
		}
	}
	w.Flush()
	fmt.Printf("\n%s\n", b.String())
}

// since returns the time in ms from the last event of a kind on the page until an expression is true, which is looked at
// in each frame. begin makes the event.
func since(b *browsertest.Tab, event, expression string, begin func()) float64 {
	b.Run(fmt.Sprintf(`(() => {
		window.measured = new Promise((done) => {
			let began;
			const note = (e) => { if (began === undefined) began = performance.now(); };
			addEventListener(%q, note, { capture: true, once: true });
			const limit = performance.now() + 60000;
			const look = () => {
				let met = false;
				try { met = began !== undefined && Boolean(%s); } catch {}
				if (met) done(performance.now() - (window.opened = began));
				else if (performance.now() > limit) done(-1);
				else setTimeout(look, 2);
			};
			look();
		});
		return 0;
	})()`, event, expression))
	begin()
	took := b.Run("window.measured").(float64)
	if took < 0 {
		took = math.Inf(1) // it was never met
	}
	return took
}

// calls is the number of calls of the account in which pages look for some.
const calls = 100_000

const (
	rowsShown   = `document.querySelectorAll(".calls-row").length >= 10`
	facetsShown = `document.querySelectorAll(".calls-facets .calls-value").length >= 4`
	barsShown   = `document.querySelectorAll(".calls-bars rect").length >= 10`
	allShown    = rowsShown + " && " + facetsShown + " && " + barsShown
)

func (m *bars) many(t *testing.T) {
	s := stage.Many(t, calls)
	m.explore(t, s)
	b := browsertest.Open(t)
	for _, c := range []struct {
		slow float64
		most float64
	}{{1, 600}, {4, 1500}} {
		b.Send("Network.clearBrowserCookies", nil)
		b.Open(s.Base+"/ui/#/calls", "input[type=password]")
		b.Fill("input[type=password]", s.Token)
		b.Slow(c.slow)
		took := since(b, "keydown", allShown, func() { b.Press("Enter") })
		m.add(fmt.Sprintf("sign-in → rows, facets, histogram of %d calls, processor %.0f× slower", calls, c.slow),
			took, c.most, "ms")
		b.Slow(1)
	}
	settle(b)
	var zooms []float64
	for month := range 9 {
		old := b.Run(`document.querySelector(".calls-total").textContent`)
		took := since(b, "hashchange", fmt.Sprintf(`document.querySelector(".calls-total").textContent !== %s &&
			!document.querySelector(".calls-main [aria-busy=true]") && %s`, browsertest.Text(fmt.Sprint(old)), rowsShown),
			func() {
				b.Run(fmt.Sprintf(`location.hash = "#/calls?from=2025-%02[1]d-03&until=2025-%02[1]d-%02[2]d"; 0`, month+1, 11+month))
			})
		zooms = append(zooms, took)
	}
	m.add("any date by the histogram, p95 of 9", percentile(zooms, 95), 200, "ms")
	m.typing(b, s.Base)
	openEditor(b, s.Base+"/ui/#/categories/new")
	b.Run(`(() => { // the longest period: the calls are old
		const period = document.querySelector(".backtest select");
		period.selectedIndex = period.options.length - 1;
		period.dispatchEvent(new Event("change", { bubbles: true }));
		period.dispatchEvent(new Event("input", { bubbles: true }));
	})()`)
	emptyEditor(b)
	took := since(b, "beforeinput", `document.querySelector(".backtest strong") &&
		document.querySelector(".backtest svg, .backtest canvas")`, func() { b.Type(`* SAYS "thank you"`) })
	m.add(fmt.Sprintf("back-test of %d calls, typed → chart", calls), took, 2500, "ms")
}

// within is an expression for an element of the editor, which lies in a shadow tree.
func within(selector string) string {
	return fmt.Sprintf(`[...document.querySelectorAll("main *")].map((e) => e.shadowRoot?.querySelector(%q)).find(Boolean)`,
		selector)
}

// openEditor opens a page with an editor, and empties it.
func openEditor(b *browsertest.Tab, address string) {
	b.Open(address, "main")
	b.Until("the editor is there", within(".cm-content"))
	settle(b)
	emptyEditor(b)
}

// emptyEditor empties the editor.
func emptyEditor(b *browsertest.Tab) {
	b.Run(within(".cm-content") + ".focus()")
	b.Press("a", browsertest.Control)
	b.Press("Delete")
}

// typing measures how soon mistakes are shown while a condition is typed, and words to complete it.
func (m *bars) typing(b *browsertest.Tab, base string) {
	openEditor(b, base+"/ui/#/query")
	mistake, list := within(".cm-lintRange-error, .cm-lintPoint-error"), within(".cm-tooltip-autocomplete li")
	var carets, lists []float64
	for range 20 {
		emptyEditor(b)
		b.Until("no mistake is shown", "!("+mistake+")")
		b.Type("SELECT * FROM media WHERE lenght ")
		carets = append(carets, since(b, "beforeinput", mistake, func() { b.Type("> 3") }))
	}
	m.add("key → caret shown, p95 of 20", percentile(carets, 95), 100, "ms")
	for range 20 {
		emptyEditor(b)
		b.Type("SELECT * FROM media WHERE ")
		b.Press("Escape")
		b.Until("nothing is completed", "!("+list+")")
		lists = append(lists, since(b, "keydown", list, func() { b.Press("l") }))
	}
	m.add("completion, p95 of 20", percentile(lists, 95), 50, "ms")
}

// explore measures the server alone.
func (m *bars) explore(t *testing.T, s *servertest.Server) {
	question, err := json.Marshal(map[string]any{"facets": []string{"metadata:team", "metadata:campaign", "metadata:score",
		"metadata:callDirection", "sentiment", "length"}})
	if err != nil {
		t.Fatal(err)
	}
	var all, rows []float64
	for range 60 {
		began := time.Now()
		if a := s.Do(t, "POST", "/v3/analytics/explore", bytes.NewReader(question)); a.Status != 200 {
			t.Fatal(a)
		}
		all = append(all, time.Since(began).Seconds()*1000)
		began = time.Now()
		s.Do(t, "POST", "/v3/analytics/explore", strings.NewReader(`{"include":["rows"]}`))
		rows = append(rows, time.Since(began).Seconds()*1000)
	}
	m.add(fmt.Sprintf("explore, %d calls, 6 facets, p95 of 60", calls), percentile(all, 95), 120, "ms")
	m.add("  the first one after the start", all[0], 0, "ms")
	m.add("  its rows alone, p95 of 60", percentile(rows, 95), 0, "ms")
}

// percentile returns a percentile of values.
func percentile(values []float64, p int) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[max((len(sorted)*p+99)/100, 1)-1] // nearest rank
}

// turnsOfLong is how many turns a call of three hours has at least.
const turnsOfLong = 2000

// call measures the page of a call of three hours.
func (m *bars) call(t *testing.T) {
	b := browsertest.Open(t)
	full, s := stage.Full(t)
	signIn(b, s.Base, full.Token, "upload")
	settle(b)
	const shown = `document.querySelector(".turns li") && document.querySelector(".turns").getBoundingClientRect().bottom > innerHeight && document.querySelector(".wave canvas")?.width > 100 &&
		performance.getEntriesByType("resource").some((e) => /\/peaks/.test(e.name) && e.responseEnd > 0)`
	b.Run("performance.clearResourceTimings(); performance.setResourceTimingBufferSize(10000); 0")
	took := since(b, "hashchange", shown, func() {
		b.Run(fmt.Sprintf(`location.hash = "#/call/%s"; 0`, full.Items[stage.Long]))
	})
	m.add("3 h, 30,000 words: open → words and waveform", took, 1000, "ms")
	b.Until("all turns are there", fmt.Sprintf(`document.querySelectorAll(".turns li").length >= %d`, turnsOfLong))
	m.add("  all its turns are in the document", b.Run("performance.now() - window.opened").(float64), 0, "ms")
	settle(b)
	m.add("bytes transferred for it", b.Run(`performance.getEntriesByType("resource").filter((e) => !/streams\//.test(e.name)).
		reduce((sum, e) => sum + e.transferSize, 0) / 1000`).(float64), 700, "kB")
	before := heap(b)
	m.add("heap", before, 80, "MB")
	b.Click(".player .play")
	b.Until("it plays", `(() => { const a = document.querySelector("audio"); return a && !a.paused && a.currentTime > 0.3; })()`)
	for _, c := range []struct{ slow, p95, worst float64 }{{1, 17, 50}, {4, 34, 0}} {
		b.Slow(c.slow)
		frames := b.Run(scrolled).([]any)
		b.Slow(1)
		var took []float64
		for _, f := range frames {
			took = append(took, f.(float64))
		}
		m.add(fmt.Sprintf("frames while it scrolls and plays, processor %.0f× slower, p95", c.slow), percentile(took, 95), c.p95, "ms")
		m.add("  the longest", percentile(took, 100), c.worst, "ms")
	}
	b.Open(fmt.Sprintf("%s/ui/#/call/%s", s.Base, full.Items[stage.Long]), ".turns li") // follows again
	settle(b)
	b.Run(fmt.Sprintf(`fetch("/v3/media/%s").then((r) => r.json()).
		then((item) => { window.spoken = item.transcript.words.filter((w) => !w.m); return 0; })`, full.Items[stage.Long]))
	b.Click(".player .play")
	if late := lit(b); len(late) > 0 {
		m.add("word lit against the clock, p95 over 3 h", percentile(late, 95), 50, "ms")
	} else {
		t.Errorf("no word is lit: %v", b.Run(`JSON.stringify([window.spoken.length, window.spoken[3],
			[...CSS.highlights.keys()], [...(CSS.highlights.get("call-said") ?? [])].map((r) => r.toString()),
			[...document.querySelectorAll("audio")].map((a) => [a.currentTime, a.paused, a.seeking, a.readyState, a.src])])`))
	}
	b.Run("delete window.spoken")
	for from := 60; from < 3660; from += 600 {
		b.Run(fmt.Sprintf(`new Promise((done) => { // 16 times as fast, which is as fast as browsers play
			const a = document.querySelector("audio");
			a.currentTime = %d;
			a.playbackRate = 16;
			a.play();
			a.ontimeupdate = () => a.currentTime > %d && done(a.pause() ?? 0);
		})`, from, from+600))
	}
	m.add("heap after an hour of the call was played, growth", heap(b)/before*100-100, 10, "%")
}

// heap returns what the page keeps, in MB.
func heap(b *browsertest.Tab) float64 {
	b.Send("HeapProfiler.collectGarbage", nil)
	return b.Send("Runtime.getHeapUsage", nil)["usedSize"].(float64) / 1e6
}

// scrolled scrolls the turns for five seconds, and returns how long each frame took.
const scrolled = `new Promise((done) => {
	let box = document.querySelector(".turns");
	while (box.parentElement && !(box.scrollHeight > box.clientHeight + 10 && /auto|scroll/.test(getComputedStyle(box).overflowY))) box = box.parentElement;
	if (!/auto|scroll/.test(getComputedStyle(box).overflowY)) box = document.scrollingElement;
	const frames = [], end = performance.now() + 5000;
	let last = performance.now();
	const step = (now) => {
		frames.push(now - last);
		last = now;
		box.scrollTop += 40;
		if (now < end) requestAnimationFrame(step); else done(frames.slice(2));
	};
	requestAnimationFrame(step);
})`

// lit returns how far the words that are lit are from the clock of the sound, in ms, at six places of the call.
func lit(b *browsertest.Tab) (late []float64) {
	for _, at := range []float64{5, 1800, 3600, 5400, 7200, 10500} {
		for _, d := range b.Run(fmt.Sprintf(`new Promise((done) => {
			const a = document.querySelector("audio"), found = [], end = performance.now() + 6000;
			let last = "";
			a.currentTime = %f;
			a.play();
			const look = () => {
				const range = [...(CSS.highlights.get("call-said") ?? [])][0];
				const said = range?.startContainer.data.slice(range.startOffset, range.endOffset);
				const now = range ? said + range.startOffset : "";
				if (!a.seeking && now !== last && now !== "" && last !== "") {
					const t = a.currentTime * 1000, text = said.toLowerCase().replace(/[^\p{L}\p{N}']/gu, "");
					const near = window.spoken.filter((w) => Math.abs(w.s - t) < 1500 && w.w.toLowerCase() === text).map((w) => Math.abs(t - w.s));
					if (near.length > 0) found.push(Math.min(...near));
				}
				last = now;
				if (performance.now() < end) requestAnimationFrame(look); else done(found);
			};
			requestAnimationFrame(look);
		})`, at)).([]any) {
			late = append(late, d.(float64))
		}
	}
	return late
}

// full measures how soon a place sounds.
func (m *bars) full(t *testing.T) {
	b := browsertest.Open(t)
	full, s := stage.Full(t)
	signIn(b, s.Base, full.Token, "upload")
	b.Open(s.Base+"/ui/#/calls?words=slow", ".hit-play")
	settle(b)
	for _, c := range []struct {
		what   string
		pauses int // ms from pointing at it until it is clicked
	}{{"▶ of a hit → sound, p95 of 5", 0}, {"  the same, of people who point at it for 300 ms", 300}} {
		var took []float64
		for i := range 5 {
			b.Run(fmt.Sprintf(`new Promise((done) => {
				window.hit = document.querySelectorAll(".hit-play")[%d];
				window.hit.scrollIntoView({ block: "center" });
				if (%[2]d > 0) window.hit.dispatchEvent(new PointerEvent("pointerenter"));
				setTimeout(() => done(0), %[2]d);
			})`, i, c.pauses))
			took = append(took, since(b, "click", `[...document.querySelectorAll("audio")].some((a) => !a.paused && a.readyState >= 3 && !a.seeking)`,
				func() { b.Run("window.hit.click(); 0") })) // readyState 3: it has the sound that comes next
			b.Run(`for (const a of document.querySelectorAll("audio")) a.pause(); document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true })); 0`)
		}
		t.Log(c.what, took)
		m.add(c.what, percentile(took, 95), 200, "ms")
		b.Open(s.Base+"/ui/#/calls?words=slow", ".hit-play") // nothing is loaded any more
		settle(b)
	}
}

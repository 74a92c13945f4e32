package workbench_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"parley/internal/testkit/browsertest"
	"parley/internal/testkit/servertest"
	"parley/internal/testkit/verify"
	"parley/sample"
)

const (
	agentAndCaller = `"ingest":{"stereo":{"left":{"speakerName":"Agent"},"right":{"speakerName":"Caller"}}}`
	allAnalyses    = agentAndCaller + `,"metrics":[{"metricGroupName":"talk-time-and-rate"},{"metricGroupName":"overtalk"},
		{"metricGroupName":"sentiment"},{"metricGroupName":"talk-style-tone-and-volume"}],"speakerSentiments":true,
		"knowledge":{"enableDiscovery":true},"entity":{"enableEntityExtraction":true},
		"conversation":{"verbNounPairsEnabled":true},"publish":{"enableAnalyticIndexing":true},
		"categories":[{"categoryName":"slow"},{"categoryName":"cancels"}],
		"spotting":{"groups":[{"groupName":"payment"}]},
		"prediction":{"detectors":[{"detectorName":"PCI","redactor":{"transcript":{"replacement":"[card]"}}}]}`
)

// spoken is a turn of a given transcript; its words share its time.
type spoken struct {
	speaker    string
	start, end int64 // ms
	text       string
}

// saidInSample returns the turns of the sample call.
func saidInSample(t *testing.T) []spoken {
	t.Helper()
	turns, err := sample.Turns()
	if err != nil {
		t.Fatal(err)
	}
	list := make([]spoken, len(turns))
	for i, u := range turns {
		list[i] = spoken{u.Speaker, u.Start.Milliseconds(), u.End.Milliseconds(), u.Text}
	}
	return list
}

// given returns turns as a transcript with times. Turns without a speaker are those of one unnamed speaker.
func given(t *testing.T, turns []spoken) servertest.Part {
	t.Helper()
	words := []map[string]any{}
	for _, u := range turns {
		texts := strings.Fields(u.text)
		each := (u.end - u.start) / int64(len(texts))
		if u.speaker != "" {
			words = append(words, map[string]any{"m": "turn", "s": u.start, "e": u.end, "w": u.speaker})
		}
		for i, text := range texts {
			start := u.start + int64(i)*each
			bare := strings.TrimRight(text, ".,?!")
			words = append(words, map[string]any{"s": start, "e": start + each, "w": bare, "c": .3 + .7*float64(i%3)/2})
			if bare != text {
				words = append(words, map[string]any{"m": "punc", "s": start + each, "e": start + each, "w": text[len(bare):]})
			}
		}
	}
	body, err := json.Marshal(map[string]any{"transcript": map[string]any{"words": words}})
	if err != nil {
		t.Fatal(err)
	}
	return servertest.Field("transcript", string(body))
}

// call submits the sample's sound with words, and waits for its result.
func call(t *testing.T, s *servertest.Server, configuration, metadata string, turns []spoken) string {
	t.Helper()
	id := s.Submit(t, servertest.File("media", sample.Name, sample.Call()), given(t, turns),
		servertest.Field("configuration", "{"+configuration+"}"), servertest.Field("metadata", metadata))
	if item := s.Await(t, id); item["status"] != "finished" {
		t.Fatalf("%v", item)
	}
	return id
}

// goTo leads to an address behind #.
func goTo(b *browsertest.Tab, to, element string) {
	b.Run("location.hash = " + browsertest.Text(to))
	b.Await(element)
}

// pointAt clicks on a word of the transcript.
func pointAt(t *testing.T, b *browsertest.Tab, word string) {
	t.Helper()
	at := b.Run(fmt.Sprintf(`(() => {
		for (const p of document.querySelectorAll(".turn > p")) {
			const from = p.firstChild.data.indexOf(%[1]s);
			if (from < 0) continue;
			p.scrollIntoView({ block: "center", behavior: "instant" });
			const range = document.createRange();
			range.setStart(p.firstChild, from + 1);
			range.setEnd(p.firstChild, from + %[1]s.length - 1);
			const r = range.getBoundingClientRect();
			return [r.left + r.width / 2, r.top + r.height / 2];
		}
	})()`, browsertest.Text(word))).([]any)
	b.Mouse("mousePressed", at[0].(float64), at[1].(float64))
	b.Mouse("mouseReleased", at[0].(float64), at[1].(float64))
}

// litWords is an expression for the words that are marked as being said.
const litWords = `[...CSS.highlights.get("call-said")].map((r) => r.startContainer.data.slice(r.startOffset, r.endOffset)).join(" ")`

// second is an expression for the position, in whole seconds.
const second = `Number(document.querySelector(".wave-box").getAttribute("aria-valuenow"))`

// movedAsTheAddressFollows moves to 10 s and, as soon as the address says so, to the beginning. It waits until the page
// has seen the address.
const movedAsTheAddressFollows = `(async () => {
	const box = document.querySelector(".wave-box");
	const press = (key) => box.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
	const next = () => new Promise((done) => {
		const soon = new MessageChannel();
		soon.port1.onmessage = done;
		soon.port2.postMessage(0);
	});
	press("Home");
	press("ArrowRight");
	press("ArrowRight");
	while (!/[?&]t=10000/.test(location.hash)) await next();
	press("Home");
	for (let frame = 0; frame < 12; frame++) await new Promise(requestAnimationFrame);
})()`

func TestACallPlaysWhereSomebodyPoints(t *testing.T) {
	t.Parallel()
	b := browsertest.Open(t)
	s := servertest.Start(t, servertest.Options{})
	id := call(t, s, agentAndCaller, `{"title":"A slow line"}`, saidInSample(t))
	signIn(b, s.Base, s.Token, "calls")
	goTo(b, "#/call/"+id, ".turn")
	b.Await("button.play")
	b.Until("two lanes are drawn for their speakers", `document.querySelectorAll(".channels li").length === 2`)

	pointAt(t, b, "probably") // said from 41 s on
	b.Until("it plays on from the word", `document.querySelector("button.play[aria-label=Pause]") && `+second+` >= 40`)
	b.Until("words are marked as they are said", litWords+` !== ""`)
	b.Press(" ")
	b.Await("button.play[aria-label=Play]")
	b.Until("the address has the moment", `/[?&]t=\d{5}/.test(location.hash)`)
	b.Run("window.before = true, setTimeout(() => location.reload(), 10), 0")
	b.Until("the moment is there after loading anew", `!window.before && document.querySelectorAll(".channels li").length === 2 && `+second+` >= 40`)

	b.Press("0")
	b.Click(".wave-box")
	b.Until("a click in the middle of the waveform leads to the middle", `Math.abs(`+second+` - 42) <= 2`)
	at := b.Run(second).(float64)
	b.Press("j")
	b.Until("5 s back", fmt.Sprintf("%s === %v", second, at-5))
	b.Press("l")
	b.Until("5 s on", fmt.Sprintf("%s === %v", second, at))
	b.Press("Home")
	b.Until("at the beginning", second+" === 0")
	b.Press("]")
	b.Press("]")
	b.Until("at the second turn", second+` === 6`)
	b.Press(".")
	b.Until("the word is marked", litWords+` === "Laura"`)
	b.Press(",")
	b.Until("the word before is marked", litWords+` === "Hi"`)
	b.Until("the slider says who speaks",
		`document.querySelector(".wave-box").getAttribute("aria-valuetext") === "6 s of 1 min 24 s, Caller speaks"`)

	b.Press("f")
	b.Type("thank you")
	b.AwaitText(".find .count", "1 of 5")
	b.Press("Enter")
	b.AwaitText(".find .count", "2 of 5")
	b.Press("Escape")
	b.Run(`document.querySelector(".turn a").focus()`)
	b.Press("ArrowDown")
	b.Press("Enter")
	b.Until("Enter plays a turn", `document.querySelector("button.play[aria-label=Pause]")`)
	b.Click("=Solo Agent")
	b.Await(`[aria-label="Mute Caller"][aria-pressed=true]`)
	b.Run(`document.querySelector(".wave-box").focus()`)
	b.Press("Home")
	b.Until("a channel alone keeps its clock", second+" <= 1")
	b.Press(" ")
	b.Run(movedAsTheAddressFollows)
	b.Until("the last move counts", second+" === 0")
	if found := b.Problems(); len(found) > 0 {
		t.Errorf("the page complains: %v", found)
	}
}

func TestACallShowsAllItsResultsAndWhy(t *testing.T) {
	t.Parallel()
	b := browsertest.Open(t)
	s := servertest.Start(t, servertest.Options{})
	for path, body := range map[string]string{
		"categories/slow":         `{"query":"\"Caller\" SAYS \"very slow\""}`,
		"categories/cancels":      `{"query":"\"Agent\" SAYS \"very slow\" AND length > 60000"}`,
		"spotting/groups/payment": `{"keywords":["credit card","refund"]}`,
	} {
		if a := s.Do(t, http.MethodPut, "/v3/definition/"+path, strings.NewReader(body)); a.Status >= 300 {
			t.Fatal(a)
		}
	}
	id := call(t, s, allAnalyses, `{"title":"A slow line","extended":{"price":1.50}}`, saidInSample(t))
	call(t, s, allAnalyses, `{}`, saidInSample(t)[2:])
	signIn(b, s.Base, s.Token, "calls")
	goTo(b, "#/call/"+id+"?q="+url.QueryEscape(`* SAYS "router"`), ".turn")
	b.AwaitText(".hits", "3 hits")
	b.Press("n")
	b.AwaitText(".hits", "Hit 1 of 3")
	b.Until("it plays the first", second+" >= 35")
	b.Press(" ")
	b.AwaitText("#call-panel", "Compared with 2 calls", "%")
	b.Until("the replacement of the card is marked", `CSS.highlights.get("call-hidden") !== undefined &&
		document.querySelector(".turns").textContent.includes("[card]")`)
	for tab, shown := range map[string]string{
		"Sentiment": "very slow", "Topics": "relevance", "Entities": "Daniel", "Keywords": "router", "Spotting": "payment",
		"Verbs": "Caller", "Predictions": "pci", "Deliveries": "names no receiver", "Categories": "cancels",
	} {
		b.Run("document.getElementById(" + browsertest.Text("call-"+strings.ToLower(tab)) + ").click()") // while it scrolls
		b.AwaitText("#call-panel", shown)
	}
	b.Run("document.getElementById('call-categories').click()")
	b.Click("=Why not cancels?")
	b.AwaitText(".why", "does not hold", "said by Caller")
	for _, dark := range []bool{false, true} {
		b.Dark(dark)
		b.Shoot(fmt.Sprintf("call-%v", dark))
		if found := b.Axe(); len(found) > 0 {
			t.Errorf("%s", strings.Join(found, "\n"))
		}
	}
	b.Size(320, 800)
	b.Await("#call-transcript")
	b.Run("document.getElementById('call-transcript').click()")
	b.Await(".turn")
	if wide := b.Run("document.documentElement.scrollWidth"); wide.(float64) > 320 {
		t.Errorf("the page is %v wide on a screen of 320", wide)
	}
	b.Shoot("call-320")
	b.Size(1440, 1000)
	metadataConflict(t, b, s, id)
	if found := b.Problems(); len(found) > 1 { // the refused change is one
		t.Errorf("the page complains: %v", found)
	}
}

// metadataConflict changes the title while somebody else changes other metadata: no change is lost, and no number
// changes its form.
func metadataConflict(t *testing.T, b *browsertest.Tab, s *servertest.Server, id string) {
	t.Helper()
	b.Run("document.getElementById('call-metadata').click()")
	b.Fill("=Title", "Of the page")
	s.Do(t, http.MethodPut, "/v3/media/"+id+"/metadata",
		strings.NewReader(`{"title":"Of another","externalId":"other","extended":{"price":1.50}}`))
	b.Click("=Save")
	b.AwaitText(".conflict", "Of the page", "Of another", "externalId")
	b.Click("=Put my changes on theirs")
	b.AwaitText("h1", "Of the page")
	body := string(s.Get(t, "/v3/media/"+id+"/metadata").Body)
	for _, want := range []string{`"Of the page"`, `"other"`, `1.50`} {
		if !strings.Contains(body, want) {
			t.Errorf("the metadata lacks %s: %s", want, body)
		}
	}
}

func TestACallSaysWhyThereIsLess(t *testing.T) {
	t.Parallel()
	b := browsertest.Open(t)
	gate := servertest.NewGate()
	s := servertest.Start(t, servertest.Options{Recognizer: gate})
	signIn(b, s.Base, s.Token, "calls")

	failed := s.Submit(t, servertest.File("media", "x.wav", []byte("no sound")))
	s.Await(t, failed)
	goTo(b, "#/call/"+failed, ".failed")
	b.AwaitText(".failed", "Processing failed", "code 10", "Process again")

	running := s.Submit(t, servertest.File("media", "tone.wav", servertest.Tone(4, 1)))
	<-gate.Entered
	goTo(b, "#/call/"+running, ".steps")
	b.AwaitText(".steps", "Being processed", "%")
	gate.Open()
	b.Await(".turn")
	b.Until("the only speaker has no lanes to choose", `document.querySelector(".channels") === null`)
	b.AwaitText("#call-panel", "Not computed", "metrics", "Process again…")

	sealed := s.Seal(t, "default", []byte("sealed"), []byte("sealed"))
	goTo(b, "#/call/"+sealed, ".call .button.primary")
	b.AwaitText("main", "Only the holder of the key can read it", "Download encrypted")

	for text, want := range map[string]string{"שלום מדברת לורה": "rtl", "您好 请问 有": "ltr"} {
		id := call(t, s, "", `{"title":"<b>`+text+`</b>"}`, []spoken{{"", 500, 5000, text}})
		goTo(b, "#/call/"+id, ".turn p")
		b.AwaitText("h1", "<b>"+text+"</b>")
		if got := b.Run(`getComputedStyle(document.querySelector(".turn p")).direction`); got != want {
			t.Errorf("%s runs %v", text, got)
		}
	}
	if got := b.Run(`document.querySelector(".turn p").textContent`); got != "您好请问有" && got != "שלום מדברת לורה" {
		t.Errorf("the words are joined as %q", got)
	}
	goTo(b, "#/call/00000000-0000-7000-8000-000000000000", ".empty")
	b.AwaitText(".empty", "There is no such call")
	for _, p := range b.Problems() {
		if !strings.Contains(p, "404") {
			t.Errorf("the page complains: %s", p)
		}
	}
}

// TestACallOfThirtyThousandWordsHasATextNodeForEachTurn also logs what a page of that size costs.
func TestACallOfThirtyThousandWordsHasATextNodeForEachTurn(t *testing.T) {
	verify.Long(t)
	t.Parallel()
	b := browsertest.Open(t)
	s := servertest.Start(t, servertest.Options{})
	var turns []spoken
	for i := range int64(2500) {
		turns = append(turns, spoken{[]string{"Agent", "Caller"}[i%2], i * 33, i*33 + 32,
			strings.Repeat("words of a long call ", 2) + "are said here."})
	}
	id := call(t, s, "", `{"title":"Long"}`, turns)
	signIn(b, s.Base, s.Token, "calls")
	goTo(b, "#/call/"+id, ".turn")
	b.Until("all turns are there, which come in portions", `document.querySelectorAll(".turn > p").length === 2500`)
	if n := b.Run(`[...document.querySelectorAll(".turn > p")].filter((p) => p.childNodes.length !== 1).length`); n != 0.0 {
		t.Errorf("%v turns have more than a text node", n)
	}
	t.Logf("scrolling: %v", b.Frames(60, "(i) => scrollBy(0, 60)"))
	t.Logf("heap: %d kB", b.Heap()/1000)
}

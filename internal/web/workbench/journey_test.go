package workbench_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/internal/testkit/browsertest"
	"parley/internal/testkit/servertest"
	"parley/sample"
)

// asTold returns the words of the sample call, spread over their turns, as a transcript for an upload.
func asTold(t *testing.T) string {
	t.Helper()
	turns, err := sample.Turns()
	if err != nil {
		t.Fatal(err)
	}
	type word struct {
		S int64  `json:"s"`
		E int64  `json:"e"`
		W string `json:"w"`
		M string `json:"m,omitempty"`
	}
	var words []word
	for _, turn := range turns {
		start, said := turn.Start.Milliseconds(), strings.Fields(turn.Text)
		words = append(words, word{start, start, turn.Speaker, "turn"})
		step := (turn.End.Milliseconds() - start) / int64(len(said))
		for i, w := range said {
			words = append(words, word{start + int64(i)*step, start + int64(i+1)*step, w, ""})
		}
	}
	text, err := json.Marshal(map[string]any{"words": words})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// clock is where the audio of the call's page stands, in milliseconds.
const clock = `document.querySelector(".call-audio").currentTime * 1000`

func TestAQuestionLeadsToTheSecondOfAudioThatAnswersIt(t *testing.T) {
	b := browsertest.Open(t)
	s := servertest.Start(t, servertest.Options{})
	id := s.Submit(t, servertest.File("media", sample.Name, sample.Call()), servertest.Field("transcript", asTold(t)),
		servertest.Field("configuration", sample.Complete), servertest.Field("metadata", sample.Metadata))
	s.Await(t, id)
	b.Send("Browser.setDownloadBehavior", map[string]any{"behavior": "allow", "downloadPath": t.TempDir()})
	signIn(b, s.Base, s.Token, "calls")

	// find the call by words, and play the hit
	b.Fill("=Words said in calls", `"very slow"`)
	b.Press("Enter")
	b.AwaitText("main", "Sample call", "very slow")
	b.Shoot("journey-found")
	b.Click(".hit-play")
	b.Until("the hit is heard", `document.querySelector(".hit-play[aria-pressed=true][aria-busy=false]")`)
	start := s.Get(t, "/v3/media/"+id).JSON(t)
	if start["status"] != "finished" {
		t.Fatalf("%v", start["status"])
	}
	b.Press("Escape")

	// open the call at the hit
	b.Click(".hit-time")
	b.AwaitText("h1", "Sample call")
	at := b.Run(`Number(new URLSearchParams(location.hash.split("?")[1]).get("t"))`).(float64)
	b.Until("the audio stands at the hit", fmt.Sprintf("Math.abs(%s - %v) < 1100", clock, at))
	b.Shoot("journey-call")

	// a click on a word plays it
	b.Until("the words are there", `document.querySelector(".turns li")`)
	b.Run(`(() => { // the middle of the word "router" in the text of its turn
		const texts = document.createTreeWalker(document.querySelector(".turns"), NodeFilter.SHOW_TEXT);
		for (let n; (n = texts.nextNode()); ) {
			const i = n.data.indexOf("router");
			if (i < 0) continue;
			n.parentElement.scrollIntoView({ block: "center" });
			const range = document.createRange();
			range.setStart(n, i); range.setEnd(n, i + 6);
			const r = range.getBoundingClientRect();
			window.router = [r.left + r.width / 2, r.top + r.height / 2];
			return;
		}
	})()`)
	place := b.Run("window.router").([]any)
	b.Mouse("mousePressed", place[0].(float64), place[1].(float64))
	b.Mouse("mouseReleased", place[0].(float64), place[1].(float64))
	word := b.Run(`fetch("../v3/media/` + id + `").then((r) => r.json()).then((m) =>
		m.transcript.words.find((w) => w.w.startsWith("router")).s)`).(float64)
	b.Until("the clock stands at the word", fmt.Sprintf("Math.abs(%s - %v) < 1500", clock, word))

	// a question with a mistake: the caret stands at its place, and the fix is applied
	b.Open(s.Base+"/ui/#/query", ".editor")
	b.Until("the editor is there", `document.querySelector(".editor").shadowRoot.querySelector(".cm-content")`)
	b.Run(`document.querySelector(".editor").shadowRoot.querySelector(".cm-content").focus()`)
	b.Press("a", browsertest.Control)
	b.Type(`SELECT mediaId, metadata:title, hits() FROM media WHERE "Caller" SAYS "very slow" AND lenght > 1000`)
	b.AwaitText(".problems", "lenght", "Use length")
	column := b.Run(`document.querySelector(".caret").textContent.split("\n")[1].indexOf("^")`).(float64)
	shown := b.Run(`document.querySelector(".caret").textContent.split("\n")[0]`).(string)
	if !strings.HasPrefix(string([]rune(shown)[int(column):]), "lenght") {
		t.Errorf("the caret stands at %v of %q", column, shown)
	}
	b.Shoot("journey-mistake")
	b.Click("=Use length")
	b.Until("the mistake is gone", `document.querySelector(".problems").childElementCount === 0`)
	b.Press("Enter", browsertest.Control)
	b.AwaitText(".results", "1 call", "very slow", "Sample call")
	b.Shoot("journey-answer")

	// make it a category, back-test it, save it
	b.Click("=Make it a category")
	b.Fill("=Name", "slow-line")
	b.AwaitText(".backtest", "1 call", "of 1, 100 %")
	b.Click("=Save")
	b.Until("the category has its page", `location.hash.startsWith("#/categories/slow-line")`)
	b.AwaitText(".backtest", "The saved condition finds the same calls")

	// another condition loses the call; what is saved stays
	edit(b, `"Caller" SAYS "very fast"`)
	b.AwaitText(".backtest", "0 gained", "1 lost")
	b.Shoot("journey-lost")
	b.Click("=Discard changes")
	b.AwaitText(".backtest", "The saved condition finds the same calls")

	// apply it to the past; it shows on the call and in the dashboard
	b.Click("=Apply to past calls")
	b.AwaitText("main", "1 calls judged, 1 match")
	b.Open(s.Base+"/ui/#/call/"+id+"?tab=categories", "#call-panel")
	b.AwaitText("#call-panel", "slow-line")
	b.Open(s.Base+"/ui/#/dashboards/builtin-categories", ".tiles")
	b.AwaitText(".tiles", "slow-line", "1")
	b.Shoot("journey-dashboard")

	// why did this call not match another one
	putCategory(t, s, "fast-line", `"Agent" SAYS "very slow"`)
	b.Open(s.Base+"/ui/#/categories/fast-line", ".backtest")
	b.Click("=Apply to past calls")
	b.AwaitText("main", "1 calls judged, 0 match")
	b.Open(s.Base+"/ui/#/call/"+id+"?tab=categories", "#call-panel")
	b.Click("=Why not fast-line?")
	b.AwaitText(".why-misses", "it is said by Caller")
	b.Shoot("journey-why")

	// download the captions
	downloads := t.TempDir()
	b.Send("Browser.setDownloadBehavior", map[string]any{"behavior": "allow", "downloadPath": downloads})
	b.Click("=Download")
	b.Click("=Captions (SRT)")
	b.Until("the file is there", "true")
	until(t, "the captions are saved", func() bool {
		files, _ := filepath.Glob(filepath.Join(downloads, "*.srt"))
		if len(files) == 0 {
			return false
		}
		text, err := os.ReadFile(files[0])
		return err == nil && strings.Contains(string(text), "-->")
	})
	for _, problem := range b.Problems() {
		t.Errorf("the page complains: %s", problem)
	}
}

// edit replaces the text of the editor.
func edit(b *browsertest.Tab, text string) {
	b.Until("the editor is there", `document.querySelector(".editor")?.shadowRoot?.querySelector(".cm-content")`)
	b.Run(`document.querySelector(".editor").shadowRoot.querySelector(".cm-content").focus()`)
	b.Press("a", browsertest.Control)
	b.Type(text)
}

func putCategory(t *testing.T, s *servertest.Server, name, condition string) {
	t.Helper()
	body, err := json.Marshal(map[string]string{"query": condition})
	if err != nil {
		t.Fatal(err)
	}
	if a := s.Do(t, "PUT", "/v3/definition/categories/"+name, strings.NewReader(string(body))); a.Status != 200 {
		t.Fatalf("%s", a)
	}
}

func TestASessionEndsWithItsKey(t *testing.T) {
	b := browsertest.Open(t)
	s := servertest.Start(t, servertest.Options{})
	key := s.Do(t, "POST", "/v3/profile/keys", strings.NewReader(`{"description":"a manager"}`)).JSON(t)
	signIn(b, s.Base, key["bearerToken"].(string), "calls")
	b.AwaitText("main", "Calls")
	if a := s.Do(t, "DELETE", "/v3/profile/keys/"+key["id"].(string), nil); a.Status != 204 {
		t.Fatalf("%s", a)
	}
	b.Click("=Admin")
	b.AwaitText("h1", "Sign in to Parley")
	if kept := b.Run(`JSON.stringify({ ...localStorage, ...sessionStorage })`); kept != "{}" {
		t.Errorf("the browser keeps %v", kept)
	}
}

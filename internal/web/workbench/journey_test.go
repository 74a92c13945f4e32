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

// clock is where the audio of the call's page stands, in milliseconds.
const clock = `document.querySelector(".call-audio").currentTime * 1000`

func TestAQuestionLeadsToTheSecondOfAudioThatAnswersIt(t *testing.T) {
	t.Parallel()
	b := browsertest.Open(t)
	s := servertest.Start(t, servertest.Options{})
	id := s.Submit(t, servertest.File("media", sample.Name, sample.Call()), given(t, saidInSample(t)),
		servertest.Field("configuration", sample.Complete), servertest.Field("metadata", sample.Metadata))
	s.Await(t, id)
	b.Send("Browser.setDownloadBehavior", map[string]any{"behavior": "allow", "downloadPath": t.TempDir()})
	signIn(b, s.Base, s.Token, "calls")
	for _, step := range []func(*testing.T, *browsertest.Tab, *servertest.Server, string){playTheHit, openAtTheHit, playAWord,
		mendAndRun, makeACategory, applyTheCategory, askWhyNot, saveCaptions} {
		step(t, b, s, id)
	}
	for _, problem := range b.Problems() {
		t.Errorf("the page complains: %s", problem)
	}
}

// playTheHit finds the call by words, and plays the hit.
func playTheHit(t *testing.T, b *browsertest.Tab, s *servertest.Server, id string) {
	t.Helper()
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
}

// openAtTheHit opens the call where the hit is.
func openAtTheHit(t *testing.T, b *browsertest.Tab, _ *servertest.Server, _ string) {
	t.Helper()
	b.Click(".hit-time")
	b.AwaitText("h1", "Sample call")
	at := b.Run(`Number(new URLSearchParams(location.hash.split("?")[1]).get("t"))`).(float64)
	b.Until("the audio stands at the hit", fmt.Sprintf("Math.abs(%s - %v) < 1100", clock, at))
	b.Shoot("journey-call")
}

// playAWord clicks on a word, and hears it.
func playAWord(t *testing.T, b *browsertest.Tab, _ *servertest.Server, id string) {
	t.Helper()
	b.Until("the words are there", `document.querySelector(".turns li")`)
	pointAt(t, b, "router")
	word := b.Run(`fetch("../v3/media/` + id + `").then((r) => r.json()).then((m) =>
		m.transcript.words.find((w) => w.w.startsWith("router")).s)`).(float64)
	b.Until("the clock stands at the word", fmt.Sprintf("Math.abs(%s - %v) < 1500", clock, word))
}

// mendAndRun asks with a mistake: the caret stands at its place, and the fix is applied.
func mendAndRun(t *testing.T, b *browsertest.Tab, s *servertest.Server, _ string) {
	t.Helper()
	b.Open(s.Base+"/ui/#/query", ".editor")
	edit(b, `SELECT mediaId, metadata:title, hits() FROM media WHERE "Caller" SAYS "very slow" AND lenght > 1000`)
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
}

// makeACategory makes the question a category, tries it and saves it; another condition loses the call, and is discarded.
func makeACategory(t *testing.T, b *browsertest.Tab, _ *servertest.Server, _ string) {
	t.Helper()
	b.Click("=Make it a category")
	b.Fill("=Name", "slow-line")
	b.AwaitText(".backtest", "1 call", "of 1, 100 %")
	b.Click("=Save")
	b.Until("the category has its page", `location.hash.startsWith("#/categories/slow-line")`)
	b.AwaitText(".backtest", "The saved condition finds the same calls")

	edit(b, `"Caller" SAYS "very fast"`)
	b.AwaitText(".backtest", "0 gained", "1 lost")
	b.Shoot("journey-lost")
	b.Click("=Discard changes")
	b.AwaitText(".backtest", "The saved condition finds the same calls")
}

// applyTheCategory applies the category to the past: it shows on the call and in the dashboard.
func applyTheCategory(t *testing.T, b *browsertest.Tab, s *servertest.Server, id string) {
	t.Helper()
	b.Click("=Apply to past calls")
	b.AwaitText("main", "1 calls judged, 1 match")
	b.Open(s.Base+"/ui/#/call/"+id+"?tab=categories", "#call-panel")
	b.AwaitText("#call-panel", "slow-line")
	b.Open(s.Base+"/ui/#/dashboards/builtin-categories", ".tiles")
	b.AwaitText(".tiles", "slow-line", "1")
	b.Shoot("journey-dashboard")
}

// askWhyNot asks why the call does not match another category.
func askWhyNot(t *testing.T, b *browsertest.Tab, s *servertest.Server, id string) {
	t.Helper()
	putCategory(t, s, "fast-line", `"Agent" SAYS "very slow"`)
	b.Open(s.Base+"/ui/#/categories/fast-line", ".backtest")
	b.Click("=Apply to past calls")
	b.AwaitText("main", "1 calls judged, 0 match")
	b.Open(s.Base+"/ui/#/call/"+id+"?tab=categories", "#call-panel")
	b.Click("=Why not fast-line?")
	b.AwaitText(".why-misses", "it is said by Caller")
	b.Shoot("journey-why")
}

// saveCaptions downloads the captions.
func saveCaptions(t *testing.T, b *browsertest.Tab, _ *servertest.Server, _ string) {
	t.Helper()
	downloads := t.TempDir()
	b.Send("Browser.setDownloadBehavior", map[string]any{"behavior": "allow", "downloadPath": downloads})
	b.Click("=Download")
	b.Click("=Captions (SRT)")
	until(t, "the captions are saved", func() bool {
		files, _ := filepath.Glob(filepath.Join(downloads, "*.srt"))
		if len(files) == 0 {
			return false
		}
		text, err := os.ReadFile(files[0])
		return err == nil && strings.Contains(string(text), "-->")
	})
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
	t.Parallel()
	b := browsertest.Open(t)
	s := servertest.Start(t, servertest.Options{})
	key := s.Do(t, "POST", "/v3/profile/keys", strings.NewReader(`{"description":"a manager"}`)).JSON(t)
	signIn(b, s.Base, key["bearerToken"].(string), "calls")
	b.AwaitText("main", "Calls")
	if a := s.Do(t, "DELETE", "/v3/profile/keys/"+key["id"].(string), nil); a.Status != 204 {
		t.Fatalf("%s", a)
	}
	b.Run(`location.hash = "#/admin"`) // a request in progress may have led to the sign-in before
	b.AwaitText("h1", "Sign in to Parley")
	if kept := b.Run(`JSON.stringify({ ...localStorage, ...sessionStorage })`); kept != "{}" {
		t.Errorf("the browser keeps %v", kept)
	}
}

package workbench_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"parley/internal/testkit/browsertest"
	"parley/internal/testkit/servertest"
	"parley/internal/words/account"
	"parley/sample"
)

// sampleParts are the sample call with its reference transcript, in which a category finds a phrase.
func sampleParts(t *testing.T) []servertest.Part {
	t.Helper()
	configuration := strings.TrimSuffix(sample.Configuration, "}") +
		`,"categories":[{"allCategories":true}],"metrics":[{"metricGroupName":"talk-time-and-rate"},` +
		`{"metricGroupName":"overtalk"},{"metricGroupName":"sentiment"}]}`
	return []servertest.Part{servertest.File("media", sample.Name, sample.Call()),
		servertest.Field("configuration", configuration), given(t, saidInSample(t)),
		servertest.Field("metadata", `{"title":"Sample call","externalId":"sample","extended":{"team":"West"}}`)}
}

// quiet fails if the page has complained.
func quiet(t *testing.T, b *browsertest.Tab, where string) {
	t.Helper()
	if problems := b.Problems(); len(problems) > 0 {
		t.Errorf("%s: the page complains: %s", where, strings.Join(problems, "\n"))
	}
}

// accessible fails if axe finds something in light or dark colours, or if the page is wider than its window.
func accessible(t *testing.T, b *browsertest.Tab, where string) {
	t.Helper()
	for _, dark := range []bool{true, false} {
		b.Dark(dark)
		if found := b.Axe(); len(found) > 0 {
			t.Errorf("%s, dark %v:\n%s", where, dark, strings.Join(found, "\n"))
		}
		b.Shoot(fmt.Sprintf("%s-dark-%v", where, dark))
	}
	if b.Run("document.documentElement.scrollWidth > innerWidth") == true {
		t.Errorf("%s: the page is wider than its window", where)
	}
}

// TestFromWordsToTheSecondOfSound finds the sample call, plays a place of it, restricts the list by facet, period and
// condition, keeps a view, and deletes the call, mostly by the keyboard.
func TestFromWordsToTheSecondOfSound(t *testing.T) {
	t.Parallel()
	b := browsertest.Open(t)
	s := servertest.Start(t, servertest.Options{})
	signIn(b, s.Base, s.Token, "calls")
	b.AwaitText(".calls-main", "There are no calls yet", "sample call")
	accessible(t, b, "calls-empty")

	s.Do(t, http.MethodPut, "/v3/definition/categories/slow", strings.NewReader(
		`{"categoryName":"slow","categoryDescription":"slow","query":"* SAYS \"very slow\""}`))
	id := s.Submit(t, sampleParts(t)...)
	s.Await(t, id)
	b.Until("the new call comes by itself", `document.querySelector(".calls-row")?.textContent.includes("Sample call")`)
	other := s.Submit(t, servertest.File("media", "tone.wav", servertest.Tone(2, 1)))
	s.Await(t, other)
	broken := s.Submit(t, servertest.File("media", "call.wav", []byte("this is no recording")))
	b.Until("the failed one comes by itself", `document.querySelector(".calls-failed")?.textContent.includes("1 call failed")`)
	b.Click(".calls-failed")
	b.AwaitText(".calls-job-list", broken, "code ", "Process again")
	b.Until("both are listed", `document.querySelectorAll(".calls-row").length === 2`)
	accessible(t, b, "calls-full")

	for _, step := range []func(*testing.T, *browsertest.Tab, *servertest.Server, string){listedByWords, restricted,
		savedView, askedByCondition, deleted} {
		step(t, b, s, id)
	}
	quiet(t, b, "at the end")
}

// listedByWords finds the call by words, plays its hit, opens it, and comes back to the list as it was.
func listedByWords(t *testing.T, b *browsertest.Tab, _ *servertest.Server, id string) {
	t.Helper()
	b.Press("/")
	b.Type("very slow")
	b.Press("Enter")
	b.AwaitText(".calls-total", "1 call")
	b.AwaitText(".calls-row .hit", "very slow", "since Monday", "Caller")
	if hash := b.Run("location.hash"); hash != "#/calls?words=very+slow" {
		t.Errorf("the address is %v", hash)
	}
	b.Press("Escape")
	b.Press("j")
	b.Until("the call has the focus", `document.activeElement.dataset.row === "0"`)
	b.Press(" ")
	b.Until("the place sounds", `(() => { const a = document.querySelector("audio");
		return !a.paused && a.currentTime > 0 && new URL(a.src).pathname.endsWith("/clip") && new URL(a.src).searchParams.get("s") > 5000; })()`)
	b.Await(`.hit-play[aria-pressed="true"]`)
	accessible(t, b, "calls-words")
	b.Press("Escape")
	b.Until("it is silent", `document.querySelector("audio").paused`)
	b.Press("Enter")
	b.Until("the call opens", `location.hash === "#/call/`+id+`"`)
	b.Run("history.back()")
	b.Until("the list is as it was", `document.querySelector(".calls-row .hit")?.textContent.includes("very slow") &&
		document.querySelector(".calls-bar input").value === "very slow"`)
}

// restricted narrows the list by a value and by its opposite; the address keeps both.
func restricted(t *testing.T, b *browsertest.Tab, _ *servertest.Server, _ string) {
	t.Helper()
	b.Click("=West")
	b.AwaitText(".calls-chips", "team", "West")
	b.Await(".calls-row")
	b.Send("Page.reload", nil)
	b.AwaitText(".calls-chips", "team", "West")
	b.AwaitText(".calls-total", "1 call")
	b.Click(`[aria-label="Remove team West"]`)
	b.Click(`[aria-label="Not West"]`)
	b.AwaitText(".calls-main .empty", "No call meets all of this", "the words very slow", "1 call", "not team: West", "50 %")
	accessible(t, b, "calls-nothing")
	b.Click("=Remove all")
	b.Until("all are listed", `document.querySelectorAll(".calls-row").length === 2`)

	b.Run(`document.querySelector("[role=slider]").focus()`)
	b.Press("End")
	b.Press("Enter")
	b.Until("the period is in the address", `/from=\d{4}-\d\d-\d\d.*&until=\d{4}/.test(location.hash)`)
	b.AwaitText(".calls-total", "2 calls")
	b.Click(`[aria-label="Remove the period"]`)
}

// savedView saves what restricts the list as a view, takes it up again and deletes it.
func savedView(t *testing.T, b *browsertest.Tab, _ *servertest.Server, _ string) {
	t.Helper()
	b.Click("=en-US")
	b.AwaitText(".calls-chips", "Language", "en-US")
	b.Click("=Views")
	b.Click("=Save this view")
	b.Await("dialog input")
	b.Fill("dialog input", "In English")
	b.Press("Enter")
	b.AwaitText(".messages", "The view In English is saved.")
	b.Click(`[aria-label="Remove Language en-US"]`)
	b.Until("nothing restricts the list", `!document.querySelector(".calls-chips")`)
	b.Click("=Views")
	b.Click("=In English")
	b.AwaitText(".calls-chips", "Language", "en-US")
	b.Click(`[aria-label="Remove Language en-US"]`)
	b.Click("=Views")
	b.Click(`[aria-label="Delete the view In English"]`)
	b.AwaitText(".messages", "The view In English is deleted.")
}

// askedByCondition asks with a mistake and without; the list is usable in narrow windows.
func askedByCondition(t *testing.T, b *browsertest.Tab, _ *servertest.Server, _ string) {
	t.Helper()
	b.Click("=Condition")
	b.Type("lenght > 3")
	b.Press("Enter")
	b.AwaitText(".calls-bar .problem", "did you mean length?", "95081")
	accessible(t, b, "calls-mistake")
	b.Problems() // the refusal is in the console
	b.Fill(".calls-bar input", `"Caller" SAYS "very slow" AND length > 60000`)
	b.Press("Enter")
	b.AwaitText(".calls-total", "1 call")
	for _, width := range []int{390, 320} {
		b.Size(width, 800)
		accessible(t, b, fmt.Sprintf("calls-%d", width))
	}
	b.Click("=Filters")
	b.AwaitText(".calls-side", "Language", "Categories")
	accessible(t, b, "calls-drawer")
	b.Size(1440, 1000)
	quiet(t, b, "before the bulk")
}

// deleted deletes the call that is selected.
func deleted(t *testing.T, b *browsertest.Tab, s *servertest.Server, id string) {
	t.Helper()
	b.Press("x")
	b.AwaitText(".calls-bulk", "1 call selected")
	b.Click("=Delete")
	b.AwaitText("dialog", "Delete 1 call?", "cannot be undone")
	accessible(t, b, "calls-delete")
	b.Click(".dialog .danger")
	b.AwaitText(".calls-main .empty", "No call meets this")
	if answer := s.Get(t, "/v3/media/"+id); answer.Status != http.StatusNotFound {
		t.Errorf("the call is still there: %s", answer)
	}
}

// TestKeysWithoutTheContentsSeeFiguresOnly signs in with the scope analytics alone.
func TestKeysWithoutTheContentsSeeFiguresOnly(t *testing.T) {
	t.Parallel()
	b := browsertest.Open(t)
	s := servertest.Start(t, servertest.Options{})
	s.Await(t, s.Submit(t, sampleParts(t)...))
	signIn(b, s.Base, s.As(t, account.DefaultName, account.Analytics).Token, "calls")
	b.AwaitText(".calls-total", "1 call")
	b.Await(".calls-row")
	text := b.Run("document.querySelector('main').innerText").(string)
	if strings.Contains(text, "Sample call") || strings.Contains(text, "West") || strings.Contains(text, "Process again") {
		t.Errorf("the page shows contents: %s", text)
	}
	accessible(t, b, "calls-figures")
	quiet(t, b, "with figures only")
}

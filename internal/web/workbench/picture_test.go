package workbench_test

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"parley/internal/testkit/browsertest"
	"parley/internal/testkit/stage"
)

// TestPictures takes pictures of all pages in both themes, on wide and narrow windows, full and empty, if
// PARLEY_SCREENSHOTS names a folder (make screenshots). Those of README and docs go to docs/pictures.
func TestPictures(t *testing.T) {
	folder := os.Getenv("PARLEY_SCREENSHOTS")
	if folder == "" {
		t.Skip("PARLEY_SCREENSHOTS names no folder")
	}
	b := browsertest.Open(t)
	full, server := stage.Full(t)
	signIn(b, server.Base, full.Token, "upload")
	for _, p := range pages(t, full.Items[stage.Sample]) {
		everyLook(b, func(look string) {
			visit(b, server.Base, p)
			picture(t, b, filepath.Join(folder, p.name+"-full-"+look+".webp"), 80)
		})
	}
	if !t.Run("docs", func(t *testing.T) { documented(t, b, server.Base, full) }) {
		return
	}
	b = browsertest.Open(t)
	empty := stage.Empty(t)
	signIn(b, empty.Base, empty.Token, "upload")
	for _, p := range pages(t, noCall) {
		everyLook(b, func(look string) {
			visit(b, empty.Base, p)
			picture(t, b, filepath.Join(folder, p.name+"-empty-"+look+".webp"), 80)
		})
	}
}

// everyLook calls f for each theme and width, with its name.
func everyLook(b *browsertest.Tab, f func(look string)) {
	for _, dark := range []bool{false, true} {
		for _, width := range []int{1440, 390} {
			b.Dark(dark)
			b.Size(width, map[int]int{1440: 1000, 390: 800}[width])
			f(fmt.Sprintf("%s-%d", map[bool]string{false: "light", true: "dark"}[dark], width))
		}
	}
	b.Dark(false)
	b.Size(1440, 1000)
}

// maxPicture is the largest size of a picture in docs, in bytes.
const maxPicture = 150_000

// documented takes the pictures of docs: each shows a page at an address once an expression is true.
func documented(t *testing.T, b *browsertest.Tab, base string, full *stage.Stage) {
	b.Size(1440, 900)
	statement := `SELECT metadata:team, count(*) AS calls, avg(sentiment) AS mood FROM media ` +
		`WHERE "caller" SAYS "cancel" GROUP BY metadata:team ORDER BY calls DESC`
	for _, d := range []struct{ name, address, until string }{
		{"calls", "#/calls?words=refund", `document.querySelectorAll(".calls-row").length > 5`},
		{"call", "#/call/" + full.Items[stage.Sample], `document.querySelector(".wave canvas")`},
		{"query", "#/query?q=" + url.QueryEscape(statement), `document.querySelector(".editor")?.shadowRoot?.querySelector(".cm-content") &&
			document.querySelector("main table, main canvas")`},
		{"categories", "#/categories/at-risk", `document.querySelector(".backtest canvas")`},
	} {
		t.Run(d.name, func(t *testing.T) {
			b.Open(base+"/ui/"+d.address, "main")
			b.Until("the page shows what the picture is about", d.until)
			settle(b)
			file := filepath.Join("..", "..", "..", "docs", "pictures", d.name+".webp")
			picture(t, b, file, 82)
			if info, err := os.Stat(file); err != nil || info.Size() > maxPicture {
				t.Errorf("%s: %v, want at most %d bytes: %v", file, info, maxPicture, err)
			}
		})
	}
	b.Size(1440, 1000)
}

func picture(t *testing.T, b *browsertest.Tab, file string, quality int) {
	t.Helper()
	shot := b.Send("Page.captureScreenshot", map[string]any{"format": "webp", "quality": quality})["data"].(string)
	content, err := base64.StdEncoding.DecodeString(shot)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(file), 0o755)
	}
	if err == nil {
		err = os.WriteFile(file, content, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

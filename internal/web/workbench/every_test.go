package workbench_test

import (
	"fmt"
	"strings"
	"testing"

	"parley/internal/testkit/browsertest"
	"parley/internal/testkit/stage"
	"parley/internal/testkit/verify"
)

// noCall is an id that no call has.
const noCall = "019a9f5e-3c00-7000-8000-0123456789ab"

func TestEveryPageIsForEverybody(t *testing.T) {
	verify.Long(t)
	t.Parallel()
	b := browsertest.Open(t)
	full, server := stage.Full(t)
	signIn(b, server.Base, full.Token, "upload")
	for _, p := range pages(t, full.Items[stage.Sample]) {
		t.Run(p.name, func(t *testing.T) { forEverybody(t, b, server.Base, p, nil) })
	}
}

func TestEveryPageOfAServerThatFailsIsForEverybody(t *testing.T) {
	verify.Long(t)
	t.Parallel()
	b := browsertest.Open(t)
	full, server := stage.Full(t)
	between := newProxy(t, server.Base)
	signIn(b, between.URL, full.Token, "upload")
	for _, how := range []int32{refuses, breaks} {
		between.fails.Store(how)
		for _, p := range pages(t, full.Items[stage.Sample]) {
			t.Run(fmt.Sprint(p.name, how), func(t *testing.T) {
				forEverybody(t, b, between.URL, p, []string{"Failed to load resource"})
			})
		}
	}
}

func TestEveryPageOfAnAccountWithoutCallsIsForEverybody(t *testing.T) {
	verify.Long(t)
	t.Parallel()
	b := browsertest.Open(t)
	empty := stage.Empty(t)
	signIn(b, empty.Base, empty.Token, "upload")
	for _, p := range pages(t, noCall) {
		var expected []string
		if p.name == "call" {
			expected = []string{"404"} // there is none
		}
		t.Run(p.name, func(t *testing.T) { forEverybody(t, b, empty.Base, p, expected) })
	}
}

// forEverybody checks that a page has a title, that people find their way on it who cannot see, use no mouse or have a
// small window, in light and dark, and that nothing on it fails but what is expected.
func forEverybody(t *testing.T, b *browsertest.Tab, base string, p page, expected []string) {
	b.Problems()
	b.Requests()
	b.Size(1440, 1000)
	visit(b, base, p)
	if h := texts(b, `[...document.querySelectorAll("h1")].map((e) => e.innerText)`); len(h) != 1 || h[0] == "" {
		t.Errorf("the titles of the page are %q", h)
	}
	for _, found := range b.Axe() {
		t.Error(found)
	}
	b.Dark(true)
	for _, found := range b.Contrasts() {
		t.Errorf("in dark colours: %s", found)
	}
	b.Dark(false)
	for _, missed := range tabThrough(b) {
		t.Errorf("Tab does not reach %s", missed)
	}
	b.Size(320, 800)
	visit(b, base, p)
	for _, found := range texts(b, wide) {
		t.Errorf("at 320 pixels, the page scrolls sideways because of %s", found)
	}
	for _, found := range b.Structure() {
		t.Errorf("at 320 pixels: %s", found)
	}
	b.Size(1440, 1000)
	for _, request := range foreign(b.Requests(), base) {
		t.Errorf("the page asks another host: %s", request)
	}
	for _, problem := range b.Problems() {
		if !containsAny(problem, expected) {
			t.Errorf("the page complains: %s", problem)
		}
	}
}

func containsAny(text string, parts []string) bool {
	for _, p := range parts {
		if strings.Contains(text, p) {
			return true
		}
	}
	return false
}

package workbench_test

import (
	"regexp"
	"strings"
	"testing"

	"parley/internal/testkit/browsertest"
	"parley/internal/testkit/servertest"
)

func TestThePageKeepsToItsPolicyAndToItsServer(t *testing.T) {
	t.Parallel()
	b := browsertest.Open(t)
	s := servertest.Start(t, servertest.Options{})
	b.Open(s.Base+"/", "form input[type=password]")
	policy := s.Get(t, "/ui/").Header.Get("Content-Security-Policy")
	if !strings.Contains(policy, "default-src 'none'; script-src 'self'; style-src 'self'; ") ||
		!strings.Contains(policy, "require-trusted-types-for 'script'") || strings.Contains(policy, "unsafe") {
		t.Errorf("the policy is %s", policy)
	}
	for _, request := range b.Requests() {
		if !strings.Contains(request, s.Base+"/") && !strings.HasSuffix(request, "about:blank") {
			t.Errorf("the page asks another host: %s", request)
		}
	}
	if found := b.Axe(); len(found) > 0 {
		t.Errorf("%s", strings.Join(found, "\n"))
	}
	inline := regexp.MustCompile(`(?i)<script>|<style| on[a-z]+=| style=`)
	if page := string(s.Get(t, "/ui/").Body); inline.MatchString(page) {
		t.Errorf("the page has code or looks of its own:\n%s", page)
	}
}

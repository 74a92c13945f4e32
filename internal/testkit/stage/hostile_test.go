package stage

import (
	"strings"
	"testing"

	"parley/internal/testkit/servertest"
)

func TestMain(m *testing.M) { servertest.Main(m) }

func TestHostileTextsAreTheSameEachTime(t *testing.T) {
	seen := map[string]bool{}
	for n := range 1000 {
		if first, second := HostileText(n), HostileText(n); first != second {
			t.Fatalf("text %d is another the second time", n)
		}
		seen[HostileText(n)] = true
	}
	if len(seen) < 950 {
		t.Errorf("only %d of 1000 texts differ", len(seen))
	}
}

func TestAServerWithHostileTextsAnswers(t *testing.T) {
	s, newest := Hostile(t, 200)
	for _, path := range []string{"/v3/media/" + newest, "/v3/media?limit=100", "/v3/definition/categories", "/v3/profile/keys"} {
		if a := s.Get(t, path); a.Status != 200 || len(a.Body) < 1000 {
			t.Errorf("%s: %.500s", path, a)
		}
	}
	if a := s.Do(t, "POST", "/v3/analytics/explore", strings.NewReader(`{"facets":["metadata:team"]}`)); a.Status != 200 {
		t.Errorf("explore: %.500s", a)
	}
}

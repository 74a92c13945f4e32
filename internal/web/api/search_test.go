package api_test

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"parley/internal/testkit/servertest"
	"parley/internal/words/account"
)

// given returns a title and a transcript part with the words of a text.
func given(title, text string) []servertest.Part {
	var words []string
	for i, w := range strings.Fields(text) {
		words = append(words, fmt.Sprintf(`{"p":%d,"w":%q,"s":%d,"e":%d,"c":0.9}`, i, w, 10*i, 10*i+9))
	}
	return []servertest.Part{
		recording, servertest.Field("transcript", `{"words":[`+strings.Join(words, ",")+`]}`),
		servertest.Field("metadata", fmt.Sprintf(`{"title":%q,"externalId":"x"}`, title)),
	}
}

func query(text string) string { return "/v3/media?sortOrder=asc&query=" + url.QueryEscape(text) }

func TestFinishedMeansFindable(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	a := s.Submit(t, given("Broken router", "my internet is very slow since Monday")...)
	b := s.Submit(t, given("Invoice", "I don't understand the invoice for the router")...)
	for _, id := range []string{a, b} {
		if item := s.Await(t, id); item["status"] != "finished" {
			t.Fatal(item)
		}
	}
	check := func() {
		t.Helper()
		for text, want := range map[string][]string{
			"ROUTER": {a, b}, "title:router": {a}, "router monday": {a}, `"very slow"`: {a}, `"slow very"`: nil,
			"transcript:invoice": {b},
			"don’t":              {b}, "router -invoice": {a}, "monday OR invoice": {a, b}, "title:router invoice": nil,
			"inter*": {a}, "nothing": nil,
		} {
			if got, _ := page(t, s.Client, query(text)); !slices.Equal(got, want) {
				t.Errorf("%s: %v, want %v", text, got, want)
			}
		}
		if got, _ := page(t, s.Client,
			query("router")+"&externalId=x&status=finished&limit=1&after="+a); !slices.Equal(got, []string{b}) {
			t.Errorf("with filters: %v", got)
		}
	}
	check() // before the index has them
	s.Idle(t)
	check() // after the index has them
	first, next := page(t, s.Client, query("router")+"&limit=1")
	second, _ := page(t, s.Client, next)
	if !slices.Equal(append(first, second...), []string{a, b}) || !strings.Contains(next, "query=router") {
		t.Errorf("pages %v, %v by %s", first, second, next)
	}
}

func TestItemsThatFailedAreFoundByTheirTitles(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	failing := func(more ...servertest.Part) string {
		id := s.Submit(t, append(more, servertest.File("media", "a.wav", []byte("no recording")),
			servertest.Field("metadata", `{"title":"broken file"}`))...)
		if item := s.Await(t, id); item["status"] != "failed" {
			t.Fatal(item)
		}
		return id
	}
	id := failing()
	failing(servertest.Field("configuration", `{"searchability":{"searchable":false}}`))
	check := func() {
		t.Helper()
		for text, want := range map[string][]string{"title:broken": {id}, "file": {id}, "transcript:file": nil} {
			if got, _ := page(t, s.Client, query(text)); !slices.Equal(got, want) {
				t.Errorf("%s: %v, want %v", text, got, want)
			}
		}
	}
	check()
	s.Idle(t)
	check()
}

func TestDeletedMeansGoneFromQueriesAtOnce(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	var ids []string
	for range 3 {
		ids = append(ids, s.Submit(t, given("t", "hello world")...))
	}
	for _, id := range ids {
		s.Await(t, id)
	}
	if a := s.Do(t, "DELETE", "/v3/media/"+ids[0], nil); a.Status != 204 {
		t.Fatal(a)
	}
	if got, _ := page(t, s.Client, query("hello")); !slices.Equal(got, ids[1:]) {
		t.Errorf("not indexed yet: %v", got)
	}
	s.Idle(t)
	if a := s.Do(t, "DELETE", "/v3/media/"+ids[1], nil); a.Status != 204 {
		t.Fatal(a)
	}
	if got, _ := page(t, s.Client, query("hello")); !slices.Equal(got, ids[2:]) {
		t.Errorf("indexed: %v", got)
	}
}

func TestWhatIsNotSearchableNeverShowsInAQuery(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	hidden := s.Submit(t, append(given("secret", "hello world"),
		servertest.Field("configuration", `{"searchability":{"searchable":false}}`))...)
	shown := s.Submit(t, given("open", "hello world")...)
	s.Await(t, hidden)
	s.Await(t, shown)
	for range 2 {
		for _, text := range []string{"hello", "*", "-nothing", "hello OR title:secret"} {
			if got, _ := page(t, s.Client, query(text)+"&externalId=x"); !slices.Equal(got, []string{shown}) {
				t.Errorf("%s: %v", text, got)
			}
		}
		s.Idle(t)
	}
	if got, _ := page(t, s.Client, "/v3/media?sortOrder=asc"); !slices.Equal(got, []string{hidden, shown}) {
		t.Errorf("without a query: %v", got)
	}
	if got, _ := page(t, s.As(t, "another", account.AllScopes...), query("hello")); got != nil {
		t.Errorf("another account found %v", got)
	}
}

func TestMistakesInQueriesAreToldWithTheirPlace(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	for text, words := range map[string][]string{
		`refund "order`: {"character 8", "quote"}, "agent:smith": {"character 1", "title:", "transcript:"},
		"...": {"no word"}, "": {"query", "empty"},
	} {
		refused(t, s.Get(t, query(text)), 400, 95002, words...)
	}
	refused(t, s.Get(t, query("a")+"&query=b"), 400, 95002, "query", "once")
}

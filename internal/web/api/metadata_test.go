package api_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"parley/internal/testkit/servertest"
)

// place returns the path of an item's metadata.
func place(id string) string { return "/v3/media/" + id + "/metadata" }

// describe replaces metadata.
func describe(t *testing.T, c *servertest.Client, id, body string, headers ...string) servertest.Answer {
	t.Helper()
	return c.Do(t, http.MethodPut, place(id), strings.NewReader(body), headers...)
}

func TestPutReplacesAllMetadataAndAnswersWithIt(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	id := s.Submit(t, recording, servertest.Field("metadata", `{"title":"old","externalId":"one"}`))
	sent := `"z":1.0,"externalId":"two","extended":{"big":12345678901234567890,"é":"\u00e9<&>","n":[1e2,null]}`
	put := ok(t, describe(t, s.Client, id, `{"_links":{"self":{"href":"/elsewhere"}},`+sent+`}`))
	want := `{"_links":{"self":{"href":"` + place(id) + `"}},` + sent + "}\n"
	got := ok(t, s.Get(t, place(id)))
	for _, a := range []servertest.Answer{put, got} {
		if string(a.Body) != want || a.Header.Get("ETag") != put.Header.Get("ETag") || a.Header.Get("ETag") == "" {
			t.Errorf("%s (%s)\nwant %s", a, a.Header.Get("ETag"), want)
		}
	}
	for external, n := range map[string]int{"one": 0, "two": 1} {
		if listed, _ := page(t, s.Client, "/v3/media?externalId="+external); len(listed) != n {
			t.Errorf("%s finds %d items", external, len(listed))
		}
	}
	if again := ok(t, describe(t, s.Client, id, string(got.Body))); string(again.Body) != want {
		t.Errorf("sent back: %s", again)
	}
	if none := ok(t, describe(t, s.Client, id, ` {} `)); string(none.Body) != `{"_links":{"self":{"href":"`+place(id)+
		`"}}}`+"\n" {
		t.Errorf("removed: %s", none)
	}
}

func TestMetadataThatIsWrongReplacesNothing(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	id := s.Submit(t, recording, servertest.Field("metadata", `{"title":"kept"}`))
	for body, code := range map[string]int{
		"": 10107, " ": 10107, "null": 10107, "[]": 10107, "{": 10107, `"text"`: 10107, `{"extended":[1]}`: 10107,
		`{"callDetails":{"callStartTime":"yesterday"}}`: 10107, `{"callDetails":{"callDirection":"inbound"}}`: 10107,
		`{"externalId":""}`: 10108, `{"externalId":"` + strings.Repeat("x", 513) + `"}`: 10109,
		`{"title":"a","title":"b"}`: 10110,
	} {
		refused(t, describe(t, s.Client, id, body), 400, code)
	}
	refused(t, describe(t, s.Client, id, `{"title":"`+strings.Repeat("x", 1<<20)+`"}`), 413, 10800, "1048576")
	refused(t, describe(t, s.Client, id, `{"title":"`+strings.Repeat("x", 1<<21)+`"}`), 413, 10800)
	refused(t, describe(t, s.Client, noMedia, `{}`), 404, 10205)
	refused(t, describe(t, s.Client, noMedia, `{}`, "If-Match", "*"), 404, 10205)
	if a := ok(t, s.Get(t, place(id))); !strings.Contains(string(a.Body), "kept") {
		t.Errorf("replaced: %s", a)
	}
	largest := `{"title":"` + strings.Repeat("x", 1<<20-12) + `"}`
	ok(t, describe(t, s.Client, id, largest))
	ok(t, describe(t, s.Client, id, string(ok(t, s.Get(t, place(id))).Body)))
	ok(t, s.Post(t, recording, servertest.Field("metadata", largest)))
}

func TestChangesOfMetadataHoldToTheStateThatTheClientKnows(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	id := s.Submit(t, recording)
	first := ok(t, s.Get(t, place(id))).Header.Get("ETag")
	second := ok(t, describe(t, s.Client, id, `{"title":"2"}`, "If-Match", first)).Header.Get("ETag")
	for _, wrong := range []string{first, "W/" + second, `"other"`, second[:len(second)-1], `"1" , "0"`} {
		refused(t, describe(t, s.Client, id, `{"title":"x"}`, "If-Match", wrong), 412, 95014)
	}
	for _, wrong := range []string{"*", second, "W/" + second} {
		refused(t, describe(t, s.Client, id, `{"title":"x"}`, "If-None-Match", wrong), 412, 95014)
	}
	third := ok(t, describe(t, s.Client, id, `{"title":"3"}`, "If-Match", `"x", `+second)).Header.Get("ETag")
	fourth := ok(t, describe(t, s.Client, id, `{"title":"4"}`, "If-Match", "*")).Header.Get("ETag")
	fifth := ok(t, describe(t, s.Client, id, `{"title":"4"}`)).Header.Get("ETag")
	if tags := []string{first, second, third, fourth,
		fifth}; len(slices.Compact(slices.Sorted(slices.Values(tags)))) != 5 {
		t.Errorf("tags %v", tags)
	}
}

func TestMetadataThatIsKnownIsNotSentAgain(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	id := s.Submit(t, recording)
	tag := ok(t, s.Get(t, place(id))).Header.Get("ETag")
	for _, same := range []string{tag, "W/" + tag, "*", `"x", ` + tag} {
		if a := s.Get(t, place(id), "If-None-Match", same); a.Status != http.StatusNotModified || len(a.Body) != 0 ||
			a.Header.Get("ETag") != tag {
			t.Errorf("%s: %s", same, a)
		}
	}
	ok(t, describe(t, s.Client, id, `{"title":"new"}`))
	if a := ok(t, s.Get(t, place(id), "If-None-Match", tag)); !strings.Contains(string(a.Body), "new") {
		t.Error(a)
	}
}

// TestWritersWhoReadFirstLoseNoUpdate has several clients repeatedly add one key each to the same metadata.
func TestWritersWhoReadFirstLoseNoUpdate(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	id := s.Submit(t, recording)
	const writers, each = 4, 5
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for n := 0; n < each; {
				read := s.Get(t, place(id))
				text := strings.TrimSpace(string(read.Body))
				changed := fmt.Sprintf(`%s,"k%d-%d":1}`, strings.TrimSuffix(text, "}"), w, n)
				switch a := describe(t, s.Client, id, changed, "If-Match", read.Header.Get("ETag")); a.Status {
				case http.StatusOK:
					n++
				case http.StatusPreconditionFailed:
				default:
					t.Error(a)
					return
				}
			}
		})
	}
	all.Wait()
	if n := len(ok(t, s.Get(t, place(id))).JSON(t)); n != 1+writers*each {
		t.Errorf("%d members of %d are left", n-1, writers*each)
	}
}

func TestWritersWhoTakeWhateverThereIsAllSucceed(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	id := s.Submit(t, recording)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if a := describe(t, s.Client, id, `{"title":"x"}`, "If-Match", "*"); a.Status != http.StatusOK {
				t.Error(a)
			}
		})
	}
	all.Wait()
}

func TestMetadataPutWhileProcessingStays(t *testing.T) {
	t.Parallel()
	gate := servertest.NewGate()
	s := servertest.Start(t, servertest.Options{Recognizer: gate})
	ok(t, s.Do(t, http.MethodPut, searchFields, strings.NewReader(`{"fields":["extended.campaign"]}`)))
	id := s.Submit(t, recording, servertest.Field("metadata", `{"title":"before","extended":{"campaign":"spring"}}`))
	<-gate.Entered
	ok(t, describe(t, s.Client, id, `{"title":"meanwhile","extended":{"campaign":"autumn"}}`))
	gate.Open()
	if item := s.Await(t, id); item["status"] != "finished" || at(t, item, "metadata", "title") != "meanwhile" {
		t.Errorf("%v with %v", item["status"], item["metadata"])
	}
	finds(t, s.Client, "campaign:autumn", id)
	finds(t, s.Client, "campaign:spring")
}

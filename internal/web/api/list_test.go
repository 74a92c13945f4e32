package api_test

import (
	"fmt"
	"net/url"
	"slices"
	"testing"
	"time"

	"parley/internal/testkit/servertest"
	"parley/internal/words/account"
)

// page returns the ids on a page of the list and the URL of the next one, empty on the last page.
func page(t *testing.T, c *servertest.Client, path string) (ids []string, next string) {
	t.Helper()
	body := ok(t, c.Get(t, path)).JSON(t)
	for _, m := range body["media"].([]any) {
		ids = append(ids, at(t, m, "mediaId").(string))
	}
	if link := at(t, body, "_links", "next"); link != nil {
		next = at(t, link, "href").(string)
	}
	return ids, next
}

// several submits n recordings, oldest first.
func several(t *testing.T, c *servertest.Client, n int) []string {
	t.Helper()
	ids := make([]string, n)
	for i := range ids {
		ids[i] = c.Submit(t, recording, servertest.Field("metadata", fmt.Sprintf(`{"externalId":"call %d"}`, i%2)))
	}
	return ids
}

func reversed(ids []string) []string {
	r := slices.Clone(ids)
	slices.Reverse(r)
	return r
}

func TestListIsEmptyOfAnAccountWithoutMedia(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	body := ok(t, s.Get(t, "/v3/media")).JSON(t)
	if list, is := body["media"].([]any); !is || len(list) != 0 ||
		at(t, body, "_links", "self", "href") != "/v3/media" || at(t, body, "_links", "next") != nil {
		t.Errorf("%v", body)
	}
}

func TestListIsTheNewestFirstUnlessAscending(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	ids := several(t, s.Client, 3)
	for query, want := range map[string][]string{"": reversed(ids), "?sortOrder=desc": reversed(ids),
		"?sortOrder=asc": ids} {
		if got, _ := page(t, s.Client, "/v3/media"+query); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", query, got, want)
		}
	}
	body := ok(t, s.Get(t, "/v3/media?limit=2&sortOrder=asc")).JSON(t)
	if !equal(t, body["pagination"],
		map[string]any{"limit": 2, "sortOrder": []any{map[string]any{"field": "dateCreated", "direction": "asc"}}}) {
		t.Errorf("pagination %v", body["pagination"])
	}
	summary := body["media"].([]any)[0].(map[string]any)
	for _, name := range []string{"formatVersion", "mediaId", "status", "dateCreated", "mediaContentType", "metadata"} {
		if summary[name] == nil {
			t.Errorf("no %s in %v", name, summary)
		}
	}
	if summary["transcript"] != nil || summary["streams"] != nil {
		t.Errorf("sections in a summary: %v", summary)
	}
}

func TestPagesAreStableWhileItemsComeAndGo(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	for _, order := range []string{"asc", "desc"} {
		t.Run(order, func(t *testing.T) {
			firm := s.As(t, order, account.AllScopes...)
			ids := several(t, firm, 6)
			var seen []string
			next := "/v3/media?limit=2&sortOrder=" + order + "&status=scheduled"
			for turn := 0; next != ""; turn++ {
				var got []string
				got, next = page(t, firm, next)
				seen = append(seen, got...)
				if turn == 0 { // delete the last item of the first page, and add a new item
					if a := firm.Do(t, "DELETE", "/v3/media/"+got[1], nil); a.Status != 204 {
						t.Fatal(a)
					}
					ids = append(ids, firm.Submit(t, recording))
				}
			}
			want := ids // the new item comes last
			if order == "desc" {
				want = reversed(ids[:6]) // the new item comes before the first page
			}
			if !slices.Equal(seen, want) {
				t.Errorf("saw %v, want %v", seen, want)
			}
		})
	}
}

func TestAfterAndBeforeMeanCreationWhateverTheOrder(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	ids := several(t, s.Client, 5)
	if a := s.Do(t, "DELETE", "/v3/media/"+ids[2], nil); a.Status != 204 {
		t.Fatal(a)
	}
	for query, want := range map[string][]string{
		"after=" + ids[2]: ids[3:], "before=" + ids[2]: ids[:2],
		"after=" + ids[0] + "&before=" + ids[4]: {ids[1], ids[3]},
		"after=" + ids[4]:                       nil, "after=" + noMedia: ids[:0:0],
	} {
		if query == "after="+noMedia {
			want = slices.Concat(ids[:2], ids[3:]) // an item of the old list
		}
		if got, _ := page(t, s.Client, "/v3/media?sortOrder=asc&"+query); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", query, got, want)
		}
		if got, _ := page(t, s.Client, "/v3/media?"+query); !slices.Equal(got, reversed(want)) {
			t.Errorf("%s, descending: %v, want %v", query, got, reversed(want))
		}
	}
}

func TestListFilters(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	ids := several(t, s.Client, 4)
	created := ok(t, s.Get(t, "/v3/media/"+ids[1])).JSON(t)["dateCreated"].(string)
	instant, err := time.Parse(time.RFC3339, created)
	if err != nil {
		t.Fatal(err)
	}
	offset := instant.In(time.FixedZone("", 2*3600)).Format("2006-01-02T15:04:05.000-07:00")
	today, tomorrow := time.Now().UTC().Format(time.DateOnly), time.Now().UTC().AddDate(0, 0, 2).Format(time.DateOnly)
	for query, want := range map[string][]string{
		"externalId=call+0": {ids[0], ids[2]}, "externalId=call%201": {ids[1], ids[3]}, "externalId=call": nil,
		"externalId=%20call+0": nil,
		"status=scheduled":     ids, "status=finished": nil,
		"onOrAfterDate=" + created: ids[1:], "onOrBeforeDate=" + created: ids[:2],
		"onOrAfterDate=" + created + "&onOrBeforeDate=" + created: ids[1:2],
		"onOrAfterDate=" + url.QueryEscape(offset):                ids[1:], "onOrAfterDate=" + offset: ids[1:],
		"onOrAfterDate=" + tomorrow: nil, "onOrBeforeDate=2020-01-01": nil, "onOrBeforeDate=" + tomorrow: ids,
		"onOrAfterDate=2020-01-01&externalId=call+1&status=SCHEDULED": {ids[1], ids[3]},
	} {
		if got, _ := page(t, s.Client, "/v3/media?sortOrder=asc&"+query); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", query, got, want)
		}
	}
	if got, _ := page(t, s.Client, "/v3/media?onOrBeforeDate="+today); len(got) == 0 &&
		time.Now().UTC().Format(time.DateOnly) == today {
		t.Error("a day does not count to its end")
	}
}

func TestParametersThatAreUnknownOrUnreadableAreErrors(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	id := s.Submit(t, recording)
	for query, words := range map[string][]string{
		"colour=red": {"colour", "externalId"}, "limit=0": {"limit", "1000"}, "limit=1001": {"limit"},
		"limit=ten": {"ten"}, "limit=": {"limit"},
		"limit=1&limit=2": {"limit", "once"}, "limit=1;sortOrder=asc": {"limit", "sortOrder"},
		"externalId=a;b&x;y=1": {"x;y"},
		"status=done":          {"done", "finished"}, "sortOrder=up": {"up", "asc"}, "after=1": {"after"},
		"before=x":                {"before"},
		"onOrAfterDate=yesterday": {"yesterday", "YYYY-MM-DD"}, "onOrBeforeDate=2026-13-01": {"onOrBeforeDate"},
		"externalId=%zz": {"percent-encode"},
		"externalId=%ff": {"percent-encode", "UTF-8"}, "query=a%00": {"percent-encode", "U+0000"},
		"extendedFilter=%ff:1": {"percent-encode"},
	} {
		refused(t, s.Get(t, "/v3/media?"+query), 400, 95002, words...)
	}
	for _, path := range []string{"/v3", "/v3/media/" + id, "/v3/media/" + id + "/progress",
		"/v3/media/" + id + "/metadata", "/v3/media/" + id + "/streams", "/v3/media/" + id + "/streams/original",
		"/v3/queue"} {
		refused(t, s.Get(t, path+"?colour=red"), 400, 95002, "colour")
	}
	refused(t, s.Do(t, "DELETE", "/v3/media/"+id+"?really=1", nil), 400, 95002, "really")
	refused(t, s.Do(t, "POST", "/v3/media?x=1", nil), 400, 95002, "x")
	ok(t, s.Get(t, "/v3/media/"+id))
	refused(t, s.Get(t, "/v3/queue?status=asleep"), 400, 95002, "asleep", "dead")
	refused(t, s.Get(t, "/v3/queue?status=dead&status=waiting"), 400, 95002, "status", "once")
}

func TestListParametersWithSemicolonsAreNotDropped(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	id := s.Submit(t, recording, servertest.Field("metadata", `{"externalId":"a;b"}`))
	s.Submit(t, recording, servertest.Field("metadata", `{"externalId":"c"}`))
	if got, _ := page(t, s.Client, "/v3/media?externalId=a;b"); !slices.Equal(got, []string{id}) {
		t.Errorf("externalId=a;b lists %v", got)
	}
}

package api_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"parley/internal/testkit/servertest"
	"parley/internal/words/account"
)

// searchFields is the path of the definition of searchable metadata fields.
const searchFields = "/v3/definition/media/search"

// define saves search fields.
func define(t *testing.T, c *servertest.Client, body string, headers ...string) servertest.Answer {
	t.Helper()
	return c.Do(t, http.MethodPut, searchFields, strings.NewReader(body), headers...)
}

// finds checks that a filter, or several joined with &, matches exactly these items, newest first.
func finds(t *testing.T, c *servertest.Client, filters string, want ...string) {
	t.Helper()
	query := "?"
	for _, f := range strings.Split(filters, "&") {
		query += "&extendedFilter=" + url.QueryEscape(f)
	}
	slices.Sort(want)
	slices.Reverse(want)
	if got, _ := page(t, c, "/v3/media"+strings.Replace(query, "?&", "?", 1)); !slices.Equal(got, want) {
		t.Errorf("%s finds %v, want %v", filters, got, want)
	}
}

func TestSearchFieldsAreReadAsDefined(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	if a := ok(t, s.Get(t, searchFields)); string(a.Body) != `{"_links":{"self":{"href":"`+searchFields+
		`"}},"fields":[]}`+"\n" {
		t.Errorf("nothing defined: %s", a)
	}
	put := ok(t, define(t, s.Client, `{"fields":["extended.campaignId","title"]}`, "If-None-Match", "*"))
	got := ok(t, s.Get(t, searchFields))
	if want := `{"_links":{"self":{"href":"` + searchFields + `"}},"fields":["extended.campaignId","title"]}` +
		"\n"; string(put.Body) != want || string(got.Body) != want {
		t.Errorf("%s\n%s", put, got)
	}
	tag := got.Header.Get("ETag")
	refused(t, define(t, s.Client, `{"fields":["title"]}`, "If-None-Match", "*"), 412, 95014)
	refused(t, define(t, s.Client, `{"fields":["title"]}`, "If-Match", `"x"`), 412, 95014)
	for body, code := range map[string]int{"": 80300, "{}": 80300, `{"fields":[]}`: 80300, `{"fields":null}`: 80300,
		`{"fields":["campaignId"]}`: 80301, `{"fields":["title","title"]}`: 80302, `{"names":["x"]}`: 10008} {
		refused(t, define(t, s.Client, body), 400, code)
	}
	if a := ok(t, s.Get(t, searchFields)); a.Header.Get("ETag") != tag {
		t.Errorf("changed: %s", a)
	}
}

func TestSearchFieldsAreTakenAway(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	ok(t, define(t, s.Client, `{"fields":["extended.a"]}`))
	metadata := servertest.Field("metadata", `{"extended":{"a":"b"}}`)
	first := s.Submit(t, recording, metadata)
	s.Await(t, first)
	remove := func(headers ...string) servertest.Answer {
		return s.Do(t, http.MethodDelete, searchFields, nil, headers...)
	}
	refused(t, remove("If-Match", `"x"`), 412, 95014)
	tag := ok(t, s.Get(t, searchFields)).Header.Get("ETag")
	if a := remove("If-Match", tag); a.Status != http.StatusNoContent || len(a.Body) > 0 {
		t.Error(a)
	}
	if a := ok(t, s.Get(t, searchFields)); !strings.Contains(string(a.Body), `"fields":[]`) ||
		a.Header.Get("ETag") != "" {
		t.Error(a)
	}
	refused(t, remove("If-Match", tag), 412, 95014)
	if a := remove(); a.Status != http.StatusNoContent { // there are none left
		t.Error(a)
	}
	finds(t, s.Client, "a:b") // an undefined field matches nothing
	second := s.Submit(t, recording, metadata)
	s.Await(t, second)
	ok(t, define(t, s.Client, `{"fields":["extended.a"]}`))
	finds(t, s.Client, "a:b", first) // items published without the field have no value for it
}

func TestMediaAreFoundByValuesOfTheirMetadata(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	ok(t, define(t, s.Client, `{"fields":["extended.campaignId","extended.order.tags","callDetails.agent.externalId","title","extended.a:b"]}`))
	send := func(metadata string) string {
		id := s.Submit(t, recording, servertest.Field("metadata", metadata))
		s.Await(t, id)
		return id
	}
	one := send(`{"title":"x: y","extended":{"campaignId":"spring + co","order":{"tags":["new",7.0,true]}},"callDetails":{"agent":{"externalId":"a17"}}}`)
	two := send(`{"title":"10:30","extended":{"campaignId":12345678901234567890,"order":{"tags":"new"},"a:b":"c"}}`)
	failed := s.Submit(t, servertest.File("media", "x.wav", []byte("RIFF....WAVEnothing")),
		servertest.Field("metadata", `{"extended":{"campaignId":"broken"}}`))
	s.Await(t, failed)
	other := s.As(t, "other", account.AllScopes...)
	ok(t, define(t, other, `{"fields":["extended.campaignId"]}`))
	other.Await(t, other.Submit(t, recording,
		servertest.Field("metadata", `{"extended":{"campaignId":"spring + co"}}`)))
	for filter, want := range map[string][]string{
		"campaignId:spring + co":                         {one},
		"campaignId;spring + co":                         {one},
		"extended.campaignId:spring + co":                {one},
		"campaignId:Spring + co":                         nil,
		"campaignId:spring":                              nil,
		"campaignId:12345678901234567890":                {two},
		"campaignId:12345678901234567891":                nil,
		"campaignId:broken":                              {failed},
		"campaignId:":                                    nil,
		"order.tags:new":                                 {one, two},
		"order.tags:7":                                   {one},
		"order.tags:7.0":                                 {one},
		"order.tags:true":                                {one},
		"order.tags:[":                                   nil,
		"title:x: y":                                     {one},
		"title:10:30":                                    {two},
		"a:b:c":                                          {two},
		"callDetails.agent.externalId:a17":               {one},
		"order.tags:new&campaignId:spring + co":          {one},
		"order.tags:new&order.tags:7&title:x: y":         {one},
		"order.tags:new&campaignId:12345678901234567891": nil,
	} {
		finds(t, s.Client, filter, want...)
	}
	for query, want := range map[string][]string{
		"?extendedFilter=order.tags:new&status=finished&limit=1&sortOrder=asc": {one},
		"?extendedFilter=order.tags:new&after=" + one:                          {two},
		"?extendedFilter=order.tags;new&before=" + two:                         {one},
		"?extendedFilter=order.tags:new&externalId=x":                          nil,
		"?extendedFilter=campaignId:broken&status=finished":                    nil,
	} {
		if got, _ := page(t, s.Client, "/v3/media"+query); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", query, got, want)
		}
	}
	first, next := page(t, s.Client, "/v3/media?extendedFilter=order.tags:new&extendedFilter=order.tags%3Anew&limit=1")
	if second, end := page(t, s.Client, next); !slices.Equal(append(first, second...), []string{two, one}) ||
		end != "" {
		t.Errorf("pages %v and %v (%s)", first, second, end)
	}
}

func TestMediaAreFoundByTheFieldsThatWereDefinedWhenTheyWereProcessed(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	metadata := servertest.Field("metadata", `{"extended":{"a":1,"b":1}}`)
	before := s.Submit(t, recording, metadata)
	s.Await(t, before)
	ok(t, define(t, s.Client, `{"fields":["extended.a"]}`))
	with := s.Submit(t, recording, metadata)
	s.Await(t, with)
	ok(t, define(t, s.Client, `{"fields":["extended.a","extended.b"]}`))
	finds(t, s.Client, "a:1", with)
	finds(t, s.Client, "b:1")
	// A change of metadata uses the item's own fields, and takes effect immediately.
	for _, id := range []string{before, with} {
		ok(t, describe(t, s.Client, id, `{"extended":{"a":2,"b":2}}`))
	}
	finds(t, s.Client, "a:1")
	finds(t, s.Client, "a:2", with)
	finds(t, s.Client, "b:2")
	s.Do(t, http.MethodDelete, "/v3/media/"+with, nil)
	finds(t, s.Client, "a:2")
}

func TestFiltersOfUndefinedFieldsFindNothingAndSaySo(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	ok(t, define(t, s.Client, `{"fields":["extended.a"]}`))
	s.Await(t, s.Submit(t, recording, servertest.Field("metadata", `{"extended":{"a":1,"b":1}}`)))
	for _, filter := range []string{"b:1", "a:1&extendedFilter=b:1", "A:1", "b;1"} {
		a := ok(t, s.Get(t, "/v3/media?extendedFilter="+filter)).JSON(t)
		if len(a["media"].([]any)) != 0 || !slices.Equal(codes(a["warnings"]), []int{80000}) {
			t.Errorf("%s: %v", filter, a)
		}
	}
	if a := ok(t, s.Get(t, "/v3/media?extendedFilter=a:1")).JSON(t); a["warnings"] != nil ||
		len(a["media"].([]any)) != 1 {
		t.Error(a)
	}
	for _, wrong := range []string{"", "a", ":1", "a%ZZ:1", strings.Repeat("a:1&extendedFilter=", 20) + "a:1"} {
		refused(t, s.Get(t, "/v3/media?extendedFilter="+wrong), 400, 95002, "extendedFilter")
	}
}

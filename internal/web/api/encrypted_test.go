package api_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"parley/internal/call/caption"
	"parley/internal/testkit/servertest"
	"parley/internal/words/account"
)

// streamNames returns the names of the streams in an answer.
func streamNames(t *testing.T, answer map[string]any) (names []string) {
	t.Helper()
	for _, s := range answer["streams"].([]any) {
		names = append(names, at(t, s, "streamName").(string))
	}
	return names
}

func TestASealedItemShowsThatItIsFinishedAndNothingElse(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	id := s.Seal(t, account.DefaultName, []byte("document"), []byte("stream"))
	path := "/v3/media/" + id
	answer := ok(t, s.Get(t, path+"?includeAlternateFormat=text"))
	item := answer.JSON(t)
	if item["status"] != "finished" || at(t, item, "_job", "status") != "finished" || item["length"] != 2000. ||
		item["mediaContentType"] != "audio/wav" {
		t.Errorf("%v", item)
	}
	key := "019a9f60-0000-7000-8000-000000000001"
	if !equal(t, item["encryption"],
		map[string]any{"publicKeyId": key, "publishKeyId": key, "publicKeyHash": strings.Repeat("ab", 32)}) {
		t.Errorf("encryption %v", item["encryption"])
	}
	for _, section := range []string{"metadata", "transcript", "errors", "warnings"} {
		if item[section] != nil {
			t.Errorf("%s is %v", section, item[section])
		}
	}
	links := []string{}
	for name, link := range item["_links"].(map[string]any) {
		links = append(links, name)
		ok(t, s.Get(t, at(t, link, "href").(string)))
	}
	if slices.Sort(links); !slices.Equal(links, []string{"encrypted", "progress", "self", "streams"}) {
		t.Errorf("links %v", links)
	}
	if strings.Contains(string(answer.Body), "sesame") {
		t.Error(answer)
	}
	for _, below := range []string{"/transcript", "/transcripts/latest"} {
		refused(t, s.Get(t, path+below), 404, 95071, id, "/encrypted")
	}
	for _, format := range caption.All {
		refused(t, s.Get(t, path+"/transcript/"+string(format)), 404, 95071, id, "/encrypted")
	}
	refused(t, s.Get(t, path+"/transcript", "Accept", "text/plain"), 404, 95071)
	refused(t, s.Get(t, path+"/metadata"), 404, 95071, id, "/encrypted")
	refused(t, s.Do(t, http.MethodPut, path+"/metadata", strings.NewReader(`{}`)), 404, 95071, id)
	refused(t, s.Do(t, http.MethodPut, path+"/metadata", strings.NewReader(`{}`), "If-Match", `"1"`), 404, 95071, id)
	if progress := ok(t, s.Get(t, path+"/progress")).JSON(t); progress["status"] != "finished" {
		t.Errorf("%v", progress)
	}
	ok(t, s.Get(t, path+"/callbacks"))
	form, contentType := servertest.Form(t, servertest.Field("transcript", "hello"))
	for _, again := range []servertest.Answer{
		s.Do(t, http.MethodPost, path, nil),
		s.Do(t, http.MethodPost, path, strings.NewReader(string(form)), "Content-Type", contentType, "Idempotency-Key",
			"k"),
	} {
		refused(t, again, 409, 95004, id, "encrypted")
	}
}

func TestStreamsOfASealedItemAreTheEncryptedOnes(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	id := s.Seal(t, account.DefaultName, []byte("document"), []byte("stream"))
	path := "/v3/media/" + id
	for _, answer := range []map[string]any{ok(t, s.Get(t, path)).JSON(t), ok(t, s.Get(t, path+"/streams")).JSON(t)} {
		if names := streamNames(t, answer); !slices.Equal(names, []string{"original-encrypted"}) {
			t.Errorf("%v", names)
		}
	}
	for _, a := range []servertest.Answer{ok(t, s.Get(t, path+"/streams/original-encrypted")),
		ok(t, s.With("").Get(t, location(t, s.Client, id)))} {
		if string(a.Body) != "stream" || a.Header.Get("Content-Type") != "application/octet-stream" {
			t.Errorf("%v %s", a.Header, a)
		}
	}
	if a := s.Get(t, path+"/streams/original-encrypted", "Range", "bytes=2-3"); a.Status != 206 ||
		string(a.Body) != "re" {
		t.Error(a)
	}
	for _, name := range []string{"original", "redacted", "redacted-audio", "redacted-encrypted"} {
		refused(t, s.Get(t, path+"/streams/"+name), 404, 10205, id)
	}
}

func TestTheDocumentOfASealedItemIsReadAsItIs(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	id := s.Seal(t, account.DefaultName, []byte("document"), []byte("stream"))
	a := ok(t, s.Get(t, "/v3/media/"+id+"/encrypted"))
	if string(a.Body) != "document" || a.Header.Get("Content-Type") != "application/octet-stream" ||
		a.Header.Get("ETag") == "" ||
		a.Header.Get("Content-Disposition") != "attachment; filename="+id+".json.asc" {
		t.Errorf("%v %s", a.Header, a)
	}
	refused(t, s.Get(t, "/v3/media/"+id+"/encrypted?x=y"), 400, 95002)
	refused(t, s.As(t, "other", account.MediaRead).Get(t, "/v3/media/"+id+"/encrypted"), 404, 10205, id)
	open := s.Submit(t, recording)
	s.Await(t, open)
	refused(t, s.Get(t, "/v3/media/"+open+"/encrypted"), 404, 10205, "is not encrypted")
	if a := s.Do(t, http.MethodDelete, "/v3/media/"+id, nil); a.Status != 204 {
		t.Error(a)
	}
	refused(t, s.Get(t, "/v3/media/"+id+"/encrypted"), 404, 10205, id)
	refused(t, s.Get(t, "/v3/media/"+id+"/streams/original-encrypted"), 404, 10205, id)
}

func TestSealedItemsAreListedByWhenTheyWereAndByNothingThatTheyHad(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	ok(t, s.Do(t, http.MethodPut, searchFields, strings.NewReader(`{"fields":["extended.sesame"]}`)))
	id := s.Seal(t, account.DefaultName, []byte("document"), []byte("stream"))
	check := func() {
		t.Helper()
		for query, want := range map[string][]string{
			"": {id}, "?status=finished": {id}, "?onOrAfterDate=2020-01-01": {id}, "?onOrBeforeDate=2020-01-01": nil,
			"?externalId=sesame": nil, "?extendedFilter=sesame:sesame": nil,
			"?extendedFilter=extended.sesame:sesame": nil,
			"?query=sesame":                          nil, "?query=title:sesame": nil, "?query=transcript:sesame": nil,
			"?query=document": nil,
		} {
			if got, _ := page(t, s.Client, "/v3/media"+query); !slices.Equal(got, want) {
				t.Errorf("%s: %v, want %v", query, got, want)
			}
		}
		if a := s.Get(t, "/v3/media"); strings.Contains(string(a.Body), "sesame") ||
			strings.Contains(string(a.Body), `"metadata"`) {
			t.Errorf("listed with what is sealed: %s", a)
		}
	}
	check()
	s.Idle(t)
	check()
	if a := ok(t, statement(t, s.Client, `*`)).JSON(t); a["totalResults"] != 0. {
		t.Errorf("asked about many calls: %v", a)
	}
	if a := ok(t, s.Do(t, http.MethodPost, "/v3/analytics/test", strings.NewReader(`{"query":"*"}`))).JSON(
		t); a["calls"] != 0. {
		t.Errorf("a condition was tried on %v", a)
	}
}

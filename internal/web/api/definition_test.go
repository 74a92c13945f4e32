package api_test

import (
	"context"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"parley/internal/speech/asr"
	"parley/internal/testkit/servertest"
	"parley/internal/words/account"
	"parley/internal/words/vocabulary"
)

// products is a vocabulary; the other constants are its path and the expected answer.
const (
	products     = `{"vocabularyName":"products","terms":[{"term":"Contoso","soundsLike":["con toso"],"weight":2},{"term":" CapEx","weight":0}],"scripts":[],"_links":{}}`
	vocabularies = "/v3/definition/vocabularies"
)

// save uploads a vocabulary.
func save(t *testing.T, c *servertest.Client, name, body string, headers ...string) servertest.Answer {
	t.Helper()
	return c.Do(t, http.MethodPut, vocabularies+"/"+name, strings.NewReader(body), headers...)
}

func TestASavedVocabularyIsAnsweredAsItIsUnderstood(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	want := map[string]any{
		"_links":         map[string]any{"self": map[string]any{"href": vocabularies + "/products"}},
		"vocabularyName": "products",
		"terms": []any{
			map[string]any{"term": "Contoso", "soundsLike": []any{"con toso"}, "weight": 2.0},
			map[string]any{"term": "CapEx"},
		},
	}
	put := ok(t, save(t, s.Client, "products", products))
	got := ok(t, s.Get(t, vocabularies+"/products"))
	for _, a := range []servertest.Answer{put, got} {
		if !reflect.DeepEqual(a.JSON(t), want) {
			t.Errorf("%s", a)
		}
	}
	if tag := put.Header.Get("ETag"); tag == "" || tag != got.Header.Get("ETag") {
		t.Errorf("ETag %q, then %q", tag, got.Header.Get("ETag"))
	}
	list := ok(t, s.Get(t, vocabularies)).JSON(t)
	if !reflect.DeepEqual(list["vocabularies"], []any{want}) {
		t.Errorf("list: %v", list)
	}
	// A definition that was read can be saved again.
	if again := ok(t, save(t, s.Client, "products", string(got.Body))); string(again.Body) != string(got.Body) {
		t.Errorf("sent back: %s", again)
	}
}

func TestVocabulariesAreListedByName(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	if a := ok(t, s.Get(t, vocabularies)); !strings.Contains(string(a.Body), `"vocabularies":[]`) {
		t.Errorf("nothing saved: %s", a)
	}
	ok(t, save(t, s.Client, "b", `{"terms":[{"term":"x"}]}`))
	ok(t, save(t, s.Client, "a%20%C3%BC%25",
		`{"vocabularyName":"a ü%","vocabularyType":"scripts","scripts":[{"script":"thank you for calling"}]}`))
	var names []string
	for _, v := range ok(t, s.Get(t, vocabularies)).JSON(t)["vocabularies"].([]any) {
		names = append(names, at(t, v, "vocabularyName").(string))
		ok(t, s.Get(t, at(t, v, "_links", "self", "href").(string)))
	}
	if !slices.Equal(names, []string{"a ü%", "b"}) {
		t.Errorf("%q", names)
	}
}

func TestADeletedVocabularyIsGone(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	ok(t, save(t, s.Client, "products", products))
	if a := s.Do(t, http.MethodDelete, vocabularies+"/products", nil); a.Status != http.StatusNoContent ||
		len(a.Body) != 0 {
		t.Fatal(a)
	}
	refused(t, s.Get(t, vocabularies+"/products"), 404, 80000, `"products"`)
	refused(t, s.Do(t, http.MethodDelete, vocabularies+"/products", nil), 404, 80000, `"products"`)
}

func TestVocabulariesOfOtherAccountsAreAsIfTheyWereNot(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	other := s.As(t, "other", account.AllScopes...)
	mine := ok(t, save(t, s.Client, "products", products))
	refused(t, other.Get(t, vocabularies+"/products"), 404, 80000)
	refused(t, other.Do(t, http.MethodDelete, vocabularies+"/products", nil), 404, 80000)
	refused(t, other.Post(t, recording,
		servertest.Field("configuration", `{"vocabularies":[{"vocabularyName":"products"}]}`)), 400, 20008,
		`"products"`)
	ok(t, save(t, other, "products", `{"terms":[{"term":"theirs"}]}`))
	if a := ok(t, s.Get(t, vocabularies+"/products")); string(a.Body) != string(mine.Body) {
		t.Errorf("another account changed ours: %s", a)
	}
}

func TestAVocabularyThatIsWrongIsNotSaved(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	for body, code := range map[string]int{
		"":           80200,
		`{"terms":[`: 80200,
		`{"vocabularyName":"w","terms":[{"term":"x"}]}`:       80202,
		`{"terms":[{"term":"x","weight":9}]}`:                 80203,
		`{"terms":[{"term":"x"}],"scripts":[{"script":"y"}]}`: 80204,
		`{"vocabularyType":"scripts","terms":[{"term":"x"}]}`: 80205,
		`{"vocabularyName":"v"}`:                              80206,
		`{"scripts":[{}]}`:                                    80207,
		`{"terms":[{"term":"x"},{"term":"x"}]}`:               80209,
		`{"words":["x"]}`:                                     10008,
	} {
		refused(t, save(t, s.Client, "v", body), 400, code)
	}
	refused(t, save(t, s.Client, "products%20", products), 400, 80202, "space")
	refused(t, save(t, s.Client, "v", `"`+strings.Repeat("x", 8<<20)+`"`), 413, 10800, "8388608")
	refused(t, s.Get(t, vocabularies+"/v"), 404, 80000)
	refused(t, save(t, s.Client, "v?x=1", products), 400, 95002, "x")
	refused(t, s.Get(t, vocabularies+"?limit=1"), 400, 95002, "limit")
}

func TestChangesHoldToTheStateThatTheClientKnows(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	remove := func(headers ...string) servertest.Answer {
		return s.Do(t, http.MethodDelete, vocabularies+"/v", nil, headers...)
	}
	refused(t, save(t, s.Client, "v", `{"terms":[{"term":"x"}]}`, "If-Match", "*"), 412, 95014)
	first := ok(t, save(t, s.Client, "v", `{"terms":[{"term":"1"}]}`, "If-None-Match", "*")).Header.Get("ETag")
	refused(t, save(t, s.Client, "v", `{"terms":[{"term":"x"}]}`, "If-None-Match", "*"), 412, 95014)
	second := ok(t, save(t, s.Client, "v", `{"terms":[{"term":"2"}]}`, "If-Match", first)).Header.Get("ETag")
	for _, wrong := range []string{first, "W/" + second, `"other"`, second[:len(second)-1]} {
		refused(t, save(t, s.Client, "v", `{"terms":[{"term":"x"}]}`, "If-Match", wrong), 412, 95014)
		refused(t, remove("If-Match", wrong), 412, 95014)
	}
	refused(t, save(t, s.Client, "v", `{"terms":[{"term":"x"}]}`, "If-None-Match", "W/"+second), 412, 95014)
	ok(t, save(t, s.Client, "v", `{"terms":[{"term":"3"}]}`, "If-Match", "*"))
	third := ok(t, save(t, s.Client, "v", `{"terms":[{"term":"4"}]}`, "If-None-Match", second)).Header.Get("ETag")
	if a := remove("If-Match", first+` , `+third); a.Status != http.StatusNoContent {
		t.Error(a)
	}
	// The name can be used again, but the old entity tag is never reused.
	again := ok(t, save(t, s.Client, "v", `{"terms":[{"term":"4"}]}`)).Header.Get("ETag")
	if again == third {
		t.Errorf("%s names a state from before the deletion", again)
	}
}

func TestOneOfManyConcurrentChangesOfAStateWins(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	tag := ok(t, save(t, s.Client, "v", `{"terms":[{"term":"x"}]}`)).Header.Get("ETag")
	statuses := make([]int, 8)
	var all sync.WaitGroup
	for i := range statuses {
		all.Go(func() { statuses[i] = save(t, s.Client, "v", `{"terms":[{"term":"y"}]}`, "If-Match", tag).Status })
	}
	all.Wait()
	slices.Sort(statuses)
	if !slices.Equal(statuses, []int{200, 412, 412, 412, 412, 412, 412, 412}) {
		t.Errorf("%v", statuses)
	}
}

// listener recognises nothing and records the vocabularies that it gets.
type listener struct{ asked chan []vocabulary.Vocabulary }

func (l listener) Recognize(_ context.Context, q asr.Request) (*asr.Recognition, error) {
	l.asked <- q.Vocabulary
	return &asr.Recognition{}, nil
}

func TestARecordingIsRecognisedWithTheVocabularyAsItWasWhenSent(t *testing.T) {
	t.Parallel()
	l := listener{make(chan []vocabulary.Vocabulary)}
	s := servertest.Start(t, servertest.Options{Recognizer: l})
	ok(t, save(t, s.Client, "products", products))
	ok(t, save(t, s.Client, "greetings", `{"scripts":[{"script":"thank you for calling"}]}`))
	id := s.Submit(t, recording, servertest.Field("configuration",
		`{"vocabularies":[{"vocabularyName":"products"},{"terms":[{"term":"Fabrikam"}]},{"vocabularyName":"greetings"}]}`))
	ok(t, save(t, s.Client, "products", `{"terms":[{"term":"later"}]}`))
	s.Do(t, http.MethodDelete, vocabularies+"/greetings", nil)
	want := []vocabulary.Vocabulary{
		{Name: "products", Terms: []vocabulary.Term{{Text: "Contoso", SoundsLike: []string{"con toso"}, Weight: 2},
			{Text: "CapEx"}}},
		{Terms: []vocabulary.Term{{Text: "Fabrikam"}}},
		{Name: "greetings", Scripts: []string{"thank you for calling"}},
	}
	if got := <-l.asked; !reflect.DeepEqual(got, want) {
		t.Errorf("asked with %+v", got)
	}
	go func() {
		for range l.asked {
		}
	}()
	if item := s.Await(t, id); item["status"] != "finished" {
		t.Error(item)
	}
	s.Stop()
	close(l.asked)
}

func TestConfigurationsThatNameNoSavedVocabularyAreRefused(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	ok(t, save(t, s.Client, "products", products))
	for configuration, code := range map[string]int{
		`{"vocabularies":[{"vocabularyName":"gone"}]}`:                                  20008,
		`{"vocabularies":[{"vocabularyName":"Products"}]}`:                              20008,
		`{"vocabularies":[{"vocabularyName":"products"},{"terms":[{"term":"CapEx"}]}]}`: 20017,
		`{"vocabularies":[{"vocabularyName":"products","terms":[{"term":"x"}]}]}`:       20007,
	} {
		refused(t, s.Post(t, recording, servertest.Field("configuration", configuration)), 400, code)
	}
}

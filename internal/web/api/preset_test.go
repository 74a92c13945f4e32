package api_test

import (
	"net/http"
	"reflect"
	"strings"
	"testing"

	"parley/internal/testkit/servertest"
	"parley/internal/words/account"
)

// support is a preset.
const (
	presetsPath = "/v3/definition/presets"
	support     = `{"presetDescription":"Support line","configuration":{"priority":"low","timeToLiveInSeconds":3600,"metrics":[{"metricGroupName":"overtalk"}]}}`
)

func putPreset(t *testing.T, c *servertest.Client, name, body string, headers ...string) servertest.Answer {
	t.Helper()
	return c.Do(t, http.MethodPut, presetsPath+"/"+name, strings.NewReader(body), headers...)
}

// problems checks that an answer is a 400 which reports problems with all of some texts.
func problems(t *testing.T, a servertest.Answer, says ...string) {
	t.Helper()
	var all strings.Builder
	for _, e := range a.JSON(t)["errors"].([]any) {
		all.WriteString(at(t, e, "error").(string) + "\n")
	}
	for _, text := range says {
		if a.Status != http.StatusBadRequest || !strings.Contains(all.String(), text) {
			t.Errorf("%d without %q:\n%s", a.Status, text, all.String())
		}
	}
}

func TestAPresetIsAnsweredAsItWasSentAndUploadsTakeIt(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	sent := strings.Replace(support, "3600", "3600.0", 1) // numbers keep their spelling
	put := ok(t, putPreset(t, s.Client, "support", sent))
	got := ok(t, s.Get(t, presetsPath+"/support"))
	if string(put.Body) != string(got.Body) || put.Header.Get("ETag") == "" ||
		put.Header.Get("ETag") != got.Header.Get("ETag") {
		t.Errorf("%s\n%s", put, got)
	}
	_, rest, _ := strings.Cut(sent, `"configuration":`)
	if !strings.Contains(string(got.Body), rest[:len(rest)-1]) || got.JSON(t)["presetDescription"] != "Support line" {
		t.Errorf("the configuration is not as it was sent: %s", got)
	}
	list := ok(t, s.Get(t, presetsPath)).JSON(t)["presets"].([]any)
	if len(list) != 1 || !reflect.DeepEqual(list[0], any(got.JSON(t))) {
		t.Errorf("list %v", list)
	}
	ok(t, putPreset(t, s.Client, "support", string(got.Body), "If-Match", got.Header.Get("ETag"))) // sent back
	refused(t, putPreset(t, s.Client, "support", sent, "If-Match", got.Header.Get("ETag")), 412, 95014)
	id := s.Submit(t, recording, configured(rest[:len(rest)-1]))
	if item := s.Await(t, id); item["status"] != "finished" || item["metrics"] == nil {
		t.Errorf("%v", item)
	}
	if a := s.Do(t, http.MethodDelete, presetsPath+"/support", nil); a.Status != 204 {
		t.Error(a)
	}
	refused(t, s.Get(t, presetsPath+"/support"), 404, 80000, "preset", "support")
}

func TestAllProblemsOfAPresetAreReportedTogetherWithTheirPlaces(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	a := putPreset(t, s.Client, "p", `{"presetName":"q","presetDescription":"`+strings.Repeat("x", 4001)+`","color":1,
		"configuration":{"priority":"urgent","metrix":[],"langauge":1,"vocabularies":[{"vocabularyName":"none"}],
		"spotting":{"groups":[{"groupName":"none"}]},"publish":{"callbacks":[{"url":"http://example.com/"},{"url":"https://10.0.0.1/"}]}}}`)
	problems(t, a, `/presetName: "q"`, "/presetDescription: has 4001", `unknown property "color"`,
		"/configuration/priority: ", `/configuration/langauge: unknown property`, "/configuration/vocabularies/0/vocabularyName: ",
		"/configuration/spotting/groups/0/groupName: ", "/configuration/publish/callbacks/0/url: ",
		"/configuration/publish/callbacks/1/url: ")
	refused(t, s.Get(t, presetsPath+"/p"), 404, 80000)
	for body, says := range map[string]string{
		``:                       "empty",
		`{}`:                     "/configuration is missing",
		`{"configuration":[]}`:   "/configuration is missing",
		`{"configuration":[1]}`:  "/configuration: a list where an object",
		`{"configuration":"{}"}`: "/configuration: ",
		`[`:                      "invalid JSON",
	} {
		refused(t, putPreset(t, s.Client, "p", body), 400, 95100, says)
	}
	refused(t, putPreset(t, s.Client, "p", `{"configuration":{"priority":"low","priority":"high"}}`), 400, 10010,
		"/configuration/priority")
	ok(t, putPreset(t, s.Client, "p", `{"configuration":{}}`))
	refused(t, putPreset(t, s.Client, "p", `{"configuration":{"vocabularies":[{"scripts":[{"script":"`+
		strings.Repeat("x", 1<<20)+`"}]}]}}`), 400, 10007, "/configuration: ", "too large")
}

// What a preset names may go: the upload tells then.
func TestAnUploadTellsWhatAPresetNamesThatIsGone(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	const named = `{"vocabularies":[{"vocabularyName":"products"}]}`
	refused(t, putPreset(t, s.Client, "p", `{"configuration":`+named+`}`), 400, 20008, "/configuration/vocabularies/0")
	ok(t, save(t, s.Client, "products", products))
	ok(t, putPreset(t, s.Client, "p", `{"configuration":`+named+`}`))
	if a := s.Do(t, http.MethodDelete, vocabularies+"/products", nil); a.Status != 204 {
		t.Fatal(a)
	}
	ok(t, s.Get(t, presetsPath+"/p"))
	refused(t, s.Post(t, recording, configured(named)), 400, 20008, "products")
}

// A language without an engine is for recordings that come with their transcript.
func TestAPresetIsForRecordingsThatComeWithTheirWords(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	const finnish = `{"configuration":{"speechModel":{"language":"fi-FI"}%s}}`
	ok(t, putPreset(t, s.Client, "imports", strings.Replace(finnish, "%s", "", 1)))
	a := putPreset(t, s.Client, "p", strings.Replace(finnish, "%s", `,"priority":"urgent"`, 1))
	problems(t, a, "fi-FI", "/configuration/speechModel/language", "/configuration/priority")
}

func TestAddressesOfCallbacksInPresetsAreForThoseWhoReadContents(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	const configuration = `{"priority": "low","publish":{"callbacks":[{"url":"https://hooks.example.com/secret?key=secret","type":"analytics"},{"method":"PUT","url":"https://hooks.example.com:8443/secret"}]}}`
	body := `{"configuration":` + configuration + `}`
	definer := s.As(t, account.DefaultName, account.Definitions, account.MediaWrite)
	refused(t, putPreset(t, definer, "p", body), 403, 10006, "publish.callbacks", "media:read")
	ok(t, putPreset(t, definer, "other", `{"configuration":{"publish":{"enableAnalyticIndexing":true}}}`))
	full := ok(t, putPreset(t, s.Client, "p", body))
	if !strings.Contains(string(full.Body), `"https://hooks.example.com/secret?key=secret"`) {
		t.Errorf("%s", full)
	}
	for _, path := range []string{presetsPath + "/p", presetsPath} {
		shown := string(ok(t, definer.Get(t, path)).Body)
		if strings.Contains(shown, "secret") || !strings.Contains(shown, `{"url":"hidden:hooks.example.com","type":"analytics"}`) ||
			!strings.Contains(shown, `{"method":"PUT","url":"hidden:hooks.example.com:8443"}`) {
			t.Errorf("%s", shown)
		}
	}
	hidden := at(t, ok(t, definer.Get(t, presetsPath+"/p")).JSON(t), "configuration", "publish", "callbacks").([]any)
	address := at(t, hidden[0], "url").(string)
	refused(t, definer.Post(t, recording, configured(`{"publish":{"callbacks":[{"url":"`+address+`"}]}}`)), 400, 60002,
		`"hidden"`)
}

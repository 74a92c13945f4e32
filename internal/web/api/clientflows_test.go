package api_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"parley/internal/testkit/servertest"
)

// These tests reproduce third-party clients of the service that this API is compatible with. Each sends one sequence of
// requests with the headers and bodies of a client, and reads the fields that the client reads.

// axios is the Accept header of the JavaScript client of that name.
const axios = "application/json, text/plain, */*"

// TestAClientThatTakesTheLastFormatOfACallback uploads voicemail like published samples, waits for the callback, takes
// the plain text by its index among the formats, and compares it with the downloaded transcript.
func TestAClientThatTakesTheLastFormatOfACallback(t *testing.T) {
	t.Parallel()
	base, got := receive(t, 200)
	s := servertest.Start(t, servertest.Options{Settings: trial})
	configuration := `{"speechModel":{"language":"en-US","extensions":["voicemail"]},"additionalSpeechModels":[{"language":"es-LA"}],
		"knowledge":{"enableDiscovery":false},"publish":{"callbacks":[{"url":"` + base + `/c","method":"POST","include":["transcript","metadata"]}]}}`
	id := s.Submit(t, recording, servertest.Field("configuration", configuration))
	item := s.Await(t, id)
	var codes []any
	for _, w := range item["warnings"].([]any) {
		codes = append(codes, at(t, w, "code"))
	}
	if item["status"] != "finished" || !slices.Equal(codes, []any{10602.0, 10604.0}) {
		t.Errorf("status %v, warnings %v", item["status"], item["warnings"])
	}
	var body struct {
		Transcript struct{ AlternateFormats []struct{ Data string } }
	}
	if err := json.Unmarshal((<-got).body, &body); err != nil {
		t.Fatal(err)
	}
	text, err := base64.StdEncoding.DecodeString(body.Transcript.AlternateFormats[3].Data)
	var said []string
	for _, w := range ok(t, s.Get(t, "/v3/media/"+id+"/transcript", "Accept", axios)).JSON(t)["words"].([]any) {
		said = append(said, at(t, w, "w").(string))
	}
	if err != nil || strings.TrimSpace(string(text)) != strings.Join(said, " ") || len(said) == 0 {
		t.Errorf("the callback says %q (%v), the transcript %q", text, err, said)
	}
}

// TestAClientThatFollowsLinks starts at /v3 and follows links down to each format of a transcript.
func TestAClientThatFollowsLinks(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	id := s.Submit(t, recording)
	item := s.Await(t, id)
	links := func(v map[string]any) map[string]string {
		all := map[string]string{}
		for name, link := range v["_links"].(map[string]any) {
			all[name] = at(t, link, "href").(string)
		}
		return all
	}
	for _, format := range []string{"text", "srt", "webvtt", "dfxp"} {
		if a := ok(t, s.Get(t, links(item)[format])); len(a.Body) == 0 ||
			links(item)[format] != "/v3/media/"+id+"/transcript/"+format {
			t.Errorf("%s leads to %s: %s", format, links(item)[format], a)
		}
	}
	root := links(ok(t, s.Get(t, "/v3")).JSON(t))
	for _, name := range []string{"definition/prediction/classifiers", "definition/prediction/detectors",
		"definition/metrics", "analytics/schema", "analytics/queries"} {
		if root[name] != "/v3/"+name {
			t.Errorf("%s is %q", name, root[name])
		}
	}
	for name, href := range root {
		if name != "analytics/vbql" { // accepts only POST
			ok(t, s.Get(t, href, "Accept", axios))
		}
	}
	ok(t, s.Do(t, http.MethodPost, root["analytics/vbql"], strings.NewReader("SELECT * FROM media")))
}

// Definitions as clients in typed languages model them; a string where the model has an integer fails to decode.
type (
	parameterModel struct {
		Name, Type, DefaultValue string
		Optional                 bool
		ValueSet                 []string
	}
	classModel struct {
		ClassLabel string
		ClassValue int32
	}
	predictorModel struct {
		ClassifierID, ClassifierName, DetectorID, DetectorName string
		Classes                                                []classModel
		Parameters                                             []parameterModel
	}
)

// TestAClientThatChoosesPredictorsFromTheirDefinitions lists classifiers and detectors, uses each with every parameter
// at its default, and checks that the classes in the results are those of the definitions.
func TestAClientThatChoosesPredictorsFromTheirDefinitions(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	decode := func(path string, into any) {
		if err := json.Unmarshal(ok(t, s.Get(t, path, "Accept", "application/json")).Body, into); err != nil {
			t.Fatal(err)
		}
	}
	var listed struct{ Classifiers, Detectors []predictorModel }
	decode("/v3/definition/prediction/classifiers", &listed)
	decode("/v3/definition/prediction/detectors", &listed)
	classes, asked := map[string]int32{}, map[string][]map[string]any{}
	for _, p := range append(listed.Classifiers, listed.Detectors...) {
		parameters := []map[string]any{} // empty instead of absent, as generated clients send it
		for _, d := range p.Parameters {
			if !d.Optional || d.Type != "String" || !slices.Contains(d.ValueSet, d.DefaultValue) {
				t.Errorf("%s%s: parameter %+v", p.ClassifierName, p.DetectorName, d)
			}
			parameters = append(parameters, map[string]any{"parameter": d.Name, "value": d.DefaultValue})
		}
		if len(p.Classes) == 0 {
			t.Errorf("%s%s has no classes", p.ClassifierName, p.DetectorName)
		}
		for _, c := range p.Classes {
			classes[p.ClassifierName+p.DetectorName+c.ClassLabel] = c.ClassValue
		}
		if p.DetectorID != "" {
			asked["detectors"] = append(asked["detectors"],
				map[string]any{"detectorId": p.DetectorID, "parameters": parameters, "redactor": nil})
		} else {
			asked["classifiers"] = append(asked["classifiers"],
				map[string]any{"classifierName": p.ClassifierName, "parameters": parameters})
		}
	}
	configuration, err := json.Marshal(map[string]any{"prediction": asked, "vocabularies": []any{},
		"encryption": map[string]any{"publicKeyId": nil}})
	if err != nil {
		t.Fatal(err)
	}
	id := s.Submit(t, sampleCall, spoken(t, "Caller: "+card), servertest.Field("configuration", string(configuration)))
	s.Await(t, id)
	var item struct {
		Length     int64
		Prediction struct {
			Classifiers []struct {
				ClassifierName, PredictedClassLabel string
				PredictedClass                      int32
			}
			Detectors []struct {
				DetectorName string
				Detections   []struct {
					DetectorClass      int32
					DetectorClassLabel string
				}
			}
		}
		Streams []struct{ Status int32 }
	}
	decode("/v3/media/"+id, &item)
	found := map[string]int32{}
	for _, c := range item.Prediction.Classifiers {
		found[c.ClassifierName+c.PredictedClassLabel] = c.PredictedClass
	}
	for _, d := range item.Prediction.Detectors {
		for _, f := range d.Detections {
			found[d.DetectorName+f.DetectorClassLabel] = f.DetectorClass
		}
	}
	for name, value := range found {
		if want, known := classes[name]; !known || want != value {
			t.Errorf("%s is %d, defined as %d (%t)", name, value, want, known)
		}
	}
	if len(item.Prediction.Classifiers) != len(listed.Classifiers) || len(found) <= len(listed.Classifiers) ||
		len(item.Streams) != 1 || item.Streams[0].Status != 200 {
		t.Errorf("%+v", item)
	}
}

// TestAClientThatAsksQuestionsInGo defines a category, lists all, runs a query, and decodes integers as integers.
func TestAClientThatAsksQuestionsInGo(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	body := `{"categoryDescription":null,"query":"*","notes":null,"tags":[],"version":null}`
	ok(t, s.Do(t, http.MethodPut, categoriesPath+"/all", strings.NewReader(body)))
	id := s.Submit(t, recording, servertest.Field("configuration",
		`{"publish":{"enableAnalyticIndexing":"true","callbacks":null},"categories":[{"categoryName":"all","allCategories":null}]}`))
	s.Await(t, id)
	var listed struct{ Categories []map[string]string }
	if err := json.Unmarshal(ok(t, s.Get(t, categoriesPath)).Body, &listed); err != nil ||
		fmt.Sprint(listed.Categories) != "[map[categoryDescription: categoryName:all]]" {
		t.Errorf("%v (%v)", listed, err)
	}
	type answer struct{ TotalResults, Limit, Offset, QueryTimeMillis int64 }
	for path, sent := range map[string]string{
		"/v3/analytics/vbql":         "SELECT mediaId FROM media",
		"/v3/analytics/test":         `{"query":"*","onOrAfterDate":null,"samples":null}`,
		categoriesPath + "/all/test": `{"query":null,"samples":[]}`,
	} {
		a := s.Do(t, http.MethodPost, path, strings.NewReader(sent), "Accept", "application/json")
		var got answer
		if err := json.Unmarshal(ok(t, a).Body, &got); err != nil || got.QueryTimeMillis < 1 {
			t.Errorf("%s: %+v (%v)", path, got, err)
		}
	}
	var days struct {
		Months []struct{ MonthName, MonthDay string }
	}
	now := ok(t, s.Get(t, "/v3/media/"+id)).JSON(t)["dateFinished"].(string)
	if err := json.Unmarshal(ok(t, s.Get(t, "/v3/usage/daily/"+now[:4]+"/"+now[5:7])).Body, &days); err != nil ||
		len(days.Months) == 0 || days.Months[0].MonthDay != strings.TrimLeft(now[8:10], "0") {
		t.Errorf("%+v (%v)", days, err)
	}
}

// TestAClientThatWritesNullsWhereverItHasNothing sends every kind of document as clients generated for Go do.
func TestAClientThatWritesNullsWhereverItHasNothing(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	for path, sent := range map[string]string{
		"/v3/definition/vocabularies" +
			"/v": `{"vocabularyName":null,"terms":[{"term":"x","soundsLike":null,"weight":null}],"scripts":null}`,
		groups + "/g":                 `{"groupName":null,"keywords":["x",null],"_links":null}`,
		categoriesPath + "/c":         `{"categoryName":null,"query":"*","tags":null,"version":{"of":null}}`,
		queriesPath + "/q":            `{"queryName":null,"queryDescription":null,"query":"SELECT * FROM media"}`,
		presetsPath + "/p":            `{"presetName":null,"presetDescription":null,"configuration":{"priority":null,"metrics":[]}}`,
		dashboardsPath + "/d":         `{"title":null,"tiles":[null,{"statement":"*","chart":null,"width":null,"view":null}]}`,
		"/v3/definition/media/search": `{"fields":["extended.a",null],"_links":null}`,
	} {
		ok(t, s.Do(t, http.MethodPut, path, strings.NewReader(sent)))
	}
	key := `{"description":null,"expirationDate":null,"ttlMillis":60000,"ephemeral":null,"scope":null}`
	ok(t, s.Do(t, http.MethodPost, "/v3/profile/keys", strings.NewReader(key)))
	configuration := `{"encryption":{"publicKeyId":null},"ingest":{"stereo":{"left":{"speakerName":null},"right":null}},
		"publish":{"callbacks":null,"audioTranscode":{"codec":null}},"transcript":{"formatting":{"enableNumberFormatting":null}}}`
	metadata := `{"title":null,"extended":{"a":null},"callDetails":{"agent":{"fullName":null},"callStartTime":null,"callDirection":null}}`
	id := s.Submit(t, recording, servertest.Field("configuration", configuration),
		servertest.Field("metadata", metadata))
	item := s.Await(t, id)
	if item["status"] != "finished" || item["warnings"] != nil || item["encryption"] != nil {
		t.Errorf("%v, warnings %v, encryption %v", item["status"], item["warnings"], item["encryption"])
	}
	if kept := s.Get(t, "/v3/media/"+id).Body; !bytes.Contains(kept, []byte(metadata)) {
		t.Errorf("the metadata is not as it was sent: %s", kept)
	}
}

package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"parley/internal/testkit/servertest"
	"parley/internal/testkit/verify"
	"parley/internal/words/account"
)

const classifiers = "/v3/definition/prediction/classifiers"

// intents are example texts of two classes.
var intents = map[string][]string{
	"billing": {"there is a charge on my bill", "my bill is too high", "why was I charged twice",
		"the invoice is wrong", "I want a refund of that charge", "my last invoice was paid"},
	"network": {"the internet is slow", "I have no signal", "my router does not connect", "the connection drops",
		"wifi is down again", "no internet since this morning"},
}

// trainingSet returns a training set made from intents.
func trainingSet(name string) string {
	var examples []string
	for _, label := range []string{"billing", "network"} {
		for _, text := range intents[label] {
			examples = append(examples, fmt.Sprintf(`{"text":%q,"label":%q}`, text, label))
		}
	}
	return fmt.Sprintf(`{"classifierName":%q,"examples":[%s]}`, name, strings.Join(examples, ","))
}

// trainNew trains a classifier, waits for it and returns its id.
func trainNew(t *testing.T, s *servertest.Server, name string) string {
	t.Helper()
	return trained(t, s, ok(t, s.Do(t, http.MethodPost, classifiers, strings.NewReader(trainingSet(name)))))
}

// trained waits until the version of an answer is trained.
func trained(t *testing.T, s *servertest.Server, a servertest.Answer) string {
	t.Helper()
	s.Idle(t)
	return a.JSON(t)["classifierId"].(string)
}

// judging returns a configuration with classifiers.
func judging(elements string) servertest.Part {
	return servertest.Field("configuration", `{"prediction":{"classifiers":[`+elements+`]}}`)
}

func TestATrainedClassifierJudgesRecordings(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	posted := ok(t, s.Do(t, http.MethodPost, classifiers, strings.NewReader(trainingSet("Intent")))).JSON(t)
	if posted["status"] != "training" && posted["status"] != "ready" || posted["classifierVersion"] != "1" ||
		posted["trainingTexts"] != 12.0 {
		t.Errorf("%v", posted)
	}
	id := posted["classifierId"].(string)
	s.Idle(t)
	got := ok(t, s.Get(t, classifiers+"/"+id)).JSON(t)
	if got["status"] != "ready" || got["percent"] != 100.0 || got["classifierType"] != "binary" ||
		at(t, got, "quality", "folds") != 5.0 {
		t.Errorf("%v", got)
	}
	if classes := fmt.Sprint(got["classes"]); classes != "[map[classLabel:billing classValue:0] "+
		"map[classLabel:network classValue:1]]" {
		t.Error(classes)
	}
	item := s.Await(t, s.Submit(t, sampleCall, spoken(t, "Caller: the wifi is down and my router has no signal"),
		judging(`{"classifierName":"intent"},{"classifierId":"`+id+
			`","version":"1"},{"classifierName":"voicemail"},{"classifierName":"sentiment"}`)))
	if item["status"] != "finished" || item["warnings"] != nil {
		t.Fatalf("%v: %v %v", item["status"], item["errors"], item["warnings"])
	}
	found := at(t, item, "prediction", "classifiers").([]any)
	first := found[0].(map[string]any)
	if score := first["predictionScore"].(float64); score <= .5 || score > 1 {
		t.Errorf("score %v", score)
	}
	delete(first, "predictionScore")
	want := map[string]any{
		"classifierId": id, "classifierName": "Intent", "classifierVersion": "1", "classifierDisplayName": "Intent",
		"classifierType": "binary", "predictedClassLabel": "network", "predictedClass": 1.0,
	}
	if !reflect.DeepEqual(first, want) || len(found) != 4 || at(t, found[1], "predictedClassLabel") != "network" ||
		at(t, found[2], "predictedClassLabel") != "conversation" || at(t, found[3], "classifierType") != "multiclass" {
		t.Errorf("%v", found)
	}
	plain := s.Await(t, s.Submit(t, sampleCall, spoken(t, "Caller: hello")))
	if plain["prediction"] != nil {
		t.Errorf("nobody asked for %v", plain["prediction"])
	}
}

func TestWhatIsBuiltInJudgesMoodAndAnsweringMachines(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	for words, want := range map[string]string{
		"Caller: this is terrible awful service and I hate it":                              "negative conversation",
		"Caller: thank you so much that is wonderful I love it":                             "positive conversation",
		"Caller: you have reached the mailbox of Tim please leave a message after the tone": "neutral voicemail",
	} {
		item := s.Await(t, s.Submit(t, sampleCall, spoken(t, words),
			judging(`{"classifierName":"sentiment"},{"classifierName":"voicemail","version":"1+"}`)))
		found := at(t, item, "prediction", "classifiers").([]any)
		if got := fmt.Sprint(at(t, found[0], "predictedClassLabel"), " ",
			at(t, found[1], "predictedClassLabel")); got != want {
			t.Errorf("%s: %s, want %s", words, got, want)
		}
	}
}

func TestTrainingUnderTheSameNameMakesANewVersionAndOlderOnesStay(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	id := trainNew(t, s, "intent")
	csv := "text,Category\nhello there,greeting\ngood morning,greeting\nhi how are you,greeting\nbye " +
		"now,parting\nsee you,parting\ngood bye,parting\n"
	second := ok(t, s.Do(t, http.MethodPost, classifiers+"?classifierName=INTENT&classifierDisplayName=Second",
		strings.NewReader(csv)))
	if again := trained(t, s, second); again != id {
		t.Errorf("the second version has the id %s, not %s", again, id)
	}
	var versions []string
	for _, c := range ok(t, s.Get(t, classifiers)).JSON(t)["classifiers"].([]any) {
		versions = append(versions, at(t, c, "classifierName").(string)+at(t, c, "classifierVersion").(string))
	}
	if got := strings.Join(versions, " "); got != "intent2 intent1 sentiment1.0.0 voicemail1.0.0" {
		t.Error(got)
	}
	recording := []servertest.Part{sampleCall, spoken(t, "Caller: my bill is wrong")}
	for version, labels := range map[string]string{"": "greeting parting", "latest": "greeting parting",
		"1": "billing network", "1+": "greeting parting"} {
		item := s.Await(t, s.Submit(t,
			append(recording, judging(`{"classifierName":"intent","version":"`+version+`"}`))...))
		if got := at(t, at(t, item, "prediction", "classifiers").([]any)[0],
			"predictedClassLabel").(string); !strings.Contains(labels, got) {
			t.Errorf("version %q says %s", version, got)
		}
	}
	refused(t, s.Post(t, append(recording, judging(`{"classifierName":"intent","version":"3"}`))...), 400, 50001, "3")
	if a := s.Do(t, http.MethodDelete, classifiers+"/intent?version=2", nil); a.Status != 204 {
		t.Error(a)
	}
	if got := ok(t, s.Get(t, classifiers+"/intent")).JSON(t)["classifierVersion"]; got != "1" {
		t.Errorf("version %v is left", got)
	}
	refused(t, s.Do(t, http.MethodDelete, classifiers+"/intent?version=2", nil), 404, 80000, "version 2")
	refused(t, s.Do(t, http.MethodDelete, classifiers+"/intent?version=x", nil), 400, 95002, `"x"`)
	refused(t, s.Get(t, classifiers+"/intent?version=2"), 404, 80000, "newest is 1")
	refused(t, s.Do(t, http.MethodDelete, classifiers+"/voicemail", nil), 404, 80000)
}

func TestARecordingKeepsTheClassifierThatItWasSentWith(t *testing.T) {
	t.Parallel()
	gate := servertest.NewGate()
	s := servertest.Start(t, servertest.Options{Recognizer: gate})
	id := trainNew(t, s, "intent")
	waiting := s.Submit(t, recording, judging(`{"classifierName":"intent"}`))
	<-gate.Entered
	if a := s.Do(t, http.MethodDelete, classifiers+"/"+id, nil); a.Status != 204 {
		t.Fatal(a)
	}
	refused(t, s.Get(t, classifiers+"/"+id), 404, 80000)
	refused(t, s.Post(t, recording, judging(`{"classifierName":"intent"}`)), 400, 50001)
	if n := rows(t, s)["classifier"]; n != 1 {
		t.Errorf("%d rows while a recording waits with it", n)
	}
	gate.Open()
	item := s.Await(t, waiting)
	if got := at(t, at(t, item, "prediction", "classifiers").([]any)[0], "classifierId"); got != id {
		t.Errorf("%v", item["prediction"])
	}
	if counts := rows(t, s); counts["classifier"] != 0 || counts["classifier_use"] != 0 {
		t.Errorf("%d rows are left of it, and %d uses", counts["classifier"], counts["classifier_use"])
	}
}

func TestTrainingThatWaitsWhenTheServerEndsIsDoneByTheNext(t *testing.T) {
	t.Parallel()
	first := servertest.Start(t, servertest.Options{Settings: only})
	posted := ok(t, first.Do(t, http.MethodPost, classifiers, strings.NewReader(trainingSet("intent")))).JSON(t)
	refused(t, first.Post(t, recording, judging(`{"classifierName":"intent"}`)), 400, 95093, "not trained")
	var queue struct{ Jobs []map[string]any }
	if err := json.Unmarshal(ok(t, first.Get(t, "/v3/queue")).Body, &queue); err != nil || len(queue.Jobs) != 1 ||
		queue.Jobs[0]["kind"] != "train" || queue.Jobs[0]["mediaId"] != nil {
		t.Errorf("queue %v (%v)", queue, err)
	}
	first.Stop()
	second := servertest.Start(t, servertest.Options{Dir: first.Dir})
	second.Idle(t)
	if got := ok(t, second.Get(t, classifiers+"/"+posted["classifierId"].(string))).JSON(t); got["status"] != "ready" {
		t.Errorf("%v", got)
	}
}

func TestClassifiersLearnFromRecordings(t *testing.T) {
	verify.Long(t)
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	var examples []string
	for label, texts := range intents {
		for _, text := range texts {
			id := s.Submit(t, sampleCall, spoken(t, "Caller: "+text))
			s.Await(t, id)
			examples = append(examples, id+","+label)
		}
	}
	csv := "mediaId,label\n" + strings.Join(examples, "\n")
	stranger := s.As(t, "other", account.AllScopes...)
	refused(t, stranger.Do(t, http.MethodPost, classifiers+"?classifierName=calls", strings.NewReader(csv)), 400, 95091,
		"example 1")
	id := trained(t, s, ok(t, s.Do(t, http.MethodPost, classifiers+"?classifierName=calls", strings.NewReader(csv))))
	if got := ok(t, s.Get(t, classifiers+"/"+id)).JSON(t); got["status"] != "ready" || got["trainingTexts"] != 12.0 {
		t.Errorf("%v", got)
	}
	item := s.Await(t, s.Submit(t, sampleCall, spoken(t, "Caller: why is my bill that high"),
		judging(`{"classifierName":"calls"}`)))
	if got := at(t, at(t, item, "prediction", "classifiers").([]any)[0], "predictedClassLabel"); got != "billing" {
		t.Errorf("%v", item["prediction"])
	}
}

func TestTrainingThatHasTooLittleLeftFailsAndSaysSo(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{})
	silent := s.Submit(t, servertest.File("media", "x.wav", silence()))
	s.Await(t, silent)
	set := strings.Replace(trainingSet("quiet"), `[`,
		fmt.Sprintf(`[{"mediaId":%q,"label":"quiet"},{"mediaId":%q,"label":"quiet"},{"text":"hush","label":"quiet"},`,
			silent, silent), 1)
	id := trained(t, s, ok(t, s.Do(t, http.MethodPost, classifiers, strings.NewReader(set))))
	got := ok(t, s.Get(t, classifiers+"/"+id)).JSON(t)
	if got["status"] != "failed" || at(t, got["errors"].([]any)[0], "code") != 95090.0 {
		t.Errorf("%v", got)
	}
	refused(t, s.Post(t, recording, judging(`{"classifierName":"quiet"}`)), 400, 95093, "not trained")
}

func TestTrainingSetsThatAreWrongAreRefused(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	post := func(query, body string) servertest.Answer {
		return s.Do(t, http.MethodPost, classifiers+query, strings.NewReader(body))
	}
	refused(t, post("", ""), 400, 95090, "body is empty")
	refused(t, post("", strings.Replace(trainingSet("x"), `"label"`, `"lable"`, 1)), 400, 10008, "lable")
	refused(t, post("", trainingSet("sentiment")), 400, 95092, "built-in")
	refused(t, post("?classifierName=y", trainingSet("x")), 400, 95092, `"x"`)
	refused(t, post("?classifierName=a%2Fb", "text,label\n"), 400, 95092, "URL")
	refused(t, post("?name=x", trainingSet("x")), 400, 95002, "name")
	refused(t, post("?classifierName="+url.QueryEscape("x"), "text,label\na,b\n"), 400, 95090, "1 different labels")
	refused(t, s.Get(t, classifiers+"/none"), 404, 80000, `"none"`)
	german := judging(`{"classifierName":"sentiment"}`)
	german.Body = []byte(strings.Replace(string(german.Body), "{", `{"speechModel":{"language":"de-DE"},`, 1))
	refused(t, s.Post(t, sampleCall, spoken(t, "Caller: hallo"), german), 400, 50001, "de-DE")
}

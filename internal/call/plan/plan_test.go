package plan

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/internal/call/delivery"
	"parley/internal/words/fault"
	"parley/internal/words/media"
	"parley/internal/words/transcript"
	"parley/internal/words/vocabulary"
)

// bare is a server that recognises English and has no other features.
func bare() Environment {
	return Environment{Models: []Model{{Engine: "pocketsphinx", Name: "en-us", Languages: []string{"en-US"}}}}
}

// full is a server with all features, some of them for English only.
func full() Environment {
	e := bare()
	e.Models = append(e.Models, Model{Engine: "sherpa", Name: "many", Languages: []string{"es-US", "es-LA", "en-GB"}})
	english := Languages{"en"}
	e.Built = Built{AdvancedPunctuation: nil, VoiceFeatures: nil, Diarization: nil, NumberFormatting: english,
		ProfanityFiltering: english,
		Classifiers:        english, Detectors: english, Redaction: english, Metrics: nil, Spotting: nil,
		KnowledgeDiscovery: english, VerbNounPairs: english,
		SpeakerSentiments: nil, EntityExtraction: english, Categories: nil, Callbacks: nil, AnalyticIndexing: nil,
		AudioTranscode: nil, Encryption: nil}
	e.Definitions = Definitions{
		Vocabularies: []vocabulary.Vocabulary{{Name: "earningsCalls", Terms: []vocabulary.Term{{Text: "CapEx"}}},
			{Name: "empty"}},
		Groups: []Group{{Name: "finance", Keywords: []string{"loan"}}, {Name: "empty"}},
		Categories: []Category{{Name: "hello", Query: "SELECT * FROM media MATCH 'hello'"},
			{Name: "bye", Query: "SELECT * FROM media MATCH 'bye'"}},
		Classifiers: []Predictor{{ID: id1, Name: "sales-lead", Version: "3.2"}},
		Detectors:   []Predictor{{ID: id2, Name: "PCI", Version: "1.0.0"}},
		Keys:        []Key{{ID: id1, Content: []byte("key")}},
	}
	return e
}

func resolve(t testing.TB, text string, env Environment) (*Plan, error) {
	t.Helper()
	request, err := Parse([]byte(text))
	if err != nil {
		return nil, err
	}
	return Resolve(request, env)
}

func must(t *testing.T, text string, env Environment) *Plan {
	t.Helper()
	p, err := resolve(t, text, env)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return p
}

func TestNothingAskedIsTheDefaults(t *testing.T) {
	want := &Plan{
		Language:    "en-US",
		Recognition: &Recognition{Engine: "pocketsphinx", Model: "en-us", Language: "en-US"},
		Ingest:      Ingest{Mixed: transcript.Speaker{Name: "Speaker", Channel: transcript.NoChannel}},
		Priority:    media.Normal,
		TimeToLive:  time.Hour,
		Searchable:  true,
	}
	env := bare()
	env.TimeToLive = time.Hour
	emptied := `{"speechModel":null,"additionalSpeechModels":[],"priority":null,"ingest":[],"prediction":{"classifiers":[],"detectors":null},
		"metrics":[],"spotting":{"groups":[]},"knowledge":null,"vocabularies":[],"categories":[],"publish":{"callbacks":[],"audioTranscode":null},
		"searchability":null,"encryption":null,"timeToLiveInSeconds":null,"_links":{"self":{}},"unheardOf":null}`
	for _, text := range []string{"", "{}", "null", "[]", emptied} {
		if p := must(t, text, env); !reflect.DeepEqual(p, want) {
			t.Errorf("%s: %+v", text, p)
		}
	}
}

func TestTextThatIsNoJSONIsRefusedWithItsPlace(t *testing.T) {
	for text, place := range map[string]string{"{\n\"priority\" \"high\"}": "line 2, column 12",
		" ": "line 1, column 1", `{"a":1`: "line 1, column 7"} {
		_, err := Parse([]byte(text))
		if !fault.Is(err, fault.Invalid) || codesOf(err)[0] != fault.CodeConfiguration ||
			!strings.Contains(err.Error(), place) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := resolve(t, `"text"`, bare()); !slices.Equal(codesOf(err), []int{fault.CodeConfiguration}) {
		t.Errorf("a text: %v", err)
	}
}

func TestAllProblemsComeAtOnce(t *testing.T) {
	_, err := resolve(t, `{"speechmodel":{},"priority":"urgent","priority":"low","spotting":{"groups":[{"groupName":"x"},{"groupName":"empty"}]},
		"publish":{"callbacks":[{"url":"ftp://example.com","type":"transcript","include":["metadata"]}]},"speechModel":{"language":"tlh"}}`, full())
	want := []int{fault.CodeUnknownProperty, fault.CodePriority, fault.CodeDuplicateProperty, fault.CodeLanguage,
		fault.CodeGroupUnknown,
		fault.CodeGroupEmpty, fault.CodeCallbackNotAllowed, fault.CodeCallbackMissing, fault.CodeCallbackProtocol}
	if got := codesOf(err); !slices.Equal(got, want) {
		t.Errorf("codes %v, want %v:\n%v", got, want, err)
	}
	if !strings.Contains(err.Error(), `/speechmodel: unknown property "speechmodel"; did you mean "speechModel"?`) {
		t.Errorf("no remedy in %v", err)
	}
}

func TestWhatIsNotBuiltIsRefusedWhereItHidesAndElseWarnedOf(t *testing.T) {
	for _, text := range []string{
		`{"encryption":{"publicKeyId":"` + id1 + `"}}`,
		`{"encryption":{}}`,
		`{"prediction":{"detectors":[{"detectorName":"PCI","redactor":{"transcript":{"replacement":"x"}}}]}}`,
		`{"prediction":{"detectors":[{"detectorName":"PCI","redactor":{}}]}}`,
	} {
		if _, err := resolve(t, text, bare()); !slices.Equal(codesOf(err), []int{fault.CodeNotBuilt}) {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, text := range []string{
		`{"speechModel":{"features":["advancedPunctuation"]}}`, `{"speechModel":{"features":["voiceFeatures"]}}`,
		`{"speechModel":{"features":["diarization"]}}`,
		`{"prediction":{"detectors":[{"detectorName":"unheard-of"}]}}`,
		`{"prediction":{"classifiers":[{"classifierName":"unheard-of"}]}}`,
		`{"metrics":[{"metricGroupName":"overtalk"}]}`, `{"knowledge":{"enableDiscovery":true}}`,
		`{"conversation":{"verbNounPairsEnabled":true}}`, `{"speakerSentiments":true}`,
		`{"entity":{"enableEntityExtraction":true}}`,
		`{"transcript":{"formatting":{"enableNumberFormatting":true}}}`,
		`{"transcript":{"contentFiltering":{"enableProfanityFiltering":true}}}`,
		`{"categories":[{"allCategories":true}]}`, `{"publish":{"callbacks":[{"url":"https://example.com"}]}}`,
		`{"publish":{"enableAnalyticIndexing":true}}`,
		`{"publish":{"audioTranscode":{"fileFormat":"mp3"}}}`,
	} {
		p := must(t, text, bare())
		if len(p.Warnings) != 1 || p.Warnings[0].Code != fault.CodeNotBuilt {
			t.Errorf("%s: warnings %v", text, p.Warnings)
		}
		p.Warnings = nil
		if plain := must(t, "", bare()); !reflect.DeepEqual(p, plain) {
			t.Errorf("%s: plans %+v", text, p)
		}
	}
	for _, text := range []string{
		`{"knowledge":{"enableDiscovery":false}}`, `{"speakerSentiments":false}`,
		`{"publish":{"enableAnalyticIndexing":"false"}}`,
		`{"transcript":{"formatting":{"enableNumberFormatting":false}}}`, `{"ingest":{"allowDeferredProcessing":true}}`,
	} {
		if p := must(t, text, bare()); p.Warnings != nil {
			t.Errorf("%s: warnings %v", text, p.Warnings)
		}
	}
}

// A client of the original service may send settings that have no meaning here; the recording is processed
// nevertheless.
func TestWhatDoesNoHarmWhenIgnoredIsAWarning(t *testing.T) {
	for text, code := range map[string]int{
		`{"speechModel":{"extensions":["voicemail"]}}`:                            fault.CodeExtension,
		`{"speechModel":{"version":"2.1"}}`:                                       fault.CodeIgnored,
		`{"additionalSpeechModels":[{"language":"es-LA","extensions":["x"]}]}`:    fault.CodeAdditionalModels,
		`{"speechModel":{"model":"Europa"}}`:                                      fault.CodeIgnored,
		`{"knowledge":{"enableDiscovery":true,"enableExternalDataSources":true}}`: fault.CodeIgnored,
	} {
		p := must(t, text, full())
		if warningCode(p) != code {
			t.Errorf("%s: warnings %v", text, p.Warnings)
		}
		if p.Recognition.Engine != must(t, `{}`, full()).Recognition.Engine {
			t.Errorf("%s: %+v", text, p.Recognition)
		}
	}
	p := must(t, `{"prediction":{"classifiers":[{"classifierName":"sales-lead","parameters":[{"parameter":"depth","value":"1"}]}]}}`, full())
	if warningCode(p) != fault.CodeIgnored || len(p.Classifiers) != 1 || len(p.Classifiers[0].Parameters) != 0 {
		t.Errorf("a parameter of a classifier: %+v, warnings %v", p.Classifiers, p.Warnings)
	}
}

// An ignored setting is no reason to reject a recording, whatever its content; a warning says that it was ignored.
func TestAdditionalSpeechModelsAreNotRead(t *testing.T) {
	for _, models := range []string{`[{"language":"es-LA"}]`, `[{"langauge":7}]`, `[{}]`} {
		p := must(t, `{"additionalSpeechModels":`+models+`}`, full())
		if warningCode(p) != fault.CodeAdditionalModels || !strings.Contains(p.Warnings[0].Message, "have no effect") {
			t.Errorf("%s: warnings %v", models, p.Warnings)
		}
	}
}

func TestWhatACallerMustNotBelieveToHaveIsRefused(t *testing.T) {
	hook := func(more string) string {
		return `{"publish":{"callbacks":[{"url":"https://example.com",` + more + `}]}}`
	}
	detector := func(more string) string { return `{"prediction":{"detectors":[{"detectorName":"PCI",` + more + `}]}}` }
	redactor := func(halves string) string { return detector(`"redactor":{` + halves + `}`) }
	const text, audio = `"transcript":{"replacement":"x"},`, `"audio":{"tone":170,"gain":0.5},`
	for text, code := range map[string]int{
		hook(`"role":"arn:aws:iam::1:role/x"`):                                  fault.CodeUnknownProperty,
		hook(`"prependFolder":true`):                                            fault.CodeUnknownProperty,
		redactor(`"transcript":null,"audio":null`):                              fault.CodeRedactorEmpty,
		redactor(`"audio":{"tone":null,"gain":null}`):                           fault.CodeRedactorEmpty,
		detector(`"redactor":{"audio":{"tone":null}},"redactor":null`):          fault.CodeRedactorEmpty,
		redactor(audio + `"transcript":{"replacement":null}`):                   fault.CodeRedactorProperty,
		redactor(audio + `"transcript":{"replacement":[]}`):                     fault.CodeRedactorProperty,
		redactor(audio + `"transcript":{"unheardOf":null}`):                     fault.CodeRedactorProperty,
		redactor(audio + `"transcript":{"replacement":null},"transcript":null`): fault.CodeRedactorProperty,
		redactor(text + `"audio":{"tone":null,"gain":null}`):                    fault.CodeRedactorProperty,
		redactor(text + `"audio":{"tone":[],"gain":null}`):                      fault.CodeRedactorProperty,
		redactor(text + `"audio":{"gain":null},"audio":[]`):                     fault.CodeRedactorProperty,
		detector(`"parameters":[{"parameter":"strength","value":"1"}]`):         fault.CodeConfiguration,
		detector(`"parameters":[{"parameter":"detectionLevel","value":null}]`):  fault.CodeConfiguration,
		`{"prediction":{"detectors":[{"detectorId":null,"redactor":null}]}}`:    fault.CodeDetectorUnnamed,
	} {
		if _, err := resolve(t, text, full()); !slices.Equal(codesOf(err), []int{code}) {
			t.Errorf("%s: %v, want %d", text, err, code)
		}
	}
	if p := must(t, detector(`"redactor":{"transcript":{"replacement":"x"}},"redactor":null`),
		full()); p.Detectors[0].Redactor == nil {
		t.Error("a null after it takes a redactor away")
	}
	for half, without := range map[string]string{text: "audio", audio: "transcript"} {
		want := must(t, redactor(strings.TrimSuffix(half, ",")), full()).Detectors[0].Redactor
		for _, absent := range []string{"null", "[]"} {
			got := must(t, redactor(half+`"`+without+`":`+absent), full()).Detectors[0].Redactor
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s with %s: %s is %+v", half, without, absent, got)
			}
		}
	}
}

// Clients generated from a schema write null for unset fields, including fields of nested objects.
func TestObjectsOfNullsAreAbsent(t *testing.T) {
	env := full()
	for _, text := range []string{
		`{"encryption":{"publicKeyId":null}}`, `{"ingest":{"stereo":{"left":null,"right":null}}}`,
		`{"ingest":{"stereo":{"left":{"speakerName":null,"ignore":null},"right":{"speakerName":null}},"tracks":[]}}`,
		`{"prediction":{"detectors":[],"classifiers":null},"publish":{"audioTranscode":{"codec":null,"fileFormat":null}}}`,
		`{"speechModel":{"language":null,"extensions":[null]},"unheardOf":{"like":{"this":null}}}`,
	} {
		p := must(t, text, env)
		if want := must(t, `{}`, env); !reflect.DeepEqual(p, want) {
			t.Errorf("%s: plans %+v", text, p)
		}
	}
}

func TestKeywordGroupsAreLookedUpThoughNothingIsSpottedYet(t *testing.T) {
	env := full()
	delete(env.Built, Spotting)
	for name, codes := range map[string][]int{"finance": nil, "empty": {fault.CodeGroupEmpty},
		"unheard-of": {fault.CodeGroupUnknown}} {
		p, err := resolve(t, `{"spotting":{"groups":[{"groupName":"`+name+`"}]}}`, env)
		switch {
		case codes != nil && !slices.Equal(codesOf(err), codes):
			t.Errorf("%s: %v", name, err)
		case codes == nil && (err != nil || p.Spotting != nil || warningCode(p) != fault.CodeNotBuilt):
			t.Errorf("%s: %v, plans %+v", name, err, p)
		}
	}
}

func TestEverythingAskedIsInThePlan(t *testing.T) {
	p := must(t, `{"speechModel":{"features":["advancedPunctuation","voiceFeatures"]},"priority":"low","timeToLiveInSeconds":60,
		"prediction":{"classifiers":[{"classifierName":"Sales-Lead","version":"3.1+"}],"detectors":[{"detectorName":"pci",
			"parameters":[{"parameter":"DetectionLevel","value":"numbersonly"}],"redactor":{"transcript":{"replacement":"[x]"},"audio":{"tone":270,"gain":0.5}}}]},
		"metrics":[{"metricGroupName":"sentiment"},{"metricGroupName":"overtalk"},{"metricGroupName":"sentiment"}],
		"spotting":{"groups":[{"groupName":"finance"}]},"knowledge":{"enableDiscovery":true},"conversation":{"verbNounPairsEnabled":true},
		"speakerSentiments":true,"entity":{"enableEntityExtraction":true},"transcript":{"contentFiltering":{"enableProfanityFiltering":true}},
		"vocabularies":[{"vocabularyName":"earningsCalls"},{"terms":[{"term":"EBITDA","weight":2}]}],"categories":[{"categoryName":"bye"}],
		"publish":{"enableAnalyticIndexing":"true","audioTranscode":{"fileFormat":"ogg"},
			"callbacks":[{"url":"https://example.com/a","type":"media","stream":"redacted-audio","method":"put"}]}}`, full())
	e := full().Definitions
	want := &Plan{
		Language: "en-US",
		Recognition: &Recognition{"pocketsphinx", "en-us", "en-US", []vocabulary.Vocabulary{e.Vocabularies[0],
			{Terms: []vocabulary.Term{{Text: "EBITDA", Weight: 2}}}}},
		Ingest:   Ingest{Mixed: transcript.Speaker{Name: "Speaker", Channel: transcript.NoChannel}},
		Priority: media.Low, TimeToLive: time.Minute,
		Formatting: Formatting{true, true, true}, VoiceFeatures: true,
		Knowledge: &Knowledge{}, Spotting: e.Groups[:1],
		Classifiers: []Prediction{{e.Classifiers[0], map[string]string{}}},
		Detectors: []Detection{{e.Detectors[0], map[string]string{"detectionLevel": "numbersOnly"},
			&Redactor{&TranscriptRedactor{"[x]"}, &AudioRedactor{270, 0.5}}}},
		Metrics: []string{"overtalk", "sentiment"}, Categories: e.Categories[1:],
		Conversation: &Conversation{}, Sentiments: &Sentiments{}, Entities: &Entities{},
		Searchable: true, Analytic: true,
		Callbacks: []delivery.Callback{{URL: "https://example.com/a", Method: "PUT", Type: "media",
			Stream: "redacted-audio"}},
		Transcode: &Transcode{Format: "ogg", Codec: "vorbis"},
	}
	if !reflect.DeepEqual(p, want) {
		t.Errorf("got\n%+v\nwant\n%+v", p, want)
	}
}

func TestEncryptionKeepsMediaOutOfSearch(t *testing.T) {
	p := must(t, `{"encryption":{"publicKeyId":"`+strings.ToUpper(id1)+
		`"},"searchability":{"searchable":true},"publish":{"enableAnalyticIndexing":"true"}}`, full())
	if p.Searchable || p.Analytic || p.Sealing == nil || string(p.Sealing.Content) != "key" {
		t.Errorf("%+v", p)
	}
	if len(p.Warnings) != 2 || p.Warnings[0].Code != fault.CodeIgnored {
		t.Errorf("warnings %v", p.Warnings)
	}
	if p := must(t, `{"encryption":{"publicKeyId":"`+id1+`"}}`, full()); p.Searchable || p.Warnings != nil {
		t.Errorf("not asked for: %+v", p)
	}
}

func TestEncryptionThatCannotBeIsRefused(t *testing.T) {
	asked := `{"encryption":{"publicKeyId":"` + id1 + `"}}`
	expired, late := full(), full()
	expired.Definitions.Keys = []Key{{ID: id1, Problem: errors.New("the key has expired")}}
	late.Clear = true
	for name, c := range map[string]struct {
		env  Environment
		code int
		says string
	}{
		"a key that has expired": {expired, fault.CodePublicKey,
			"/encryption/publicKeyId: public key " + id1 + ": the key has expired"},
		"a recording that is kept as it is": {late, fault.CodeConfiguration,
			"/encryption: encryption can only be requested at upload"},
	} {
		if _, err := resolve(t, asked, c.env); !slices.Equal(codesOf(err), []int{c.code}) ||
			!strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if p := must(t, `{}`, late); p.Sealing != nil {
		t.Errorf("not asked for: %+v", p)
	}
}

func TestLanguagesFindTheirModel(t *testing.T) {
	warned := fault.CodeLanguageApproximated
	for _, c := range []struct {
		asked, language, engine string
		warning                 int
	}{
		{"en-US", "en-US", "pocketsphinx", 0}, {"EN-us", "en-US", "pocketsphinx", 0}, {"en-UK", "en-GB", "sherpa", 0},
		{"en-GB", "en-GB", "sherpa", 0},
		{"en-AU", "en-US", "pocketsphinx", warned}, {"en", "en-US", "pocketsphinx", warned},
		{"es-LA", "es-LA", "sherpa", 0}, {"es-MX", "es-US", "sherpa", warned},
	} {
		p := must(t, `{"speechModel":{"language":"`+c.asked+`"}}`, full())
		if p.Recognition.Language != c.language || p.Recognition.Engine != c.engine {
			t.Errorf("%s: %+v", c.asked, p.Recognition)
		}
		if got := warningCode(p); got != c.warning {
			t.Errorf("%s: warnings %v", c.asked, p.Warnings)
		}
	}
	for _, asked := range []string{"en-UK", "en-AU"} {
		if p := must(t, `{"speechModel":{"language":"`+asked+`"}}`, bare()); p.Recognition.Language != "en-US" ||
			warningCode(p) != warned {
			t.Errorf("%s on the bare server: %+v", asked, p)
		}
	}
	for _, asked := range []string{"fr-FR", "", "english", "*"} {
		if _, err := resolve(t, `{"speechModel":{"language":"`+asked+`"}}`, full()); !slices.Equal(codesOf(err),
			[]int{fault.CodeLanguage}) {
			t.Errorf("%s: %v", asked, err)
		}
	}
}

func warningCode(p *Plan) int {
	if len(p.Warnings) == 1 {
		return p.Warnings[0].Code
	}
	return -len(p.Warnings)
}

func TestLanguageWithoutAnEngineIsNoMatterWhereWordsAreGiven(t *testing.T) {
	env := Environment{WordsGiven: true}
	p := must(t, `{"speechModel":{"language":"fr-fr"}}`, env)
	if p.Language != "fr-FR" || p.Recognition != nil || p.Warnings != nil {
		t.Errorf("%+v", p)
	}
	_, err := resolve(t, `{"speechModel":{"model":"x"},"vocabularies":[{"terms":[{"term":"x"}]}]}`, env)
	if !slices.Equal(codesOf(err), []int{fault.CodeAlignmentSpeech, fault.CodeAlignmentSpeech}) {
		t.Errorf("speech settings with given words: %v", err)
	}
}

func TestAGivenTextIsHeardWithoutSpeechSettingsAndKeepsItsNumbers(t *testing.T) {
	env := full()
	env.TextGiven = true
	p := must(t, `{}`, env)
	if p.Recognition == nil || p.Recognition.Engine != must(t, `{}`, full()).Recognition.Engine ||
		p.Formatting.Numbers {
		t.Errorf("%+v", p)
	}
	if p := must(t, `{"transcript":{"formatting":{"enableNumberFormatting":true}}}`, env); !p.Formatting.Numbers {
		t.Error("numbers were asked for")
	}
	_, err := resolve(t, `{"speechModel":{"model":"x"},"vocabularies":[{"vocabularyName":"unknown"}]}`, env)
	if !slices.Equal(codesOf(err), []int{fault.CodeAlignmentSpeech, fault.CodeAlignmentSpeech}) {
		t.Errorf("speech settings with a given text: %v", err)
	}
	source := NewSource([]byte(`{}`), env)
	if again, err := source.Compile(full()); err != nil || again.Formatting.Numbers || again.Recognition == nil {
		t.Errorf("compiled again: %+v, %v", again, err)
	}
}

func TestModelsOfThePublicServiceMeanOurs(t *testing.T) {
	for _, name := range []string{"Europa", "Proteus", "titan"} {
		if p := must(t, `{"speechModel":{"model":"`+name+`"}}`, bare()); p.Recognition.Engine != "pocketsphinx" ||
			warningCode(p) != fault.CodeIgnored {
			t.Errorf("%s: %+v", name, p)
		}
	}
	if p := must(t, `{"speechModel":{"model":"sherpa/many","language":"en-US"}}`,
		full()); p.Recognition.Engine != "sherpa" {
		t.Errorf("%+v", p.Recognition)
	}
	if _, err := resolve(t, "", Environment{}); !slices.Equal(codesOf(err), []int{fault.CodeLanguage}) {
		t.Errorf("no engine: %v", err)
	}
}

func TestIngestSaysWhoSpeaksOnEachChannel(t *testing.T) {
	speaker := func(name string, role transcript.Role, channel int) transcript.Speaker {
		return transcript.Speaker{Name: name, Role: role, Channel: channel}
	}
	for text, want := range map[string]Ingest{
		`{"speakerName":"Operator"}`: {Mixed: speaker(
			"Operator", transcript.Agent, -1)},
		`{"speakerName":"Ann","speakerRole":"Agent"}`: {Mixed: speaker("Ann",
			transcript.Agent, -1)},
		`{"stereo":{"left":{"speakerName":"Customer"},"right":{"speakerName":"Agent"}}}`:        {Channels: []Channel{{Speaker: speaker("Customer", transcript.Caller, 0)}, {Speaker: speaker("Agent", transcript.Agent, 1)}}, Key: "stereo"},
		`{"stereo":{"left":{"ignore":true},"right":{"speakerRole":"caller"}}}`:                  {Channels: []Channel{{Speaker: speaker("", 0, 0), Ignore: true}, {Speaker: speaker("caller", transcript.Caller, 1)}}, Key: "stereo"},
		`{"channels":[{"speakerName":"A"},{"speakerName":"B"},{"speakerName":"C"}]}`:            {Channels: []Channel{{Speaker: speaker("A", 0, 0)}, {Speaker: speaker("B", 0, 1)}, {Speaker: speaker("C", 0, 2)}}, Key: "channels"},
		`{"tracks":[{"channels":[{"speakerName":"A"},{"speakerName":"Agent","ignore":true}]}]}`: {Channels: []Channel{{Speaker: speaker("A", 0, 0)}, {Speaker: speaker("Agent", transcript.Agent, 1), Ignore: true}}, Key: "tracks"},
		`{"tracks":[{"speakerName":"A"}]}`: {Mixed: speaker("A", 0,
			-1)},
	} {
		if p := must(t, `{"ingest":`+text+`}`, bare()); !reflect.DeepEqual(p.Ingest, want) {
			t.Errorf("%s: %+v", text, p.Ingest)
		}
	}
}

func TestMediaWithOtherChannelsThanDescribedDoesNotMatch(t *testing.T) {
	stereo := must(t, `{"ingest":{"stereo":{"left":{"speakerName":"A"},"right":{"speakerName":"B"}}}}`, bare()).Ingest
	for channels, want := range map[int]bool{1: false, 2: true, 4: false} {
		_, err := stereo.For(channels)
		if (err == nil) != want || err != nil && codesOf(err)[0] != fault.CodeChannelMismatch {
			t.Errorf("%d channels: %v", channels, err)
		}
	}
	if _, err := (Ingest{}).For(7); err != nil {
		t.Errorf("mixed: %v", err)
	}
}

// Two speakers on one track, or with a channel each and diarization, may share the only channel.
func TestTwoPartiesMayShareOneChannel(t *testing.T) {
	parties := []transcript.Speaker{{Name: "Ann", Role: transcript.Agent, Channel: -1},
		{Name: "Caller", Role: transcript.Caller, Channel: -1}}
	shared := Ingest{Mixed: transcript.Speaker{Name: "Speaker", Channel: -1}, Parties: parties}
	for _, text := range []string{
		`{"ingest":{"tracks":[{"trackIndex":0,"speakerName":"Ann","speakerRole":"agent"},{"trackIndex":0,"speakerRole":"Caller"}]}}`,
		`{"ingest":{"stereo":{"left":{"speakerName":"Ann","speakerRole":"agent"},"right":{"speakerName":"Caller"}}},"speechModel":{"features":["diarization"]}}`,
		`{"ingest":{"channels":[{"speakerName":"Ann","speakerRole":"agent"},{"speakerName":"Caller"}]},"speechModel":{"features":["diarization"]}}`,
	} {
		p := must(t, text, full())
		in, err := p.Ingest.For(1)
		in.Key = ""
		if err != nil || !reflect.DeepEqual(in, shared) || !p.Diarization || len(p.Warnings) > 0 {
			t.Errorf("%s: %+v, %v, %v", text, in, err, p.Warnings)
		}
	}
	both := must(t, `{"ingest":{"channels":[{"speakerName":"A"},{"speakerName":"B"}]},"speechModel":{"features":["diarization"]}}`, full()).Ingest
	if in, err := both.For(2); err != nil || len(in.Channels) != 2 {
		t.Errorf("a channel each: %+v, %v", in, err)
	}
	if _, err := both.For(3); codesOf(err)[0] != fault.CodeChannelMismatch {
		t.Errorf("three channels: %v", err)
	}
}

func TestTracksOtherThanTheFirstAreRefused(t *testing.T) {
	for _, text := range []string{
		`[{"speakerName":"A"},{"speakerName":"B"}]`,
		`[{"trackIndex":0,"speakerName":"A"},{"trackIndex":1,"speakerName":"B"}]`,
		`[{"trackIndex":0,"speakerName":"A"},{"trackIndex":0}]`,
		`[{"trackIndex":0,"speakerName":"A"},{"trackIndex":0,"channels":[{"speakerName":"B"}]}]`,
		`[{"trackIndex":0,"speakerName":"A"},{"trackIndex":0,"speakerName":"B"},{"trackIndex":0,"speakerName":"C"}]`,
	} {
		if _, err := resolve(t, `{"ingest":{"tracks":`+text+`}}`, full()); err == nil ||
			codesOf(err)[0] != fault.CodeChannels {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestAVocabularyNamedTwiceCountsOnce(t *testing.T) {
	p, err := resolve(t, `{"vocabularies":[{"vocabularyName":"earningsCalls"},{"terms":[{"term":"x"}]},{"vocabularyName":"earningsCalls"}]}`, full())
	if err != nil || len(p.Recognition.Vocabulary) != 2 {
		t.Errorf("%v, %+v", err, p)
	}
}

func TestVocabularyLimitsCountOverAll(t *testing.T) {
	terms := func(n int, prefix string) string {
		list := make([]string, n)
		for i := range list {
			list[i] = fmt.Sprintf(`{"term":"%s%d"}`, prefix, i)
		}
		return `{"terms":[` + strings.Join(list, ",") + `]}`
	}
	scripts := func(n int, text string) string {
		return `{"scripts":[` + strings.TrimSuffix(strings.Repeat(`{"script":"`+text+`"},`, n), ",") + `]}`
	}
	sounds := strings.TrimSuffix(strings.Repeat(`"x",`, 101), ",")
	for text, code := range map[string]int{
		terms(1000, "a"):                          0,
		terms(1000, "a") + "," + terms(1, "b"):    fault.CodeVocabularyTerms,
		scripts(100, "a b"):                       0,
		scripts(101, "a b"):                       fault.CodeVocabularyScripts,
		scripts(2, strings.Repeat("word ", 5001)): fault.CodeVocabularyWords,
		`{"vocabularyName":"empty"}`:              fault.CodeVocabularyEmpty,
		`{}`:                                      fault.CodeVocabulary,
		`{"terms":[],"scripts":null}`:             fault.CodeVocabulary,
		`{"vocabularyName":"earningsCalls","terms":[{"term":"x"}]}`:       fault.CodeVocabularyBoth,
		`{"terms":[{"term":"x"}],"scripts":[{"script":"y"}]}`:             fault.CodeVocabularyBoth,
		`{"terms":[{"term":"x"}]},{"terms":[{"term":"x "}]}`:              fault.CodeVocabularyDuplicate,
		`{"vocabularyName":"earningsCalls"},{"terms":[{"term":"CapEx"}]}`: fault.CodeVocabularyDuplicate,
		`{"terms":[{"term":"` + strings.Repeat("é", 64) + `"}]}`:          0,
		`{"terms":[{"term":"` + strings.Repeat("é", 65) +
			`"}]}`: fault.CodeVocabularyTerm,
		`{"terms":[{"term":"x","soundsLike":[` + sounds +
			`]}]}`: fault.CodeVocabularyTerm,
		`{"terms":[{"term":"x","soundsLike":[` + strings.Replace(sounds, `"x",`, "", 1) + `]}]}`: 0,
		`{"terms":[{"term":"x","weight":-0.5}]}`:                                                 fault.CodeVocabularyWeight,
		`{"terms":[{"term":"x","weight":"2"}]}`:                                                  fault.CodeVocabularyWeight,
		`{"terms":[{}]}`:                                                                         fault.CodeVocabularyNoTerm,
	} {
		want := []int{code}
		if code == 0 {
			want = nil
		}
		if _, err := resolve(t, `{"vocabularies":[`+text+`]}`, full()); !slices.Equal(codesOf(err), want) {
			t.Errorf("%.80s: %v, want %v", text, err, want)
		}
	}
}

func TestVersionsOfPredictors(t *testing.T) {
	for wanted, want := range map[string]bool{"": true, "latest": true, "3.2": true, "3.1+": true, "3.2+": true,
		"2.9.9+": true,
		"3.2.1+": false, "3.10+": false, "3": false, "4+": false, "x+": false, "3.2.0": false} {
		if got := satisfies("3.2", wanted); got != want {
			t.Errorf("3.2 satisfies %q: %v", wanted, got)
		}
	}
}

func TestReferencesNameWhatMustBeLoaded(t *testing.T) {
	request, err := Parse([]byte(`{"vocabularies":[{"vocabularyName":"v"},{"terms":[{"term":"t"}]},{"vocabularyName":"v"}],"spotting":{"groups":[{"groupName":"g"}]},
		"categories":[{"categoryName":"c"},{"allCategories":true}],"prediction":{"classifiers":[{"classifierId":"i","classifierName":"n"}],"detectors":[{"detectorName":"d"}]},
		"encryption":{"publicKeyId":"k"}}`))
	if err != nil {
		t.Fatal(err)
	}
	want := References{[]string{"v"}, []string{"g"}, []string{"c"}, true, []string{"i"}, []string{"d"}, []string{"k"}}
	if got := request.References(); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
}

func TestStoredSourceCompilesAsItWasAccepted(t *testing.T) {
	text := []byte(`{"spotting":{"groups":[{"groupName":"gone"}]},"vocabularies":[{"vocabularyName":"earningsCalls"}],"publish":{"callbacks":[{"url":"http://example.com"}]}}`)
	then := full()
	then.Callbacks.AllowHTTP = true
	delete(then.Built, Spotting)
	source := NewSource(text, then)
	now := full()
	now.Definitions = Definitions{}
	p, err := source.Compile(now)
	if err != nil {
		t.Fatal(err)
	}
	if p.Spotting != nil || len(p.Recognition.Vocabulary) != 1 || len(p.Callbacks) != 1 ||
		warningCode(p) != fault.CodeNotBuilt {
		t.Errorf("%+v", p)
	}
	source.Version++
	if _, err := source.Compile(now); !fault.Is(err, fault.Unavailable) {
		t.Errorf("a newer version: %v", err)
	}
}

func TestSettingsWithoutEffectAreWarnedOf(t *testing.T) {
	for _, text := range []string{
		`{"speechModel":{"features":["diarization"]},"ingest":{"stereo":{"left":{"speakerName":"A"},"right":{"ignore":true}}}}`,
		`{"metrics":[{"metricGroupName":"talk-style-tone-and-volume"}]}`,
		`{"knowledge":{"enableDiscovery":true,"enableExternalDataSources":true}}`,
	} {
		if p := must(t, text, full()); warningCode(p) != fault.CodeIgnored {
			t.Errorf("%s: %v", text, p.Warnings)
		}
	}
}

func TestProblemsAndWarningsOfOneConfigurationAreBounded(t *testing.T) {
	many := func(item string) string { return strings.TrimSuffix(strings.Repeat(item+",", 2000), ",") }
	_, err := resolve(t, `{"vocabularies":[`+many(`{}`)+`]}`, bare())
	if n := len(codesOf(err)); n != maxProblems {
		t.Errorf("%d problems", n)
	}
	p := must(t, `{"speechModel":{"features":[`+many(`"voiceFeatures"`)+`]}}`, bare())
	if n := len(p.Warnings); n != maxProblems {
		t.Errorf("%d warnings", n)
	}
}

func TestSomethingNamedTwiceCountsOnce(t *testing.T) {
	p := must(t, `{"categories":[{"categoryName":"bye"},{"allCategories":true},{"categoryName":"bye"}],"spotting":{"groups":[{"groupName":"finance"},{"groupName":"finance"}]}}`, full())
	if len(p.Categories) != 2 || len(p.Spotting) != 1 {
		t.Errorf("%+v", p)
	}
}

func TestElementsWithoutWhatTheyNeedAreRefused(t *testing.T) {
	for text, code := range map[string]int{
		`{"spotting":{"groups":[{}]}}`: fault.CodeGroupUnknown,
		`{"metrics":[{}]}`:             fault.CodeConfiguration,
		`{"categories":[{"allCategories":true,"categoryName":"hello"}]}`: fault.CodeConfiguration,
		`{"encryption":{}}`: fault.CodeConfiguration,
	} {
		if _, err := resolve(t, text, full()); !slices.Equal(codesOf(err), []int{code}) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

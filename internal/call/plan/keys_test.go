package plan

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"parley/internal/words/fault"
)

const (
	id1 = "f95a01b8-bc62-4a97-920a-61460ca7837c"
	id2 = "dc37f348-82a8-4c50-88e1-4eaa916e779b"
)

// keys has one row per key of the configuration: a valid configuration, which gives no warning on a server with all
// features, an invalid one, and the code of its problem.
var keys = []struct {
	path   string
	accept string
	refuse string
	code   int
}{
	{"speechModel.language", `{"speechModel":{"language":"en-us"}}`, `{"speechModel":{"language":"xx-YY"}}`, 10401},
	{"speechModel.model", `{"speechModel":{"model":"PocketSphinx"}}`, `{"speechModel":{"model":"pluto"}}`, 20003},
	{"speechModel.version", `{"speechModel":{"version":null}}`, `{"speechModel":{"version":2}}`, 10007},
	{"speechModel.features[]", `{"speechModel":{"features":["VoiceFeatures"]}}`,
		`{"speechModel":{"features":["telepathy"]}}`, 10603},
	{"speechModel.extensions[]", `{"speechModel":{"extensions":[]}}`, `{"speechModel":{"extensions":[7]}}`, 10007},
	{"additionalSpeechModels[]", `{"additionalSpeechModels":[]}`, `{"additionalSpeechModels":["es-LA"]}`, 10007},
	{"priority", `{"priority":"HIGH"}`, `{"priority":"medium"}`, 10009},
	{"ingest.allowDeferredProcessing", `{"ingest":{"allowDeferredProcessing":true}}`,
		`{"ingest":{"allowDeferredProcessing":"yes"}}`, 10007},
	{"ingest.speakerName", `{"ingest":{"speakerName":"Ann"}}`,
		`{"ingest":{"speakerName":"Ann","channels":[{"speakerName":"Bob"}]}}`, 15000},
	{"ingest.speakerRole", `{"ingest":{"speakerRole":"agent"}}`, `{"ingest":{"speakerRole":7}}`, 10007},
	{"ingest.stereo.left.speakerName",
		`{"ingest":{"stereo":{"left":{"speakerName":"Agent"},"right":{"speakerName":"Caller"}}}}`,
		`{"ingest":{"stereo":{"left":{},"right":{"speakerName":"Caller"}}}}`, 15002},
	{"ingest.stereo.left.speakerRole",
		`{"ingest":{"stereo":{"left":{"speakerRole":"Agent"},"right":{"speakerName":"Ann"}}}}`,
		`{"ingest":{"stereo":{"left":{"speakerRole":1},"right":{"speakerName":"Ann"}}}}`, 10007},
	{"ingest.stereo.left.ignore", `{"ingest":{"stereo":{"left":{"ignore":true},"right":{"speakerName":"Ann"}}}}`,
		`{"ingest":{"stereo":{"left":{"ignore":true},"right":{"ignore":true}}}}`, 15005},
	{"ingest.stereo.right.speakerName",
		`{"ingest":{"stereo":{"left":{"speakerName":"Agent"},"right":{"speakerName":"Caller"}}}}`,
		`{"ingest":{"stereo":{"left":{"speakerName":"Agent"}}}}`, 15003},
	{"ingest.stereo.right.speakerRole",
		`{"ingest":{"stereo":{"left":{"speakerName":"Ann"},"right":{"speakerRole":"Caller"}}}}`,
		`{"ingest":{"stereo":{}}}`, 15001},
	{"ingest.stereo.right.ignore", `{"ingest":{"stereo":{"left":{"speakerName":"Ann"},"right":{"ignore":true}}}}`,
		`{"ingest":{"stereo":{"left":{"speakerName":"Ann"},"right":{"ignore":1}}}}`, 10007},
	{"ingest.channels[].speakerName",
		`{"ingest":{"channels":[{"speakerName":"A"},{"speakerName":"B"},{"speakerName":"C"}]}}`,
		`{"ingest":{"channels":[{"speakerName":"A"},{}]}}`, 15002},
	{"ingest.channels[].speakerRole", `{"ingest":{"channels":[{"speakerName":"A","speakerRole":"caller"}]}}`,
		`{"ingest":{"channels":[{"speakerRole":false}]}}`, 10007},
	{"ingest.channels[].ignore", `{"ingest":{"channels":[{"speakerName":"A"},{"ignore":true}]}}`,
		`{"ingest":{"channels":[{"ignore":true}]}}`, 15005},
	{"ingest.tracks[].trackIndex", `{"ingest":{"tracks":[{"trackIndex":0,"speakerName":"A"}]}}`,
		`{"ingest":{"tracks":[{"trackIndex":1,"speakerName":"A"}]}}`, 15000},
	{"ingest.tracks[].speakerName", `{"ingest":{"tracks":[{"speakerName":"A"}]}}`,
		`{"ingest":{"tracks":[{"speakerName":"A","channels":[{"speakerName":"B"}]}]}}`, 15000},
	{"ingest.tracks[].speakerRole", `{"ingest":{"tracks":[{"speakerRole":"agent"}]}}`, `{"ingest":{"tracks":[{}]}}`,
		15001},
	{"ingest.tracks[].channels[].speakerName",
		`{"ingest":{"tracks":[{"channels":[{"speakerName":"A"},{"speakerName":"B"}]}]}}`,
		`{"ingest":{"tracks":[{"channels":[{"speakerName":"A"},{}]}]}}`, 15002},
	{"ingest.tracks[].channels[].speakerRole", `{"ingest":{"tracks":[{"channels":[{"speakerRole":"A"}]}]}}`,
		`{"ingest":{"tracks":[{"channels":[{"speakerRole":{}}]}]}}`, 10007},
	{"ingest.tracks[].channels[].ignore", `{"ingest":{"tracks":[{"channels":[{"ignore":true},{"speakerName":"A"}]}]}}`,
		`{"ingest":{"tracks":[{"channels":[{"ignore":true}]}]}}`, 15005},
	{"prediction.classifiers[].classifierId", `{"prediction":{"classifiers":[{"classifierId":"` + id1 + `"}]}}`,
		`{"prediction":{"classifiers":[{"classifierId":"7"}]}}`, 50003},
	{"prediction.classifiers[].classifierName", `{"prediction":{"classifiers":[{"classifierName":"sales-lead"}]}}`,
		`{"prediction":{"classifiers":[{"classifierName":"unheard-of"}]}}`, 50001},
	{"prediction.classifiers[].version",
		`{"prediction":{"classifiers":[{"classifierName":"sales-lead","version":"3.1+"}]}}`,
		`{"prediction":{"classifiers":[{"version":"3.1"}]}}`, 50002},
	{"prediction.classifiers[].parameters[].parameter",
		`{"prediction":{"classifiers":[{"classifierName":"sales-lead","parameters":[]}]}}`,
		`{"prediction":{"classifiers":[{"classifierName":"sales-lead","parameters":[{"parameter":7,"value":"1"}]}]}}`,
		10007},
	{"prediction.classifiers[].parameters[].value",
		`{"prediction":{"classifiers":[{"classifierName":"sales-lead","parameters":null}]}}`,
		`{"prediction":{"classifiers":[{"classifierName":"sales-lead","parameters":[{"value":"1"}]}]}}`, 10007},
	{"prediction.detectors[].detectorId", `{"prediction":{"detectors":[{"detectorId":"` + id2 + `"}]}}`,
		`{"prediction":{"detectors":[{"detectorId":"PCI"}]}}`, 50005},
	{"prediction.detectors[].detectorName", `{"prediction":{"detectors":[{"detectorName":"PCI"}]}}`,
		`{"prediction":{"detectors":[{"detectorName":"Lies"}]}}`, 50006},
	{"prediction.detectors[].version", `{"prediction":{"detectors":[{"detectorName":"pci","version":"latest"}]}}`,
		`{"prediction":{"detectors":[{"version":"1"}]}}`, 50004},
	{"prediction.detectors[].parameters[].parameter",
		`{"prediction":{"detectors":[{"detectorName":"PCI","parameters":[{"parameter":"detectionLevel","value":"numbersOnly"}]}]}}`, `{"prediction":{"detectors":[{"detectorName":"PCI","parameters":[{"parameter":"level","value":"numbersOnly"}]}]}}`, 10007},
	{"prediction.detectors[].parameters[].value",
		`{"prediction":{"detectors":[{"detectorName":"PCI","parameters":[{"parameter":"detectionLevel","value":"ENTIREregion"}]}]}}`, `{"prediction":{"detectors":[{"detectorName":"PCI","parameters":[{"parameter":"detectionLevel","value":"some"}]}]}}`, 10007},
	{"prediction.detectors[].redactor.transcript.replacement",
		`{"prediction":{"detectors":[{"detectorName":"PCI","redactor":{"transcript":{"replacement":"[redacted]"}}}]}}`,
		`{"prediction":{"detectors":[{"detectorName":"PCI","redactor":{"transcript":{}}}]}}`, 50008},
	{"prediction.detectors[].redactor.audio.tone",
		`{"prediction":{"detectors":[{"detectorName":"PCI","redactor":{"audio":{"tone":270,"gain":0.5}}}]}}`,
		`{"prediction":{"detectors":[{"detectorName":"PCI","redactor":{"audio":{"tone":1,"gain":0.5}}}]}}`, 50008},
	{"prediction.detectors[].redactor.audio.gain",
		`{"prediction":{"detectors":[{"detectorName":"PCI","redactor":{"audio":{"tone":270,"gain":1}}}]}}`,
		`{"prediction":{"detectors":[{"detectorName":"PCI","redactor":{}}]}}`, 50007},
	{"metrics[].metricGroupName", `{"metrics":[{"metricGroupName":"Overtalk"}]}`,
		`{"metrics":[{"metricGroupName":"undertalk"}]}`, 10007},
	{"spotting.groups[].groupName", `{"spotting":{"groups":[{"groupName":"finance"}]}}`,
		`{"spotting":{"groups":[{"groupName":"unheard-of"}]}}`, 40005},
	{"knowledge.enableDiscovery", `{"knowledge":{"enableDiscovery":true}}`,
		`{"knowledge":{"enableDiscovery":true},"speechModel":{"language":"es-LA"}}`, 40004},
	{"knowledge.enableExternalDataSources", `{"knowledge":{"enableExternalDataSources":false}}`,
		`{"knowledge":{"enableExternalDataSources":"no"}}`, 10007},
	{"conversation.verbNounPairsEnabled", `{"conversation":{"verbNounPairsEnabled":true}}`,
		`{"conversation":{"verbNounPairsEnabled":1}}`, 10007},
	{"speakerSentiments", `{"speakerSentiments":true}`, `{"speakerSentiments":"true"}`, 10007},
	{"entity.enableEntityExtraction", `{"entity":{"enableEntityExtraction":true}}`, `{"entity":true}`, 10007},
	{"transcript.formatting.enableNumberFormatting", `{"transcript":{"formatting":{"enableNumberFormatting":true}}}`,
		`{"transcript":{"enableNumberFormatting":true}}`, 10008},
	{"transcript.contentFiltering.enableProfanityFiltering",
		`{"transcript":{"contentFiltering":{"enableProfanityFiltering":true}}}`,
		`{"transcript":{"contentFiltering":{"enableProfanityFiltering":true}},"speechModel":{"language":"es-LA"}}`,
		55000},
	{"vocabularies[].vocabularyName", `{"vocabularies":[{"vocabularyName":"earningsCalls"}]}`,
		`{"vocabularies":[{"vocabularyName":"unheard-of"}]}`, 20008},
	{"vocabularies[].terms[].term", `{"vocabularies":[{"terms":[{"term":"Bryon"}]}]}`,
		`{"vocabularies":[{"terms":[{"term":" "}]}]}`, 20014},
	{"vocabularies[].terms[].soundsLike[]",
		`{"vocabularies":[{"terms":[{"term":"gnocchi","soundsLike":["nyohki","nochi"]}]}]}`,
		`{"vocabularies":[{"terms":[{"term":"gnocchi","soundsLike":[""]}]}]}`, 20016},
	{"vocabularies[].terms[].weight", `{"vocabularies":[{"terms":[{"term":"CEO","weight":5}]}]}`,
		`{"vocabularies":[{"terms":[{"term":"CEO","weight":6}]}]}`, 20015},
	{"vocabularies[].scripts[].script", `{"vocabularies":[{"scripts":[{"script":"thank you for calling"}]}]}`,
		`{"vocabularies":[{"scripts":[{}]}]}`, 20012},
	{"categories[].allCategories", `{"categories":[{"allCategories":true}]}`,
		`{"categories":[{"allCategories":false}]}`, 10007},
	{"categories[].categoryName", `{"categories":[{"categoryName":"hello"}]}`,
		`{"categories":[{"categoryName":"unheard-of"}]}`, 80000},
	{"publish.callbacks[].url", `{"publish":{"callbacks":[{"url":"https://example.com/hook?x=1"}]}}`,
		`{"publish":{"callbacks":[{}]}}`, 60001},
	{"publish.callbacks[].method", `{"publish":{"callbacks":[{"url":"https://example.com","method":"put"}]}}`,
		`{"publish":{"callbacks":[{"url":"https://example.com","method":"PATCH"}]}}`, 60011},
	{"publish.callbacks[].type", `{"publish":{"callbacks":[{"url":"https://example.com","type":"Analytics"}]}}`,
		`{"publish":{"callbacks":[{"url":"https://example.com","type":"video"}]}}`, 60007},
	{"publish.callbacks[].include[]",
		`{"publish":{"callbacks":[{"url":"https://example.com","include":["Metadata","messages"]}]}}`,
		`{"publish":{"callbacks":[{"url":"https://example.com","include":["everything"]}]}}`, 60003},
	{"publish.callbacks[].format",
		`{"publish":{"callbacks":[{"url":"https://example.com","type":"transcript","format":"SRT"}]}}`,
		`{"publish":{"callbacks":[{"url":"https://example.com","type":"transcript","format":"pdf"}]}}`, 60010},
	{"publish.callbacks[].stream",
		`{"publish":{"callbacks":[{"url":"https://example.com","type":"media","stream":"original"}]}}`,
		`{"publish":{"callbacks":[{"url":"https://example.com","type":"media","stream":"redacted-audio"}]}}`, 60010},
	{"publish.callbacks[].role", `{"publish":{"callbacks":[{"url":"https://example.com","role":null}]}}`,
		`{"publish":{"callbacks":[{"url":"https://example.com","role":"arn:aws:iam::1:role/x"}]}}`, 10008},
	{"publish.callbacks[].prependFolder",
		`{"publish":{"callbacks":[{"url":"https://example.com","prependFolder":[]}]}}`,
		`{"publish":{"callbacks":[{"url":"https://example.com","prependFolder":"calls/"}]}}`, 10008},
	{"publish.enableAnalyticIndexing", `{"publish":{"enableAnalyticIndexing":"True"}}`,
		`{"publish":{"enableAnalyticIndexing":"maybe"}}`, 10007},
	{"publish.audioTranscode.onlyIfRedacted", `{"publish":{"audioTranscode":{"onlyIfRedacted":true}}}`,
		`{"publish":{"audioTranscode":{"onlyIfRedacted":"true"}}}`, 10007},
	{"publish.audioTranscode.fileFormat", `{"publish":{"audioTranscode":{"fileFormat":"ogg"}}}`,
		`{"publish":{"audioTranscode":{"fileFormat":"wma"}}}`, 10007},
	{"publish.audioTranscode.codec", `{"publish":{"audioTranscode":{"fileFormat":"ogg","codec":"opus"}}}`,
		`{"publish":{"audioTranscode":{"fileFormat":"mp3","codec":"vorbis"}}}`, 10007},
	{"searchability.searchable", `{"searchability":{"searchable":false}}`, `{"searchability":{"searchable":0}}`, 10007},
	{"encryption.publicKeyId", `{"encryption":{"publicKeyId":"` + id1 + `"}}`,
		`{"encryption":{"publicKeyId":"` + id2 + `"}}`, 80000},
	{"timeToLiveInSeconds", `{"timeToLiveInSeconds":86400.0}`, `{"timeToLiveInSeconds":0}`, 10007},
}

func TestEachKeyIsAcceptedWhereRightAndRefusedWhereWrong(t *testing.T) {
	for _, k := range keys {
		p, err := resolve(t, k.accept, full())
		if err != nil {
			t.Errorf("%s: %s: %v", k.path, k.accept, err)
		} else if p.Warnings != nil {
			t.Errorf("%s: %s: warnings %v", k.path, k.accept, p.Warnings)
		}
		_, err = resolve(t, k.refuse, full())
		if !fault.Is(err, fault.Invalid) || !slices.Equal(codesOf(err), []int{k.code}) {
			t.Errorf("%s: %s: %v, want code %d alone", k.path, k.refuse, err, k.code)
		}
	}
}

func TestKeysAreExactlyThoseOfTheTableAndOfTheDocumentation(t *testing.T) {
	want := Paths()
	slices.Sort(want)
	var tested []string
	for _, k := range keys {
		tested = append(tested, k.path)
	}
	slices.Sort(tested)
	compareLists(t, "the table", tested, want)
	text, err := os.ReadFile("../../../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	var documented []string
	for _, line := range regexp.MustCompile("(?m)^\\| `([^`]+)` \\|").FindAllSubmatch(text, -1) {
		documented = append(documented, string(line[1]))
	}
	slices.Sort(documented)
	compareLists(t, "docs/configuration.md", documented, want)
}

func compareLists(t *testing.T, name string, got, want []string) {
	t.Helper()
	for _, path := range want {
		if !slices.Contains(got, path) {
			t.Errorf("%s lacks %s", name, path)
		}
	}
	for _, path := range got {
		if !slices.Contains(want, path) {
			t.Errorf("%s has %s, which is no key", name, path)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%s has %d keys, there are %d:\n%s", name, len(got), len(want), strings.Join(got, "\n"))
	}
}

func codesOf(err error) []int {
	var codes []int
	if err != nil {
		for _, p := range fault.ProblemsOf(err) {
			codes = append(codes, p.Code)
		}
	}
	return codes
}

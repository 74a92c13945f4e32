package plan

import (
	"encoding/json"
	"slices"

	"parley/internal/analysis/talk"
	"parley/internal/words/list"
)

// Everything returns a configuration that requests every supported analysis of words, with all definitions, and no
// redaction.
func Everything(b Built, d Definitions) []byte {
	asked := map[string]any{}
	for feature, ask := range analyses {
		if _, ok := b[feature]; ok {
			ask(asked, d)
		}
	}
	raw, err := json.Marshal(asked)
	if err != nil {
		panic(err) // unreachable: texts and flags are always valid JSON
	}
	return raw
}

type object = map[string]any

// analyses maps the features that analyse words to functions that request them.
var analyses = map[Feature]func(object, Definitions){
	KnowledgeDiscovery: func(o object, _ Definitions) { o["knowledge"] = object{"enableDiscovery": true} },
	VerbNounPairs:      func(o object, _ Definitions) { o["conversation"] = object{"verbNounPairsEnabled": true} },
	SpeakerSentiments:  func(o object, _ Definitions) { o["speakerSentiments"] = true },
	EntityExtraction:   func(o object, _ Definitions) { o["entity"] = object{"enableEntityExtraction": true} },
	AdvancedPunctuation: func(o object, _ Definitions) {
		o["speechModel"] = object{"features": []Feature{AdvancedPunctuation}}
	},
	Metrics: func(o object, _ Definitions) {
		// requires a recording
		measured := slices.DeleteFunc(talk.GroupNames(), func(g string) bool { return g == talk.Tone })
		o["metrics"] = named("metricGroupName", measured)
	},
	Spotting: func(o object, d Definitions) {
		var names []string
		for _, g := range d.Groups {
			if len(g.Keywords) > 0 {
				names = append(names, g.Name)
			}
		}
		o["spotting"] = object{"groups": named("groupName", names)}
	},
	Categories: func(o object, d Definitions) {
		if len(d.Categories) > 0 {
			o["categories"] = []object{{"allCategories": true}}
		}
	},
	Classifiers: func(o object, d Definitions) { predict(o, "classifiers", "classifierId", d.Classifiers) },
	Detectors:   func(o object, d Definitions) { predict(o, "detectors", "detectorId", d.Detectors) },
}

// named returns a list of objects with one member each.
func named(member string, values []string) []object {
	return list.Map(values, func(v string) object { return object{member: v} })
}

func predict(o object, kind, id string, all []Predictor) {
	if o["prediction"] == nil {
		o["prediction"] = object{}
	}
	o["prediction"].(object)[kind] = list.Map(all, func(p Predictor) object { return object{id: p.ID} })
}

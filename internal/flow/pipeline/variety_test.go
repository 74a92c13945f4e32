package pipeline_test

import (
	"testing"

	"parley/internal/call/plan"
	"parley/internal/flow/pipeline"
	"parley/internal/speech/asr/pocketsphinx"
	"parley/internal/words/fault"
)

func TestPocketSphinxHearsOtherVarietiesOfEnglishWithAWarning(t *testing.T) {
	env := plan.Environment{Models: pipeline.Engines{{Info: pocketsphinx.Describe()}}.Models()}
	for asked, warned := range map[string]bool{"en-US": false, "en-UK": true, "en-AU": true} {
		request, err := plan.Parse([]byte(`{"speechModel":{"language":"` + asked + `"}}`))
		if err != nil {
			t.Fatal(err)
		}
		p, err := plan.Resolve(request, env)
		if err != nil {
			t.Fatal(err)
		}
		told := len(p.Warnings) == 1 && p.Warnings[0].Code == fault.CodeLanguageApproximated
		if p.Recognition.Language != "en-US" || told != warned {
			t.Errorf("%s: recognised as %s, warnings %v", asked, p.Recognition.Language, p.Warnings)
		}
	}
}

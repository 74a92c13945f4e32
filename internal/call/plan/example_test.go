package plan_test

import (
	"fmt"

	"parley/internal/call/plan"
)

func ExampleResolve() {
	server := plan.Environment{
		Models: []plan.Model{{Engine: "pocketsphinx", Name: "en-us", Languages: []string{"en-US"}}},
		Built:  plan.Built{plan.Diarization: nil},
	}
	request, err := plan.Parse([]byte(`{"speechModel":{"language":"en-GB","features":["diarization","voiceFeatures"]}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := plan.Resolve(request, server)
	fmt.Println(p.Language, p.Recognition.Model, p.Diarization, err)
	for _, w := range p.Warnings {
		fmt.Println(w.Message)
	}
	// Output:
	// en-GB en-us true <nil>
	// /speechModel/language: en-GB is recognised with a model for en-US
	// /speechModel/features/1: this version does not support voiceFeatures and ignores it
}

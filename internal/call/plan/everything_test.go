package plan

import "testing"

func TestEverythingAsksForAllThatIsBuilt(t *testing.T) {
	env := full()
	env.WordsGiven = true
	request, err := Parse(Everything(env.Built, env.Definitions))
	if err != nil {
		t.Fatal(err)
	}
	p, err := Resolve(request, env)
	if err != nil {
		t.Fatal(err)
	}
	if p.Knowledge == nil || p.Conversation == nil || p.Sentiments == nil || p.Entities == nil ||
		!p.Formatting.Punctuation ||
		len(p.Metrics) != len(metricGroups)-1 || len(p.Spotting) != 1 ||
		len(p.Categories) != len(env.Definitions.Categories) ||
		len(p.Classifiers) != len(env.Definitions.Classifiers) || len(p.Detectors) != len(env.Definitions.Detectors) {
		t.Errorf("%+v", p)
	}
	request, _ = Parse(Everything(Built{}, env.Definitions))
	if p, err := Resolve(request, Environment{WordsGiven: true}); err != nil || len(p.Warnings) != 0 {
		t.Errorf("nothing is built: %v, %v", err, p)
	}
}

package pipeline

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"parley/internal/call/plan"
	"parley/internal/words/media"
	"parley/internal/words/transcript"
)

// hour returns a call of one hour as a recogniser outputs it: 10,000 words, without punctuation and figures.
func hour() *transcript.Transcript {
	said := strings.Fields(`i am calling because my internet has been very slow since monday and nobody called me back
		thank you daniel carver for your patience how can i help you my card number is four one one one one one one one one one one one one one one one
		and it costs forty nine dollars and ninety five cents in seattle so i want to cancel my subscription tomorrow at half past three`)
	t := &transcript.Transcript{Language: "en-US", Length: time.Hour, Speakers: []transcript.Speaker{
		{Name: "Agent", Role: transcript.Agent}, {Name: "Caller", Role: transcript.Caller, Channel: 1},
	}}
	for i := range 10_000 {
		start := time.Duration(i) * 360 * time.Millisecond
		t.Words = append(t.Words, transcript.Word{Text: said[i%len(said)], Start: start,
			End: start + 300*time.Millisecond, Confidence: .9, Speaker: i / len(said) % 2})
	}
	return t
}

// everything returns a plan with all analyses of words: built-in detectors and classifiers, a group of 1,000 keywords,
// 20 categories.
func everything(t testing.TB) *plan.Plan {
	t.Helper()
	group := plan.Group{Name: "g", Keywords: []string{"nobody called", "slow*"}}
	for i := range 998 {
		group.Keywords = append(group.Keywords, fmt.Sprintf("my internet %d", i))
	}
	var categories []plan.Category
	for i := range 20 {
		categories = append(categories,
			plan.Category{Name: fmt.Sprintf("c%d", i),
				Query: fmt.Sprintf(`caller SAYS "cancel my subscription" AND NOT agent SAYS "offer%d"`, i)})
	}
	env := plan.Environment{Built: Built(), WordsGiven: true, Definitions: plan.Definitions{
		Detectors: Detectors(), Classifiers: BuiltInClassifiers(), Groups: []plan.Group{group}, Categories: categories,
	}}
	request, err := plan.Parse(plan.Everything(env.Built, env.Definitions))
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.Resolve(request, env)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// BenchmarkHour measures everything that is computed from the words of a call of one hour when all features are
// enabled, in one goroutine: detection, punctuation and figures, sentiments, all metrics, keywords and topics,
// entities, keyword groups, verb-noun pairs, classifiers, categories.
func BenchmarkHour(b *testing.B) {
	analyst, err := NewAnalyst()
	if err != nil {
		b.Fatal(err)
	}
	formatter, err := NewFormatter()
	if err != nil {
		b.Fatal(err)
	}
	t, p := hour(), everything(b)
	classifiers, err := analyst.Classifiers(p, nil)
	if err != nil {
		b.Fatal(err)
	}
	m := media.Media{Length: t.Length}
	for b.Loop() {
		clear := Conceal(t, p)
		open, err := analyst.Result(b.Context(), &m, formatter.Format(clear.Transcript, p), clear, p, classifiers, nil)
		if err != nil || len(open.Sentiments) < 100 || len(open.Knowledge.Keywords) == 0 || len(open.Pairs) < 100 ||
			len(open.Entities) < 100 || len(open.Detections) == 0 ||
			len(open.Classifications) == 0 || len(open.Categories) != 20 || len(open.Spotting) != 1 {
			b.Fatalf("not all was found: %v, %+v", err, open.Warnings)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "calls/s")
}

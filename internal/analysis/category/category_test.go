package category_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"parley/internal/analysis/category"
	"parley/internal/query"
	"parley/internal/transcript"
)

// long is a call of so many words of two people.
func long(words int) *transcript.Transcript {
	at := func(n int) time.Duration { return time.Duration(n) * 100 * time.Millisecond }
	t := &transcript.Transcript{Length: at(words + 1), Speakers: []transcript.Speaker{{Name: "Agent"}, {Name: "Caller"}}}
	for n := range words {
		t.Words = append(t.Words, transcript.Word{Text: "a", Start: at(n), End: at(n + 1)})
	}
	t.Words = append(t.Words, transcript.Word{Text: "b", Start: at(words), End: at(words + 1), Speaker: 1})
	return t
}

func named(t *testing.T, name, condition string) category.Category {
	t.Helper()
	c, err := query.ParseCondition(condition, nil)
	if err != nil {
		t.Fatal(err)
	}
	return category.Category{Name: name, Program: query.Compile(c)}
}

// dear is a condition of much work for its length: each place of each phrase is counted for each word.
var dear = `* SAYS (` + strings.Join(slices.Repeat([]string{`"b ` + strings.Repeat("* ", 47) + `b"`}, 90), "||") + `)`

func TestACategoryThatIsTooMuchWorkIsLeftOutAndTheOthersAreJudged(t *testing.T) {
	some := []category.Category{named(t, "first", `* SAYS "b"`), named(t, "dear", dear), named(t, "last", `* SAYS "c"`)}
	found, undecided := category.Judge(&category.Request{Transcript: long(500_000), Categories: some})
	if !slices.Equal(undecided, []string{"dear"}) {
		t.Fatalf("undecided: %q", undecided)
	}
	if len(found) != 2 || found[0].Name != "first" || !found[0].Matched || len(found[0].Hits) != 1 || found[1].Name != "last" || found[1].Matched {
		t.Errorf("%+v", found)
	}
	if found, undecided = category.Judge(&category.Request{Transcript: long(30_000), Categories: some}); len(found) != 3 || undecided != nil {
		t.Errorf("three hours: %+v, undecided %q", found, undecided)
	}
}

func TestJudgingEndsWithinACall(t *testing.T) {
	asked := 0
	category.Judge(&category.Request{
		Transcript: long(30_000), Categories: []category.Category{named(t, "first", dear), named(t, "second", dear)},
		Stopped: func() bool { asked++; return asked == 3 },
	})
	if asked != 3 {
		t.Errorf("asked %d times", asked)
	}
}

package category_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"parley/internal/analysis/category"
	"parley/internal/query"
	"parley/internal/words/transcript"
)

// long returns a call of two people with this many words.
func long(words int) *transcript.Transcript {
	at := func(n int) time.Duration { return time.Duration(n) * 100 * time.Millisecond }
	t := &transcript.Transcript{Length: at(words + 1),
		Speakers: []transcript.Speaker{{Name: "Agent"}, {Name: "Caller"}}}
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

// dear is a condition that is expensive for its length: every place of every phrase counts for each word.
var dear = `* SAYS (` + strings.Join(slices.Repeat([]string{`"b ` + strings.Repeat("* ", 47) + `b"`}, 90), "||") + `)`

func TestACategoryThatIsTooMuchWorkIsLeftOutAndTheOthersAreJudged(t *testing.T) {
	some := []category.Category{named(t, "first", `* SAYS "b"`), named(t, "dear", dear), named(t, "last", `* SAYS "c"`)}
	found, undecided := category.Judge(&category.Request{Transcript: long(500_000), Categories: some})
	if !slices.Equal(undecided, []string{"dear"}) {
		t.Fatalf("undecided: %q", undecided)
	}
	if len(found) != 2 || found[0].Name != "first" || !found[0].Matched || len(found[0].Hits) != 1 ||
		found[1].Name != "last" || found[1].Matched {
		t.Errorf("%+v", found)
	}
	if found, undecided = category.Judge(&category.Request{Transcript: long(30_000), Categories: some}); len(
		found) != 3 || undecided != nil {
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

// many returns n categories with the same condition.
func many(t *testing.T, n int, name, condition string) (all []category.Category) {
	for i := range n {
		all = append(all, named(t, name+strconv.Itoa(i), condition))
	}
	return all
}

// The work on a call does not exceed the common budget, however many categories there are.
func TestTheWorkOfAllCategoriesOfACallIsBoundedTogether(t *testing.T) {
	const mega = 1 << 20
	for name, condition := range map[string]string{
		"much to look at": dear,
		"many places":     `* SAYS "a"` + strings.Repeat(` FOLLOWED BY * SAYS "a"`, 49),
		"any word so":     `* SAYS ("` + strings.Repeat("a* ", 48) + `")`,
	} {
		asked := 0
		found, undecided := category.Judge(&category.Request{
			Transcript: long(20_000), Categories: many(t, 300, "k", condition), Most: 40 * mega,
			Stopped: func() bool { asked++; return false },
		})
		if len(undecided) == 0 || len(found)+len(undecided) != 300 {
			t.Errorf("%s: %d are judged, %d are not", name, len(found), len(undecided))
		}
		if asked > 60 {
			t.Errorf("%s: %d million units of work, want 40", name, asked)
		}
	}
}

func TestCategoriesOfLittleWorkAreJudgedWhateverTheOthersAre(t *testing.T) {
	all := slices.Concat(many(t, 100, "dear", dear), many(t, 100, "cheap", `* SAYS "b"`))
	judge := func() ([]category.Result, []string) {
		return category.Judge(&category.Request{Transcript: long(20_000), Categories: all, Most: 100 << 20})
	}
	found, undecided := judge()
	cheap := 0
	for _, f := range found {
		if strings.HasPrefix(f.Name, "cheap") && f.Matched {
			cheap++
		}
	}
	if cheap != 100 || len(undecided) == 0 ||
		slices.ContainsFunc(undecided, func(name string) bool { return strings.HasPrefix(name, "cheap") }) {
		t.Errorf("of the cheap ones %d are judged; undecided: %q", cheap, undecided)
	}
	if _, again := judge(); !slices.Equal(undecided, again) {
		t.Errorf("first %q, then %q", undecided, again)
	}
}

// The budget that the cheap categories leave is for the others.
func TestOneExpensiveCategoryAmongManyHasWhatTheyLeave(t *testing.T) {
	all := slices.Concat(many(t, 500, "cheap", `* SAYS "c"`), []category.Category{named(t, "dear", dear)})
	_, undecided := category.Judge(&category.Request{Transcript: long(1000), Categories: all, Most: 20 << 20})
	if undecided != nil {
		t.Errorf("undecided: %q", undecided)
	}
}

func TestFieldsAreReadOnceHoweverManyCategoriesAskForThem(t *testing.T) {
	read := 0
	category.Judge(&category.Request{
		Transcript: long(10), Categories: many(t, 100, "k", `metadata:x LIKE "%a%" OR metadata:X = 3`),
		Value: func(query.Field) query.Value { read++; return query.Text("b") },
	})
	if read != 2 {
		t.Errorf("read %d times", read)
	}
}

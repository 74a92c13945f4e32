package query

import (
	"slices"
	"testing"

	"parley/internal/query/callset"
	"parley/internal/words/phrase"
)

// said is a segment: the words of each call.
type said [][]string

func (s said) Having(run phrase.NeedRun) (callset.Set, bool) {
	set := callset.New(len(s))
	for call, words := range s {
		if !slices.ContainsFunc(run.Patterns, func(p phrase.Pattern) bool { return !slices.ContainsFunc(words, p.Matches) }) {
			set.Add(call)
		}
	}
	return set, len(run.Patterns) == 1
}

// Saying knows nothing of speakers.
func (s said) Saying(run phrase.NeedRun, _ Speaker) (sure, may callset.Set) {
	may, _ = s.Having(run)
	return callset.New(len(s)), may
}

// saidBy is a segment: the words of each call by speaker. Of calls with "others", it does not know who of those says a
// word.
type saidBy []map[Speaker][]string

func (s saidBy) words() (all said) {
	for _, call := range s {
		var words []string
		for _, by := range call {
			words = append(words, by...)
		}
		all = append(all, words)
	}
	return all
}

func (s saidBy) Having(run phrase.NeedRun) (callset.Set, bool) { return s.words().Having(run) }

func (s saidBy) Saying(run phrase.NeedRun, who Speaker) (sure, may callset.Set) {
	by := func(who Speaker) callset.Set {
		var all said
		for _, call := range s {
			all = append(all, call[who])
		}
		set, _ := all.Having(run)
		return set
	}
	sure, may = by(who), by(who)
	may.Or(by("others"))
	if len(run.Patterns) > 1 {
		sure = callset.New(len(s))
	}
	return sure, may
}

func TestBoundsKnowWhoSaysAWord(t *testing.T) {
	calls := saidBy{
		{"agent": {"refund", "order"}, "caller": {"please"}},
		{"agent": {"please"}, "caller": {"refund", "order"}},
		{"agent": {"please", "order"}, "others": {"refund"}},
		{"caller": {"thanks"}},
	}
	for text, want := range map[string][2][]int{
		`agent SAYS "refund"`:                                 {{0}, {0, 2}},
		`agent SAYS "refu*"`:                                  {{0}, {0, 2}},
		`NOT agent SAYS "refund"`:                             {{1, 3}, {1, 2, 3}},
		`agent SAYS "please" AND caller SAYS "refund"`:        {{1}, {1, 2}},
		`agent SAYS "refund" AND NOT caller SAYS "please"`:    {nil, {2}},
		`caller SAYS "thanks" OR agent SAYS "refund"`:         {{0, 3}, {0, 2, 3}},
		`agent SAYS ("refund" AND NOT "order")`:               {nil, nil},
		`agent SAYS ("refund" || "please")`:                   {{0, 1, 2}, {0, 1, 2}},
		`agent SAYS ("refund" && "order")`:                    {nil, {0, 2}}, // perhaps in different turns
		`agent SAYS "refund order"`:                           {nil, {0}},
		`agent SAYS "refund" [0s, 10s]`:                       {nil, {0, 2}},
		`agent SAYS ! "refund"`:                               {nil, {0, 1, 2, 3}},
		`agent SAYS "order" FOLLOWED BY caller SAYS "refund"`: {nil, {2}},
		`* SAYS "refund"`:                                     {{0, 1, 2}, {0, 1, 2}},
	} {
		checkBounds(t, text, len(calls), calls, want)
	}
}

func TestListsOfCallsTellWhichMatchCertainly(t *testing.T) {
	calls := said{{"refund", "please", "order"}, {"refund", "order"}, {"thanks"}}
	all := []int{0, 1, 2}
	for text, want := range map[string][2][]int{
		`*`:                                           {all, all},
		`* SAYS "refund"`:                             {{0, 1}, {0, 1}},
		`* SAYS "refu*"`:                              {{0, 1}, {0, 1}},
		`NOT * SAYS "refund"`:                         {{2}, {2}},
		`* SAYS ("refund" || "thanks")`:               {all, all},
		`* SAYS ("refund" && "order")`:                {nil, {0, 1}}, // perhaps in different turns
		`* SAYS ! "refund"`:                           {nil, all},
		`* SAYS ("refund" AND "please")`:              {{0}, {0}},
		`* SAYS "refund" AND NOT "please"`:            {{1}, {1}},
		`* SAYS "refund" OR silence(1s)`:              {{0, 1}, all},
		`agent SAYS "refund"`:                         {nil, {0, 1}},
		`NOT agent SAYS "refund"`:                     {{2}, all},
		`* SAYS "refund" [0s, 10s]`:                   {nil, {0, 1}},
		`* SAYS "refund please"`:                      {nil, {0}},
		`NOT (* SAYS "refund please")`:                {{1, 2}, all},
		`* SAYS "refund *"`:                           {nil, {0, 1}},
		`wordCount > 3`:                               {nil, all},
		`wordCount > 3 AND * SAYS "please"`:           {nil, {0}},
		`* SAYS "refund" FOLLOWED BY * SAYS "please"`: {nil, {0}},
	} {
		checkBounds(t, text, len(calls), calls, want)
	}
}

// checkBounds compares the calls that certainly match a condition, and those that may, with those that should.
func checkBounds(t *testing.T, text string, calls int, index Index, want [2][]int) {
	t.Helper()
	c, err := ParseCondition(text, nil)
	if err != nil {
		t.Fatal(err)
	}
	sure, may := Compile(c).Bounds(calls, index)
	if got := slices.Collect(sure.All); !slices.Equal(got, want[0]) {
		t.Errorf("%s: certainly %v, want %v", text, got, want[0])
	}
	if got := slices.Collect(may.All); !slices.Equal(got, want[1]) {
		t.Errorf("%s: perhaps %v, want %v", text, got, want[1])
	}
}

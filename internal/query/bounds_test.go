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
		c, err := ParseCondition(text, nil)
		if err != nil {
			t.Fatal(err)
		}
		sure, may := Compile(c).Bounds(len(calls), calls)
		if got := slices.Collect(sure.All); !slices.Equal(got, want[0]) {
			t.Errorf("%s: certainly %v, want %v", text, got, want[0])
		}
		if got := slices.Collect(may.All); !slices.Equal(got, want[1]) {
			t.Errorf("%s: perhaps %v, want %v", text, got, want[1])
		}
	}
}

package main

import (
	"testing"

	"parley/internal/words/account"
)

func TestAccountLimitsAreChangedOneByOne(t *testing.T) {
	number := func(n int64) *int64 { return &n }
	text := func(l account.Limits) string {
		return limit(l.Storage, size) + ", " + limit(l.Rate, func(n int64) string { return size(n) })
	}
	for _, c := range []struct {
		size, rate, want string
	}{
		{"1GiB", "", "1.0 GiB, 7 B"}, {"", "20", "5 B, 20 B"}, {"0", "default", "any, default"},
		{"DEFAULT", "0", "default, any"}, {"1.5MiB", "1", "1.5 MiB, 1 B"},
	} {
		l := account.Limits{Storage: number(5), Rate: number(7)}
		command := accountLimit{Size: c.size, Rate: c.rate}
		if err := command.change(&l); err != nil || text(l) != c.want {
			t.Errorf("%+v: %s, want %s (%v)", c, text(l), c.want, err)
		}
	}
	for _, c := range []accountLimit{{Size: "much"}, {Size: "-1"}, {Rate: "-1"}, {Rate: "fast"},
		{Rate: "99999999999"}} {
		if err := c.change(&account.Limits{}); err == nil {
			t.Errorf("%+v is taken", c)
		}
	}
}

func TestAccountSettingsAreNamedAndTrueOrFalse(t *testing.T) {
	var c account.Compatibility
	for _, step := range []struct {
		setting string
		want    bool
	}{{"compat.scoreAsNumber=true", true}, {"compat.scoreAsNumber=false", false}, {"compat.scoreAsNumber=1", true}} {
		if err := (&accountSet{Settings: []string{step.setting}}).change(&c); err != nil ||
			c.ScoreAsNumber != step.want {
			t.Errorf("%s: %v (%v)", step.setting, c.ScoreAsNumber, err)
		}
	}
	for _, setting := range []string{"compat.scoreAsNumber", "compat.scoreAsNumber=often", "scoreAsNumber=true", ""} {
		if err := (&accountSet{Settings: []string{setting}}).change(&c); err == nil {
			t.Errorf("%q is taken", setting)
		}
	}
}

package account

import (
	"slices"
	"strings"
	"testing"
	"time"

	"parley/internal/words/fault"
)

var now = time.Date(2026, 11, 20, 7, 0, 0, 0, time.UTC)

func TestKeysAreMadeAsAskedFor(t *testing.T) {
	forever := Token{Account: "a", Scopes: AllScopes}
	ending := Token{Account: "a", Scopes: Scopes{Keys, MediaRead}, Expires: now.Add(time.Hour)}
	for _, c := range []struct {
		sent  string
		maker Token
		want  Token
	}{
		{`{}`, forever, Token{Scopes: AllScopes}},
		{`{}`, ending, Token{Scopes: ending.Scopes, Expires: ending.Expires}},
		{`{"description":null,"scope":"","ttlMillis":[],"expirationDate":"0001-01-01T00:00:00Z","_links":{}}`, forever,
			Token{Scopes: AllScopes}},
		{`{"ttlMillis":1500,"expirationDate":"0001-01-01T00:00:00Z","ephemeral":true}`, forever,
			Token{Scopes: AllScopes, Expires: now.Add(1500 * time.Millisecond), Ephemeral: true}},
		{`{"description":"dialler","scope":"media:read Keys"}`, ending,
			Token{Description: "dialler", Scopes: Scopes{MediaRead, Keys}, Expires: ending.Expires}},
		{`{"expirationDate":"2026-11-20T08:30:00+01:00"}`, ending,
			Token{Scopes: ending.Scopes, Expires: now.Add(30 * time.Minute)}},
		{`{"expirationDate":"2030-01-02"}`, forever,
			Token{Scopes: AllScopes, Expires: time.Date(2030, 1, 2, 0, 0, 0, 0, time.UTC)}},
	} {
		c.want.Account = "a"
		got, err := ParseKey([]byte(c.sent), now, c.maker)
		if err != nil || !slices.Equal(got.Scopes, c.want.Scopes) {
			t.Errorf("%s: %v %v", c.sent, got.Scopes, err)
			continue
		}
		got.Scopes, c.want.Scopes = nil, nil
		if got.Description != c.want.Description || !got.Expires.Equal(c.want.Expires) ||
			got.Ephemeral != c.want.Ephemeral || got.Account != "a" {
			t.Errorf("%s: got %+v, want %+v", c.sent, got, c.want)
		}
	}
}

func TestWhatIsWrongWithARequestForAKeyIsNamed(t *testing.T) {
	maker := Token{Scopes: Scopes{Keys, MediaRead}, Expires: now.Add(time.Hour)}
	for sent, want := range map[string][]int{
		``: {70000}, ` null `: {70000}, `[1]`: {70000}, `{`: {70000}, `"x"`: {70000}, `{"description":5}`: {70000},
		`{"description":"` + strings.Repeat("x", 1001) + `"}`:     {70000},
		`{"description":"a\u0000b"}`:                              {70000},
		`{"scopes":"keys"}`:                                       {10008},
		`{"scope":"keys","scope":"keys"}`:                         {10010},
		`{"expirationDate":"2026-11-20T07:30:00Z","ttlMillis":5}`: {70001},
		`{"expirationDate":"2026-11-20T07:00:00Z"}`:               {70002},
		`{"expirationDate":"soon"}`:                               {70002},
		`{"expirationDate":5}`:                                    {70002},
		`{"expirationDate":"9999-01-01"}`:                         {70003},
		`{"ttlMillis":0}`:                                         {70004},
		`{"ttlMillis":-1}`:                                        {70004},
		`{"ttlMillis":"5"}`:                                       {70004},
		`{"ttlMillis":9223372036854775807}`:                       {70005},
		`{"ephemeral":true}`:                                      {70006},
		`{"scope":"media:get?extendedFilter=speakers:agent"}`:     {70008},
		`{"scope":"root","ephemeral":true}`:                       {70008, 70006},
	} {
		_, err := ParseKey([]byte(sent), now, maker)
		if !fault.Is(err, fault.Invalid) || !slices.Equal(codes(err), want) {
			t.Errorf("%.80s: %v, want %v (%v)", sent, codes(err), want, err)
		}
	}
}

func TestAKeyGivesNoMoreThanItsMakerHas(t *testing.T) {
	maker := Token{Scopes: Scopes{Keys, MediaRead}, Expires: now.Add(time.Hour)}
	for sent, want := range map[string][]int{
		`{"scope":"keys media:write admin"}`:                                  {70008, 70008},
		`{"ttlMillis":3600001}`:                                               {70005},
		`{"expirationDate":"2026-11-20T08:00:00.001Z","scope":"definitions"}`: {70003, 70008},
	} {
		_, err := ParseKey([]byte(sent), now, maker)
		got := codes(err)
		slices.Sort(got)
		if !fault.Is(err, fault.Forbidden) || !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v (%v)", sent, got, want, err)
		}
	}
}

// subsets returns every subset of the scopes, including the empty one.
func subsets(scopes Scopes) []Scopes {
	all := []Scopes{nil}
	for _, s := range scopes {
		for _, without := range slices.Clone(all) {
			all = append(all, append(slices.Clone(without), s))
		}
	}
	return all
}

func TestAKeyMayDoNothingThatItsMakerMayNot(t *testing.T) {
	made := 0
	for _, scopes := range subsets(AllScopes) {
		maker := Token{Scopes: scopes}
		for _, asked := range subsets(AllScopes)[1:] {
			more := asked.ChoosesContents() && !scopes.ChoosesContents()
			for _, s := range asked {
				more = more || !scopes.Has(s)
			}
			key, err := ParseKey([]byte(`{"scope":"`+asked.String()+`"}`), now, maker)
			switch {
			case more && (!fault.Is(err, fault.Forbidden) || codes(err)[0] != fault.CodeKeyScope):
				t.Errorf("%q makes %q: %v", scopes, asked, err)
			case !more && (err != nil || !slices.Equal(key.Scopes, asked)):
				t.Errorf("%q does not make %q: %v", scopes, asked, err)
			case !more:
				made++
			}
		}
	}
	// 3^6 pairs of a set and a subset of it, minus the 2^6 empty subsets, minus the keys with definitions but without
	// analytics of makers with both and without media:read: 3^3 pairs of the other scopes.
	if want := 729 - 64 - 27; made != want {
		t.Errorf("%d keys were made, want %d", made, want)
	}
}

func codes(err error) []int {
	var all []int
	for _, p := range fault.ProblemsOf(err) {
		all = append(all, p.Code)
	}
	return all
}

func FuzzParseKey(f *testing.F) {
	f.Add(`{"description":"d","expirationDate":"2030-01-02","ephemeral":true,"scope":"keys"}`)
	f.Add(`{"ttlMillis":1e3}`)
	f.Fuzz(func(t *testing.T, sent string) {
		maker := Token{Scopes: Scopes{Keys, MediaRead}, Expires: now.Add(time.Hour)}
		made, err := ParseKey([]byte(sent), now, maker)
		if err != nil {
			return
		}
		if made.Expires.IsZero() || made.Expires.After(maker.Expires) || !made.Expires.After(now) ||
			len(made.Scopes) == 0 {
			t.Errorf("%q made %+v", sent, made)
		}
		for _, s := range made.Scopes {
			if !maker.Scopes.Has(s) {
				t.Errorf("%q gives %s", sent, s)
			}
		}
	})
}

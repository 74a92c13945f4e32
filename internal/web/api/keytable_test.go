package api_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"parley/internal/testkit/servertest"
	"parley/internal/testkit/verify"
	"parley/internal/words/account"
)

// scopeSets returns every non-empty set of scopes.
func scopeSets() []account.Scopes {
	all := []account.Scopes{nil}
	for _, s := range account.AllScopes {
		for _, without := range slices.Clone(all) {
			all = append(all, append(slices.Clone(without), s))
		}
	}
	return all[1:]
}

// acts are requests whose outcome depends on more than the scope of their route.
var acts = map[string]func(*testing.T, *servertest.Client) servertest.Answer{
	"save a category over contents": func(t *testing.T, c *servertest.Client) servertest.Answer {
		return c.Do(t, http.MethodPut, categoriesPath+"/spy", category(`* SAYS "bluebird"`))
	},
	"save a keyword group": func(t *testing.T, c *servertest.Client) servertest.Answer {
		return c.Do(t, http.MethodPut, groups+"/cancellation", strings.NewReader(cancellation))
	},
	"train a classifier": func(t *testing.T, c *servertest.Client) servertest.Answer {
		return c.Do(t, http.MethodPost, classifiers, strings.NewReader(trainingSet("spy")))
	},
	"ask about contents": func(t *testing.T, c *servertest.Client) servertest.Answer {
		return statement(t, c, `* SAYS "bluebird"`)
	},
	"test a saved category": func(t *testing.T, c *servertest.Client) servertest.Answer {
		return c.Do(t, http.MethodPost, categoriesPath+"/at-risk/test", strings.NewReader(`{}`))
	},
	"read the list of recordings": func(t *testing.T, c *servertest.Client) servertest.Answer {
		return c.Get(t, "/v3/media")
	},
}

func TestAKeyMayDoNothingThatTheKeyItIsMadeWithMayNot(t *testing.T) {
	verify.Long(t)
	t.Parallel()
	s := servertest.Start(t, servertest.Options{Settings: only})
	ok(t, s.Do(t, http.MethodPut, categoriesPath+"/at-risk", category(`*`)))
	for act, try := range acts {
		if a := try(t, s.Client); a.Status/100 != 2 {
			t.Fatalf("%s with all scopes: %s", act, a)
		}
	}
	keys, may := map[string]*servertest.Client{}, map[string][]string{}
	for _, scopes := range scopeSets() {
		name := scopes.String()
		keys[name] = s.As(t, account.DefaultName, scopes...)
		for act, try := range acts {
			if a := try(t, keys[name]); a.Status >= 500 || a.Status == 401 {
				t.Fatalf("%s with %s: %s", act, name, a)
			} else if a.Status != 403 {
				may[name] = append(may[name], act)
			}
		}
	}
	for _, maker := range scopeSets() {
		if !maker.Has(account.Keys) {
			continue
		}
		for _, scopes := range scopeSets() {
			if slices.ContainsFunc(scopes, func(s account.Scope) bool { return !maker.Has(s) }) {
				continue
			}
			name := scopes.String()
			more := slices.DeleteFunc(slices.Clone(may[name]), func(act string) bool {
				return slices.Contains(may[maker.String()], act)
			})
			a := keys[maker.String()].Do(t, http.MethodPost, "/v3/profile/keys",
				strings.NewReader(`{"scope":"`+name+`"}`))
			switch {
			case len(more) > 0:
				if a.Status != 403 || a.Code(t) != 70008 {
					t.Errorf("a key with %q makes one with %q, which may %q: %d", maker, name, more, a.Status)
				}
			case a.Status != 200:
				t.Errorf("a key with %q makes none with %q: %s", maker, name, a)
			default:
				id := a.JSON(t)["id"].(string) // an account has a limited number of keys
				s.Do(t, http.MethodDelete, "/v3/profile/keys/"+id, nil)
			}
		}
	}
}

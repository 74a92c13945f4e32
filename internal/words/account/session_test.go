package account

import (
	"slices"
	"strings"
	"testing"
	"time"

	"parley/internal/words/fault"
)

func TestASessionEndsByItsUseItsAgeOrItsKey(t *testing.T) {
	began := now
	for _, c := range []struct {
		name          string
		used, expires time.Duration // after it began; 0: the key does not expire
		end, final    time.Duration
	}{
		{"new", 0, 0, SessionIdle, SessionLife},
		{"used", time.Hour, 0, time.Hour + SessionIdle, SessionLife},
		{"used on the last day", SessionLife - time.Hour, 0, SessionLife, SessionLife},
		{"of a key that lasts longer", 0, 2 * SessionLife, SessionIdle, SessionLife},
		{"of a key that ends before", time.Hour, 24 * time.Hour, time.Hour + SessionIdle, 24 * time.Hour},
		{"of a key that ends soon", 0, time.Minute, time.Minute, time.Minute},
	} {
		s := Session{Created: began, LastUsed: began.Add(c.used)}
		if c.expires > 0 {
			s.Token.Expires = began.Add(c.expires)
		}
		if !s.End().Equal(began.Add(c.end)) || !s.FinalEnd().Equal(began.Add(c.final)) {
			t.Errorf("%s: ends %s, at the latest %s", c.name, s.End(), s.FinalEnd())
		}
		if s.Ended(s.End().Add(-1)) || !s.Ended(s.End()) {
			t.Errorf("%s: it does not end at its end", c.name)
		}
	}
}

func TestASignInHasAKeyOrALink(t *testing.T) {
	for sent, want := range map[string]SignIn{
		`{"key":"parley_x"}`: {Key: "parley_x"}, `{"link":"y"}`: {Link: "y"},
		`{"key":"k","link":null}`: {Key: "k"}, `{"key":"","link":"y"}`: {Link: "y"},
	} {
		if got, err := ParseSignIn([]byte(sent)); err != nil || got != want {
			t.Errorf("%s: %+v %v", sent, got, err)
		}
	}
	for sent, want := range map[string][]int{
		``: {95121}, `{`: {95121}, `null`: {95121}, `[]`: {95121}, `"x"`: {95121}, `{}`: {95121}, `{"key":""}`: {95121},
		`{"key":"a","link":"b"}`: {95121}, `{"key":5}`: {95121}, `{"password":"hunter2"}`: {10008},
		`{"key":"hunter2","key":"hunter2"}`: {10010}, `{"key":{"key":"hunter2"}}`: {95121},
		`{"key":"` + strings.Repeat("hunter2", 1000) + `"}`: {95121},
	} {
		_, err := ParseSignIn([]byte(sent))
		if !fault.Is(err, fault.Invalid) || !slices.Equal(codes(err), want) {
			t.Errorf("%.60s: %v (%v)", sent, codes(err), err)
		} else if strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%.60s: the message has the secret: %v", sent, err)
		}
	}
}

func FuzzParseSignIn(f *testing.F) {
	f.Add(`{"key":"parley_x"}`)
	f.Add(`{"link":"y","key":null}`)
	f.Fuzz(func(t *testing.T, sent string) {
		if s, err := ParseSignIn([]byte(sent)); err == nil && (s.Key == "") == (s.Link == "") {
			t.Errorf("%q gives %+v", sent, s)
		}
	})
}

package api

import (
	"fmt"
	"testing"
	"time"

	"parley/internal/words/account"
	"parley/internal/words/fault"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// passes sends n concurrent requests, counts those admitted, and returns the last refusal.
func passes(l *limiter, a account.Account, token string, at time.Time, n int) (passed int, last *refusal) {
	for range n {
		leave, no := l.enter(a, token, at)
		if no != nil {
			last = no
			continue
		}
		leave()
		passed++
	}
	return passed, last
}

func TestRequestsBeyondTheRateAreToldWhenToComeBack(t *testing.T) {
	l := newLimiter(Limits{AccountRate: 10, TokenRate: 5})
	a := account.Account{ID: "a"}
	if n, no := passes(l, a, "t1", noon, 50); n != 10 || no.wait != time.Second/5 ||
		!fault.Is(no.err, fault.Exhausted) {
		t.Errorf("%d pass, %+v", n, no)
	}
	if n, no := passes(l, a, "t2", noon, 50); n != 10 || no == nil { // the remaining requests of the account
		t.Errorf("with another token %d pass", n)
	}
	if n, no := passes(l, a, "t3", noon, 50); n != 0 || no.wait != time.Second/10 {
		t.Errorf("of an account that asked too much %d pass, %+v", n, no)
	}
	if n, _ := passes(l, account.Account{ID: "b"}, "t4", noon, 50); n != 10 {
		t.Errorf("of another account %d pass", n)
	}
	// Refused requests cost nothing: a second later, as many are admitted as in any second.
	if n, _ := passes(l, a, "t1", noon.Add(time.Second), 50); n != 5 {
		t.Errorf("a second later %d pass", n)
	}
}

func TestAnAccountsOwnRateGoesBeforeTheOperators(t *testing.T) {
	l := newLimiter(Limits{AccountRate: 1})
	a := account.Account{ID: "a"}
	if n, _ := passes(l, a, "t", noon, 50); n != 2 {
		t.Errorf("%d pass", n)
	}
	more, none := int64(20), int64(0)
	a.Limits.Rate = &more // changed while a request is served
	passes(l, a, "t", noon.Add(10*time.Second), 100)
	if n, _ := passes(l, a, "t", noon.Add(11*time.Second), 100); n != 20 {
		t.Errorf("with 20 a second %d pass", n)
	}
	a.Limits.Rate = &none
	if n, _ := passes(l, a, "t", noon.Add(11*time.Second), 10_000); n != 10_000 {
		t.Errorf("without a limit %d pass", n)
	}
}

func TestRequestsUnderWayCountUntilTheyEnd(t *testing.T) {
	l := newLimiter(Limits{Requests: 2})
	a := account.Account{ID: "a"}
	first, _ := l.enter(a, "t1", noon)
	second, _ := l.enter(a, "", noon)
	if _, no := l.enter(a, "t3", noon); no == nil || no.wait != waitConcurrent ||
		fault.ProblemsOf(no.err)[0].Code != fault.CodeConcurrent {
		t.Errorf("a third passes: %+v", no)
	}
	if n, _ := passes(l, account.Account{ID: "b"}, "t4", noon, 5); n != 5 {
		t.Errorf("of another account %d pass", n)
	}
	first()
	if n, _ := passes(l, a, "t1", noon, 5); n != 5 {
		t.Errorf("when one has ended %d pass", n)
	}
	second()
}

func TestLimiterForgetsWhoAsksForNothing(t *testing.T) {
	l := newLimiter(Limits{TokenRate: 10, AccountRate: 10, Requests: 10})
	busy := account.Account{ID: "busy"}
	leave, _ := l.enter(busy, "", noon)
	defer leave()
	for i := range 10 * mostIdle {
		passes(l, account.Account{ID: "a"}, fmt.Sprint(i), noon.Add(time.Duration(i)*time.Second), 1)
	}
	if n := len(l.uses); n > mostIdle+1 || l.uses["account:busy"] == nil {
		t.Errorf("%d are remembered", n)
	}
}

// TestRequestsUnderWayCountThoughMuchIsForgotten sends a request of a known account with an unknown token at the moment
// when idle entries are forgotten.
func TestRequestsUnderWayCountThoughMuchIsForgotten(t *testing.T) {
	l := newLimiter(Limits{Requests: 1})
	a := account.Account{ID: "a"}
	passes(l, a, "", noon, 1)
	for i := 0; len(l.uses) < mostIdle; i++ {
		passes(l, account.Account{ID: account.ID(fmt.Sprint(i))}, "", noon, 1)
	}
	leave, _ := l.enter(a, "new", noon)
	defer leave()
	if n, _ := passes(l, a, "new", noon, 1); n != 0 {
		t.Error("a second request passes beside the only one that may")
	}
}

func BenchmarkLimiter(b *testing.B) {
	l := newLimiter(Limits{TokenRate: 1 << 30, AccountRate: 1 << 30, Requests: 10})
	for b.Loop() {
		leave, _ := l.enter(account.Account{ID: "a"}, "t", time.Now())
		leave()
	}
}

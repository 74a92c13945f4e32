package api

import (
	"crypto/tls"
	"fmt"
	"net/http/httptest"
	"testing"
	"time"
)

// begins counts attempts of an address until one is refused, and returns the wait that it is told.
func begins(tr *tries, address string, at time.Time) (n int, wait time.Duration) {
	for n = 0; n < 1000; n++ {
		if wait = tr.begin(address, at); wait > 0 {
			return n, wait
		}
	}
	return n, 0
}

func TestTenAttemptsToSignInMayFailAMinute(t *testing.T) {
	var tr tries
	if n, wait := begins(&tr, "192.0.2.1", noon); n != 10 || wait != 6*time.Second {
		t.Errorf("%d attempts, then %s", n, wait)
	}
	if n, wait := begins(&tr, "192.0.2.1", noon.Add(2*time.Second)); n != 0 || wait.Round(time.Millisecond) != 4*time.Second {
		t.Errorf("2 s later %d attempts, then %s", n, wait)
	}
	if n, _ := begins(&tr, "192.0.2.1", noon.Add(6*time.Second)); n != 1 {
		t.Errorf("6 s later %d attempts", n)
	}
	if n, _ := begins(&tr, "192.0.2.2", noon); n != 10 {
		t.Errorf("of another address %d attempts", n)
	}
	if n, _ := begins(&tr, "192.0.2.1", noon.Add(time.Hour)); n != 10 {
		t.Errorf("an hour later %d attempts", n)
	}
	for range 100 {
		if wait := tr.begin("192.0.2.3", noon); wait > 0 {
			t.Fatalf("an attempt that was forgiven counts: %s", wait)
		}
		tr.forgive("192.0.2.3")
	}
}

func TestAHostHasTheAttemptsOfOneAddressHoweverManyItUses(t *testing.T) {
	var tr tries
	passed := 0
	for i := range 100 {
		if tr.begin(fmt.Sprintf("2001:db8::%x", i), noon) == 0 {
			passed++
		}
	}
	if passed != 10 {
		t.Errorf("%d attempts of one network", passed)
	}
	if wait := tr.begin("2001:db8:0:1::1", noon); wait > 0 {
		t.Errorf("another network waits %s", wait)
	}
	if n, _ := begins(&tr, "", noon); n != 10 {
		t.Errorf("%d attempts of clients without an address", n)
	}
	if n, _ := begins(&tr, "x", noon); n != 0 {
		t.Errorf("%d more", n)
	}
}

func TestAttemptsOfManyAddressesTakeBoundedMemory(t *testing.T) {
	var tr tries
	begins(&tr, "192.0.2.1", noon)
	for i := range 5000 {
		tr.begin(fmt.Sprintf("198.51.%d.%d", i/256, i%256), noon)
		if i%1000 == 0 && tr.begin("192.0.2.1", noon) == 0 {
			t.Errorf("after %d others an address that goes on is forgotten", i)
		}
	}
	if n := len(tr.recent) + len(tr.older); n > 2*mostAddresses || n < mostAddresses {
		t.Errorf("%d addresses are remembered", n)
	}
}

func TestOverTLSTheCookieIsBoundToTheHost(t *testing.T) {
	s := &Server{}
	r := httptest.NewRequest("GET", "/ui/session", nil)
	if c := s.cookie(r, "x", time.Minute); c.Name != "parley" || c.Secure {
		t.Errorf("without TLS %s", c)
	}
	r.TLS = &tls.ConnectionState{}
	if c := s.cookie(r, "x", time.Minute); c.Name != "__Host-parley" || !c.Secure || c.Path != "/" || c.Domain != "" {
		t.Errorf("with TLS %s", c)
	}
}

package api

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"parley/internal/words/account"
	"parley/internal/words/fault"
)

func kindOf(err error) string {
	if err == nil {
		return "taken"
	}
	return fault.KindOf(err).String()
}

func TestMemoryBeyondTheShareOfAnAccountIsRefusedAndGivenBack(t *testing.T) {
	b := newBudget(100, 40)
	h, second, other := b.open("a", nil), b.open("a", nil), b.open("b", nil)
	for _, c := range []struct {
		of    *holding
		bytes int64
		want  string
	}{{h, 30, "taken"}, {second, 10, "taken"}, {second, 1, "exhausted"}, {second, 41, "too large"},
		{other, 40, "taken"}} {
		if got := kindOf(c.of.take(c.bytes)); got != c.want {
			t.Fatalf("%d bytes: %s, want %s", c.bytes, got, c.want)
		}
	}
	h.give(5)
	if err := second.take(5); err != nil {
		t.Error(err)
	}
	for _, each := range []*holding{h, second, other} {
		each.close()
	}
	if b.held != 0 || len(b.accounts) != 0 {
		t.Errorf("%d bytes of %d accounts stay", b.held, len(b.accounts))
	}
}

func TestAnAccountWithLessThanItsPartGetsMemoryFromStalledRequests(t *testing.T) {
	b := newBudget(100, 60)
	ended := map[string]bool{}
	open := func(owner account.ID, name string, bytes int64, waits bool) *holding {
		h := b.open(owner, func() { ended[name] = true })
		h.read(waits)
		if err := h.take(bytes); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return h
	}
	open("a", "a at work", 30, false)
	first, second := open("a", "a first", 10, true), open("a", "a second", 20, true)
	open("b", "b", 40, true)
	if err := second.take(0); err != nil {
		t.Fatal(err)
	}
	late := b.open("c", nil)
	if err := late.take(10); err != nil || fmt.Sprint(ended) != "map[a first:true]" {
		t.Errorf("%v; ended: %v", err, ended)
	}
	if kindOf(first.take(1)) != "exhausted" || kindOf(first.read(true)) != "exhausted" {
		t.Error("a request that was ended goes on")
	}
	if kindOf(late.take(20)) != "taken" || !ended["b"] && !ended["a second"] {
		t.Errorf("an account does not get its part; ended: %v", ended)
	}
	if got := kindOf(late.take(20)); got != "unavailable" { // more than a third of 100
		t.Errorf("more than a fair part: %s", got)
	}
	first.close()
	if b.held > 100 || b.held < 0 {
		t.Errorf("%d bytes are held", b.held)
	}
}

func TestMuchMemoryIsGivenBackToTheSystemWhenItIsFree(t *testing.T) {
	b := newBudget(1<<30, 0)
	returned := make(chan struct{})
	b.toSystem = func() { returned <- struct{}{} }
	little, much := b.open("a", nil), b.open("a", nil)
	little.take(returnFrom / 10)
	much.take(returnFrom)
	little.close()
	if b.returning.Load() {
		t.Error("memory is given back while much is held")
	}
	much.close()
	<-returned
}

// TestNobodyIsRefusedWithinItsPartWhileOthersWaitForTheirClients takes and gives memory at random.
func TestNobodyIsRefusedWithinItsPartWhileOthersWaitForTheirClients(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const most, share = 1000, 400
		b := newBudget(most, share)
		var all []*holding
		for range rapid.IntRange(1, 60).Draw(t, "requests") {
			h := b.open(account.ID(fmt.Sprint(rapid.IntRange(0, 9).Draw(t, "account"))), func() {})
			h.read(true)
			all = append(all, h)
		}
		for range rapid.IntRange(1, 200).Draw(t, "steps") {
			h := rapid.SampledFrom(all).Draw(t, "request")
			bytes := rapid.Int64Range(1, 300).Draw(t, "bytes")
			own, tenants := int64(0), int64(len(b.accounts))
			if there := b.accounts[h.owner]; there != nil {
				own = there.held
			} else {
				tenants++
			}
			if rapid.Bool().Draw(t, "gives") {
				h.give(bytes)
				continue
			}
			err := h.take(bytes)
			if err != nil && !h.evicted && own+bytes <= min(share, most/tenants) {
				t.Fatalf("%d bytes beside %d of %d accounts: %v", bytes, own, tenants, err)
			}
			sum := int64(0)
			for _, tenant := range b.accounts {
				sum += tenant.held
				if tenant.held > share {
					t.Fatalf("an account holds %d", tenant.held)
				}
			}
			if sum != b.held || sum > most {
				t.Fatalf("%d are held, %d are counted", sum, b.held)
			}
		}
		for _, h := range all {
			h.close()
		}
		if b.held != 0 || len(b.accounts) != 0 {
			t.Fatalf("%d bytes stay", b.held)
		}
	})
}

func BenchmarkBudget(b *testing.B) {
	budget := newBudget(1<<30, 1<<28)
	for i := range 5000 { // accounts that hold memory
		budget.open(account.ID(fmt.Sprint(i)), nil).take(1000)
	}
	for b.Loop() {
		h := budget.open("a", nil)
		h.take(1000)
		h.close()
	}
}

package chaos_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/internal/testkit/chaos"
)

func Example() {
	for _, f := range chaos.Schedule(7, 3, 20*time.Second, chaos.Kinds())[:2] {
		fmt.Println(f)
	}
	fmt.Println(chaos.Check([]chaos.Upload{{Name: "call-1", Media: "m1"}}, nil, chaos.State{}))
	// Output:
	// freeze-node 0 @0.3s+3.4s
	// cut-database 0 @0.9s+6.2s
	// [call-1 was acknowledged as m1, and is gone]
}

func TestSchedulesAreThoseOfTheirSeedsAndFaultsOfAPlaceDoNotOverlap(t *testing.T) {
	const length = 20 * time.Second
	seen := map[chaos.Kind]bool{}
	for seed := range uint64(500) {
		all := chaos.Schedule(seed, 3, length, chaos.Kinds())
		if !slices.Equal(all, chaos.Schedule(seed, 3, length, chaos.Kinds())) || len(all) == 0 {
			t.Fatalf("seed %d: %v", seed, all)
		}
		failedOver := false
		for i, f := range all {
			seen[f.Kind] = true
			if f.For <= 0 || f.At+f.For > length || f.Node < 0 || f.Node > 2 || i > 0 && f.At < all[i-1].At {
				t.Errorf("seed %d: %v", seed, f)
			}
			if failedOver && (f.Kind == chaos.FailOver || f.Kind == chaos.CrashDatabase) {
				t.Errorf("seed %d: %v after a fail-over", seed, f)
			}
			failedOver = failedOver || f.Kind == chaos.FailOver
		}
	}
	if len(seen) != len(chaos.Kinds()) {
		t.Errorf("only %d kinds", len(seen))
	}
}

// well returns a history without a violation, of a recording, one that was deleted, one that was never acknowledged, and
// one of which the client does not know whether it was deleted.
func well() (uploads []chaos.Upload, receipts []chaos.Receipt, s chaos.State) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	uploads = []chaos.Upload{{Name: "a", Media: "m-a", SHA256: "1"}, {Name: "b", Media: "m-b", Deletion: chaos.Acknowledged},
		{Name: "c"}, {Name: "d", Media: "m-d", Deletion: chaos.Asked}}
	receipts = []chaos.Receipt{{Callback: "k", At: at}, {Callback: "k", At: at.Add(time.Second), Accepted: true},
		{Callback: "k", At: at.Add(2 * time.Second), Accepted: true}}
	tries := []chaos.Try{{Callback: "k", At: at}, {Callback: "k", At: at.Add(2 * time.Second), Took: time.Second, Accepted: true}}
	s.Items = []chaos.Item{{Media: "m-a", Name: "a", Status: "finished", SHA256: "1", Turns: 1, Tries: tries}}
	s.Views = []chaos.View{{Node: 1, Items: []string{"m-a"}, Search: []string{"m-a"}, Analytic: []string{"m-a"}}}
	return uploads, receipts, s
}

func TestAViolationIsFoundWhateverItIs(t *testing.T) {
	if found := chaos.Check(well()); len(found) > 0 {
		t.Fatalf("where all is well: %v", found)
	}
	for want, spoil := range map[string]func(u []chaos.Upload, r []chaos.Receipt, s *chaos.State){
		"is gone":             func(_ []chaos.Upload, _ []chaos.Receipt, s *chaos.State) { s.Items, s.Views = nil, nil },
		"was deleted, and is": func(u []chaos.Upload, _ []chaos.Receipt, _ *chaos.State) { u[0].Deletion = chaos.Acknowledged },
		"is there 2 times":    func(_ []chaos.Upload, _ []chaos.Receipt, s *chaos.State) { again(s, "m-x") },
		"is there twice":      func(_ []chaos.Upload, _ []chaos.Receipt, s *chaos.State) { again(s, "m-a") },
		"and is there as m-a": func(u []chaos.Upload, _ []chaos.Receipt, _ *chaos.State) { u[0].Media = "m-z" },
		"nobody uploaded":     func(u []chaos.Upload, _ []chaos.Receipt, _ *chaos.State) { u[0].Name = "z" },
		"is running":          func(_ []chaos.Upload, _ []chaos.Receipt, s *chaos.State) { s.Items[0].Status = "running" },
		"has other bytes":     func(_ []chaos.Upload, _ []chaos.Receipt, s *chaos.State) { s.Items[0].SHA256 = "2" },
		"has no transcript":   func(_ []chaos.Upload, _ []chaos.Receipt, s *chaos.State) { s.Items[0].Turns = 0 },
		"the search lacks":    func(_ []chaos.Upload, _ []chaos.Receipt, s *chaos.State) { s.Views[0].Search = nil },
		"the list lacks":      func(_ []chaos.Upload, _ []chaos.Receipt, s *chaos.State) { s.Views[0].Items = nil },
		"database has m-a 2 times": func(_ []chaos.Upload, _ []chaos.Receipt, s *chaos.State) {
			s.Views[0].Analytic = []string{"m-a", "m-a"}
		},
		"has m-b, which is not": func(_ []chaos.Upload, _ []chaos.Receipt, s *chaos.State) { s.Views[0].Search = []string{"m-a", "m-b"} },
		"has no callback":       func(_ []chaos.Upload, _ []chaos.Receipt, s *chaos.State) { s.Items[0].Tries = nil },
		"was never accepted":    func(_ []chaos.Upload, r []chaos.Receipt, _ *chaos.State) { r[1].Accepted, r[2].Accepted = false, false },
		"is not recorded as":    func(_ []chaos.Upload, _ []chaos.Receipt, s *chaos.State) { s.Items[0].Tries[1].Accepted = false },
		"was requested again":   func(_ []chaos.Upload, r []chaos.Receipt, _ *chaos.State) { r[2].At = r[2].At.Add(time.Minute) },
		"job left":              func(_ []chaos.Upload, _ []chaos.Receipt, s *chaos.State) { s.Jobs = []string{"j"} },
		"file of no recording":  func(_ []chaos.Upload, _ []chaos.Receipt, s *chaos.State) { s.Orphans = []string{"o"} },
		"file lost":             func(_ []chaos.Upload, _ []chaos.Receipt, s *chaos.State) { s.Lost = []string{"l"} },
	} {
		uploads, receipts, s := well()
		spoil(uploads, receipts, &s)
		if found := strings.Join(chaos.Check(uploads, receipts, s), "\n"); !strings.Contains(found, want) {
			t.Errorf("%q is not among: %s", want, found)
		}
	}
}

// again adds the recording under another id.
func again(s *chaos.State, id string) {
	i := s.Items[0]
	i.Media = id
	s.Items = append(s.Items, i)
}

package store_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"parley/internal/storage/job"
	"parley/internal/storage/store"
	"parley/internal/testkit/storetest"
)

// ahead is how much later a job of the first priority may be due and still run before one of the second, as documented.
var ahead = map[[2]int]time.Duration{{0, 1}: 24 * time.Hour, {0, 2}: 25 * time.Hour, {1, 2}: time.Hour}

// Whatever the order of arrival: within an account the higher priority runs first, but no job is overtaken by one that
// arrived more than an hour (low by normal) or a day (normal by high) later. The test's clock starts so far in the past
// that the sum of its pauses does not reach the present; jobs beyond that would not be due yet.
func TestPrioritiesGoInOrderAndNoneStarves(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		rapid.Check(t, func(r *rapid.T) {
			storetest.Update(t, s, func(tx *store.Tx) error { return tx.DropJobs() })
			type arrival struct {
				priority int
				at       time.Time
			}
			clock := time.Now().AddDate(-20, 0, 0).Truncate(time.Microsecond)
			waiting := map[job.ID]arrival{}
			r.Repeat(map[string]func(*rapid.T){
				"arrive": func(r *rapid.T) {
					clock = clock.Add(time.Duration(rapid.IntRange(0, 40*60).Draw(r, "seconds")) * time.Second)
					a := arrival{rapid.IntRange(0, 2).Draw(r, "priority"), clock}
					waiting[enqueue(t, s, job.Spec{Kind: "k", Account: "a", Priority: a.priority, RunAt: a.at})[0]] = a
				},
				"rest": func(r *rapid.T) {
					clock = clock.Add(time.Duration(rapid.IntRange(0, 30).Draw(r, "hours")) * time.Hour)
				},
				"work": func(r *rapid.T) {
					got := claim(t, s, 1)
					if len(got) == 0 {
						if len(waiting) > 0 {
							r.Fatalf("%d wait and none is claimed", len(waiting))
						}
						return
					}
					mine := waiting[got[0].ID]
					delete(waiting, got[0].ID)
					for _, other := range waiting {
						switch lead := other.at.Sub(mine.at); {
						case mine.priority == other.priority && lead < 0:
							r.Fatalf("one of priority %d came %v earlier and waits", mine.priority, -lead)
						case mine.priority < other.priority && -lead > ahead[[2]int{mine.priority, other.priority}]:
							r.Fatalf("priority %d overtakes %d, which came %v earlier", mine.priority, other.priority,
								-lead)
						case mine.priority > other.priority && lead < ahead[[2]int{other.priority, mine.priority}]:
							r.Fatalf("priority %d goes before %d, which came only %v later", mine.priority,
								other.priority, lead)
						}
					}
					if err := s.Queue().Complete(t.Context(), got[0]); err != nil {
						r.Fatal(err)
					}
				},
			})
		})
	})
}

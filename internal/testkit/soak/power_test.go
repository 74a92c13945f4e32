package soak

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"parley/internal/testkit/powerloss"
	"parley/internal/testkit/verify"
)

// powerLosses is how many losses of power follow each load.
const powerLosses = 50

// TestALossOfPowerLosesNothingThatWasAcknowledged runs a server with SQLite and recordings on a disk that records what
// is done to it (package powerloss). Then it starts servers on what a loss of power would have left at many instants,
// half of them right after an acknowledgement. PARLEY_POWER_LOSSES sets the number of losses (14, with PARLEY_SOAK
// 500); PARLEY_POWER_LEDGER names a file that gets a line with the result.
func TestALossOfPowerLosesNothingThatWasAcknowledged(t *testing.T) {
	verify.Long(t)
	if err := powerloss.Supported(); err != nil {
		t.Skip(err)
	}
	losses, uploads := 14, 40
	if soaking() {
		losses, uploads = 500, 100
	}
	if set := os.Getenv("PARLEY_POWER_LOSSES"); set != "" {
		var err error
		if losses, err = strconv.Atoi(set); err != nil || losses < 1 {
			t.Fatalf("PARLEY_POWER_LOSSES is %q, not a number of losses", set)
		}
	}
	began, tally := time.Now(), &powerTally{moods: map[string]int{}}
	for seed := uint64(0); losses > 0; seed++ {
		t.Run(fmt.Sprintf("load %d", seed), func(t *testing.T) {
			receiver := listenForPower(t, "")
			r := recordPower(t, receiver, seed, uploads)
			t.Logf("%d operations, %d uploads, %d receipts, full %d times", len(r.trace), len(r.Uploads), len(r.Receipts),
				r.Full)
			r.try(t, receiver, r.losses(min(losses, powerLosses)), tally)
		})
		losses -= powerLosses
	}
	tally.write(t, time.Since(began))
}

// TestARecordedLossOfPowerLosesNothing tries one loss again, of a record that a finding has kept.
func TestARecordedLossOfPowerLosesNothing(t *testing.T) {
	set := os.Getenv("PARLEY_POWER")
	if set == "" {
		t.Skip("PARLEY_POWER is not set: FOLDER,INSTANT,SEED of a finding")
	}
	parts := strings.Split(set, ",")
	if len(parts) != 3 {
		t.Fatalf("PARLEY_POWER is %q, not FOLDER,INSTANT,SEED", set)
	}
	r, err := loadPowerRecord(parts[0])
	if err != nil {
		t.Fatal(err)
	}
	instant, err := strconv.Atoi(parts[1])
	if err != nil || instant > len(r.trace) {
		t.Fatalf("PARLEY_POWER: %q is no instant", parts[1])
	}
	seed, err := strconv.ParseUint(parts[2], 10, 64)
	if err != nil {
		t.Fatalf("PARLEY_POWER: %v", err)
	}
	receiver := listenForPower(t, r.Receiver)
	for _, violation := range r.lose(t, receiver, powerloss.NewLoss(instant, seed), 0) {
		t.Error(violation)
	}
}

// losses returns losses at instants that the record's seed chooses; the first one is the end of the load.
func (r *powerRecord) losses(count int) (all []powerloss.Loss) {
	random := rand.New(rand.NewPCG(r.Seed, 4))
	acknowledged := r.acknowledgements()
	for number := range count {
		instant := random.IntN(len(r.trace) + 1)
		switch {
		case number == 0:
			instant = len(r.trace)
		case number%2 == 0:
			instant = acknowledged[random.IntN(len(acknowledged))]
		}
		all = append(all, powerloss.NewLoss(instant, random.Uint64()))
	}
	return all
}

// try tries losses, as many at a time as the tests may. The record of one that has a finding is kept.
func (r *powerRecord) try(t *testing.T, receiver *powerReceiver, losses []powerloss.Loss, tally *powerTally) {
	t.Helper()
	kept := filepath.Join(os.TempDir(), fmt.Sprintf("parley-power-%d-%d", os.Getpid(), r.Seed))
	var keep sync.Once
	t.Run("losses", func(t *testing.T) {
		for number, loss := range losses {
			t.Run(loss.String(), func(t *testing.T) {
				t.Parallel()
				began := time.Now()
				found := r.lose(t, receiver, loss, number)
				tally.add(loss, time.Since(began), len(found))
				if len(found) == 0 {
					return
				}
				keep.Do(func() {
					if err := r.save(kept); err != nil {
						t.Error(err)
					}
				})
				t.Errorf("%s\nagain: PARLEY_POWER=%s,%d,%d go test -run TestARecordedLossOfPowerLosesNothing "+
					"./internal/testkit/soak", strings.Join(found, "\n"), kept, loss.Instant, loss.Seed)
			})
		}
	})
}

// powerTally counts losses.
type powerTally struct {
	mu               sync.Mutex
	losses, findings int
	took             time.Duration
	moods            map[string]int
}

func (y *powerTally) add(l powerloss.Loss, took time.Duration, findings int) {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.losses++
	y.took += took
	y.moods["names "+string(l.Names)]++
	if findings > 0 {
		y.findings++
	}
}

// write logs the result as a line of the ledger, and appends it there.
func (y *powerTally) write(t *testing.T, took time.Duration) {
	t.Helper()
	line := fmt.Sprintf("%s\t%d\t%d\t%.1f\t%.0f\t%v", time.Now().UTC().Format(time.DateOnly), y.losses, y.findings,
		y.took.Seconds()/float64(max(y.losses, 1)), took.Seconds(), y.moods)
	t.Log(line)
	path := os.Getenv("PARLEY_POWER_LEDGER")
	if path == "" {
		return
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := fmt.Fprintln(f, line); err != nil {
		t.Fatal(err)
	}
}

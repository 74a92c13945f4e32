package soak

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"parley/internal/testkit/chaos"
	"parley/internal/testkit/verify"
)

// The times of a trial.
const (
	chaosTime = 20 * time.Second // of load and faults
	recovery  = 30 * time.Second // after the last fault, until every node is ready
	settling  = 60 * time.Second // after the last fault, until everything is done
)

// The size of a trial.
const (
	nodesOfTrial   = 3
	callersOfTrial = 4
)

// TestAClusterUnderFaultsKeepsWhatItAcknowledged puts three nodes, PostgreSQL with a standby and S3 under the faults of
// a seed, while clients use them, and checks what comes out. make chaos runs many seeds and keeps a ledger.
func TestAClusterUnderFaultsKeepsWhatItAcknowledged(t *testing.T) {
	verify.Long(t)
	trials, err := parseTrials(cmp.Or(os.Getenv("PARLEY_CHAOS"), trialOfVerify))
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range trials {
		x.start(t)
	}
}

// chaosTrial is one run of a cluster under a schedule.
type chaosTrial struct {
	name     string // the seed, or the kind of the only fault
	seed     uint64 // of what clients do
	schedule []chaos.Fault
	folder   string // of logs and the history

	state               chaos.State
	uploads             []chaos.Upload
	receipts            []chaos.Receipt
	acknowledged, gone  int // uploads and deletions
	orphans             int // that were collected
	began               time.Time
	ready, done, lasted time.Duration // after the last fault, until nodes were ready and all was done; of everything
	violations          []string
}

// start runs the trial as a subtest. The folder of a trial that succeeds is removed.
func (x *chaosTrial) start(t *testing.T) {
	x.folder = trialFolder(t, x.name)
	ok := t.Run(x.name, func(t *testing.T) {
		x.began = time.Now()
		x.run(t)
		x.lasted = time.Since(x.began)
		for _, v := range x.violations {
			t.Error(v)
		}
	})
	if err := x.record(ok); err != nil {
		t.Error(err)
	}
	if ok {
		t.Log(x)
		os.RemoveAll(x.folder)
		return
	}
	t.Logf("%s\nlogs and history: %s\nrun it again: make chaos TRIALS=%s", x, x.folder, x.name)
}

// trialFolder returns a new folder for the logs of a trial.
func trialFolder(t *testing.T, name string) string {
	t.Helper()
	parent := os.Getenv("PARLEY_CHAOS_DIR")
	if parent == "" {
		parent = filepath.Join(os.TempDir(), "parley-chaos")
	}
	folder := filepath.Join(parent, name+time.Now().Format("-20060102-150405"))
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	return folder
}

func (x *chaosTrial) run(t *testing.T) {
	c := newCluster(t, x.folder)
	patient, cancel := context.WithTimeout(t.Context(), chaosTime+settling)
	defer cancel()
	a := &callers{cluster: c, history: c.receiver.history, patient: patient}
	stop, end := context.WithTimeout(t.Context(), chaosTime)
	defer end()
	start := time.Now()
	used := make(chan struct{})
	go func() {
		defer close(used)
		a.load(stop, x.seed, callersOfTrial)
	}()
	healed, problems := c.run(t, start, x.schedule)
	for _, p := range problems {
		x.violations = append(x.violations, p.Error())
	}
	x.awaitReady(t, c, healed)
	<-used
	x.settle(t, c, healed)
	for _, problem := range slices.Sorted(maps.Keys(a.problems)) {
		x.violations = append(x.violations, fmt.Sprintf("%s (%d times)", problem, a.problems[problem]))
	}
	x.violations = append(x.violations, c.deaths()...)
	x.acknowledged, x.gone = a.uploads, a.deleted
}

// awaitReady waits until every node is ready after the last fault.
func (x *chaosTrial) awaitReady(t *testing.T, c *cluster, healed time.Time) {
	all := func() bool {
		return !slices.ContainsFunc(c.members, func(m *member) bool { return !m.works(t.Context(), c.token) })
	}
	if !eventually(before(t, healed.Add(settling)), all) {
		x.violations = append(x.violations, fmt.Sprintf("not every node is ready %v after the last fault", settling))
	}
	if x.ready = time.Since(healed); x.ready > recovery {
		x.violations = append(x.violations, fmt.Sprintf("the nodes were ready %v after the last fault", x.ready))
	}
}

// settle waits until the cluster has done everything, and checks the history and the state that it led to.
func (x *chaosTrial) settle(t *testing.T, c *cluster, healed time.Time) {
	var found []string
	calm := func() bool {
		list, err := jobs(t.Context(), c.members[0].client(c.token))
		if err != nil || len(list) > 0 {
			return false
		}
		found = x.check(t, c)
		return len(found) == 0
	}
	if !eventually(before(t, healed.Add(settling)), calm) {
		found = x.check(t, c)
	}
	x.done = time.Since(healed)
	if len(found) == 0 {
		var err error
		if x.orphans, err = c.orphans(t, &x.state); err != nil {
			found = append(found, err.Error())
		}
		found = append(found, chaos.Check(x.uploads, x.receipts, x.state)...)
	}
	x.violations = append(x.violations, found...)
}

// check compares what clients and receivers saw with what the nodes show now.
func (x *chaosTrial) check(t *testing.T, c *cluster) []string {
	x.uploads, x.receipts = c.receiver.history.Uploads(), c.receiver.history.Receipts()
	state, err := c.state(t.Context())
	if err != nil {
		return []string{err.Error()}
	}
	x.state = state
	return chaos.Check(x.uploads, x.receipts, x.state)
}

// before returns a context that ends with the test or at a time.
func before(t *testing.T, deadline time.Time) context.Context {
	ctx, cancel := context.WithDeadline(t.Context(), deadline)
	t.Cleanup(cancel)
	return ctx
}

// String describes the trial for people.
func (x *chaosTrial) String() string {
	return fmt.Sprintf("trial %s: %d uploads, %d deletions, %d callbacks, %d orphans collected; %.1f s, ready %.1f s and done "+
		"%.1f s after the last fault\nfaults: %s", x.name, x.acknowledged, x.gone, len(x.receipts), x.orphans,
		x.lasted.Seconds(), x.ready.Seconds(), x.done.Seconds(), x.faults())
}

func (x *chaosTrial) faults() string {
	var all []string
	for _, f := range x.schedule {
		all = append(all, f.String())
	}
	return strings.Join(all, ", ")
}

// record keeps the history of a trial that failed, and adds a line to the ledger, if there is one.
func (x *chaosTrial) record(ok bool) error {
	if !ok {
		kept, err := json.MarshalIndent(map[string]any{"schedule": x.faults(), "violations": x.violations,
			"uploads": x.uploads, "receipts": x.receipts, "state": x.state}, "", " ")
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(x.folder, "history.json"), kept, 0o600); err != nil {
			return err
		}
		if len(x.violations) == 0 {
			x.violations = []string{"the trial broke off"}
		}
	}
	return x.enter(os.Getenv("PARLEY_CHAOS_LEDGER"))
}

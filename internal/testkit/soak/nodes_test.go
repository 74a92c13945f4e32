package soak

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"parley/internal/storage/job"
	"parley/internal/testkit/pgtest"
	"parley/internal/testkit/s3test"
	"parley/internal/testkit/verify"
)

// TestAnotherNodeFinishesWhatAKilledOneBegan starts two servers on one PostgreSQL and one S3, kills the one that
// recognises, and checks how soon and how completely the other continues.
func TestAnotherNodeFinishesWhatAKilledOneBegan(t *testing.T) {
	verify.Long(t)
	database, bucket := pgtest.URL(t), s3test.Bucket(t)
	storage := func(name string) []string {
		return []string{"--data", filepath.Join(t.TempDir(), name), "--database", database, "--blobs", bucket,
			"--engines", "1"}
	}
	token := firstToken(t, storage("admin")[:4]...)
	e := newEvents()
	nodes := []*node{start(t, e, storage("one")...), start(t, e, storage("two")...)}
	item, err := nodes[0].client(token).Submit(t.Context(), brief(t))
	if err != nil {
		t.Fatal(err)
	}
	if !eventually(t.Context(), func() bool { return e.count(item.MediaID) > 0 }) {
		t.Fatal("no chunk was recognised")
	}
	busy, other := holder(t, nodes, database)
	busy.kill()
	killed, before := time.Now(), e.total()
	if !eventually(t.Context(), func() bool { return other.holds(runningJobs(t, database)) }) {
		t.Fatalf("the other node does not take the job\n%s", e.tail())
	}
	if pause := time.Since(killed); pause > job.Lease+2*job.Beat+5*time.Second {
		t.Errorf("the other node took the job after %v, the lease is %v", pause, job.Lease)
	}
	if !eventually(t.Context(), func() bool { return e.total() > before }) {
		t.Fatalf("the other node does not go on\n%s", e.tail())
	}
	text := await(t, other.client(token), item.MediaID, e)
	if !strings.Contains(text, "Agent: ") || !strings.Contains(text, "Caller: ") {
		t.Errorf("the transcript has not both speakers:\n%s", text)
	}
	if twice := e.keptTwice(); len(twice) > 0 {
		t.Errorf("recorded more than once: %v", twice)
	}
	if redone := e.redone(); redone > 1 {
		t.Errorf("the kill cost %d chunks, more than one a child", redone)
	}
	if list, err := other.client(token).Progress(t.Context(), item.MediaID); err != nil || list.Status != "finished" {
		t.Errorf("progress: %+v, %v", list, err)
	}
}

// holder returns the node that works on the job, and the other one.
func holder(t *testing.T, nodes []*node, database string) (busy, other *node) {
	t.Helper()
	list := runningJobs(t, database)
	for i, n := range nodes {
		if n.holds(list) {
			return n, nodes[1-i]
		}
	}
	t.Fatalf("no node holds the job:\n%s", list)
	return nil, nil
}

// runningJobs returns the list of the jobs that nodes work on, as an operator sees it.
func runningJobs(t *testing.T, database string) string {
	t.Helper()
	return run(t, "queue", "list", "--state", "running", "--database", database, "--data", t.TempDir())
}

// holds reports whether a node works on one of the jobs of a list.
func (n *node) holds(list string) bool {
	return strings.Contains(list, "/"+strconv.Itoa(n.command.Process.Pid))
}

// total returns the number of recognised chunks.
func (e *events) total() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	n := 0
	for _, times := range e.kept {
		n += times
	}
	return n
}

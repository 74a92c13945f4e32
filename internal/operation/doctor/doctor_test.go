package doctor

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"parley/internal/host/sandbox"
	"parley/internal/speech/asr"
	"parley/internal/speech/audio"
	"parley/internal/storage/blob"
	"parley/internal/storage/blob/disk"
	"parley/internal/storage/job"
	"parley/internal/storage/store"
	"parley/internal/testkit/storetest"
	"parley/sample"
)

var errBroken = errors.New("broken")

func expect(t *testing.T, c Check, want State, part string) {
	t.Helper()
	got := c.Run(t.Context())
	if got.State != want || !strings.Contains(got.Detail, part) {
		t.Errorf("%s: %s, %q; want %s with %q", c.Name, got.State, got.Detail, want, part)
	}
	if (got.State == OK) != (got.Remedy == "") {
		t.Errorf("%s is %s with the remedy %q", c.Name, got.State, got.Remedy)
	}
	if strings.Contains(got.Detail, "nil>") || strings.Contains(got.Detail, "%!") {
		t.Errorf("%s: detail %q", c.Name, got.Detail)
	}
}

func TestFailuresMakeIllAndWarningsDoNot(t *testing.T) {
	as := func(s State) Check {
		return Check{string(s), func(context.Context) Finding { return Finding{State: s} }}
	}
	var shown []Line
	lines := Examine(t.Context(), []Check{as(OK), as(Warn)}, func(l Line) { shown = append(shown, l) })
	if len(lines) != 2 || len(shown) != 2 || shown[1].Name != "warn" || !Healthy(lines) {
		t.Errorf("lines %v, shown %v", lines, shown)
	}
	if Healthy(Examine(t.Context(), []Check{as(Fail), as(OK)}, func(Line) {})) {
		t.Error("healthy with a failure")
	}
}

func TestConfinementIsAWarningWhereTheKernelLacksIt(t *testing.T) {
	expect(t, Confinement(sandbox.Support{Landlock: 2, Seccomp: true}), OK, "version 2")
	expect(t, Confinement(sandbox.Support{Seccomp: true}), Warn, "every file")
	expect(t, Confinement(sandbox.Support{Landlock: 7}), Warn, "sockets")
	expect(t, Confinement(sandbox.Support{Landlock: 7, Seccomp: true, Root: true}), Warn, "root")
}

func TestRoomIsJudgedByTheLimits(t *testing.T) {
	free := func(n uint64, err error) Check { return Room(func() (uint64, error) { return n, err }) }
	expect(t, free(leastRoom-1, nil), Fail, "uploads are refused")
	expect(t, free(leastRoom, nil), Warn, "0.3 GB")
	expect(t, free(goodRoom, nil), OK, "5 GB")
	expect(t, free(0, errBroken), Fail, "broken")
	if n, err := Free(t.TempDir()); n == 0 || err != nil {
		t.Errorf("free: %d, %v", n, err)
	}
}

func TestDiskSpeedNeverForbidsTheServer(t *testing.T) {
	rate := func(n float64, err error) Check { return Syncs(func() (float64, error) { return n, err }) }
	expect(t, rate(leastSyncs-1, nil), Warn, "99 durable")
	expect(t, rate(leastSyncs, nil), OK, "100 durable")
	expect(t, rate(0, errBroken), Fail, "broken")
}

func TestNeuralModelsAreWantedAndMustLoad(t *testing.T) {
	look := func(info *asr.Info, err error) Check {
		return Neural(func(context.Context) (*asr.Info, error) { return info, err })
	}
	expect(t, look(nil, nil), Warn, "no neural model")
	expect(t, look(&asr.Info{Engine: "sherpa-onnx", Model: "big", Languages: []string{"en-US"}}, nil), OK,
		"sherpa-onnx/big (en-US)")
	expect(t, look(nil, errBroken), Warn, "broken")
}

func TestModelsThatTellSpeakersApartMustLoadButAreNotWanted(t *testing.T) {
	look := func(models []string, err error) Check {
		return Speakers(func(context.Context) ([]string, error) { return models, err })
	}
	expect(t, look(nil, nil), OK, "none is installed")
	expect(t, look([]string{"changes", "compares"}, nil), OK, "changes and compares can be loaded")
	expect(t, look(nil, errBroken), Warn, "broken")
}

func TestOpenFilesAreJudgedByTheLimits(t *testing.T) {
	limit := func(n uint64, err error) Check { return OpenFiles(func() (uint64, error) { return n, err }) }
	expect(t, limit(leastFiles-1, nil), Fail, "1023")
	expect(t, limit(leastFiles, nil), Warn, "1024")
	expect(t, limit(goodFiles, nil), OK, "4096")
	expect(t, limit(0, errBroken), Warn, "broken")
	if n, err := FileLimit(); n == 0 || err != nil {
		t.Errorf("limit: %d, %v", n, err)
	}
}

func TestClocksThatDisagreeAreNamed(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	off := func(by time.Duration, err error) Check {
		return Clock(func() time.Time { return now }, map[string]func(context.Context) (time.Time, error){
			"the moon": func(context.Context) (time.Time, error) { return now.Add(by), err },
		})
	}
	for _, sign := range []time.Duration{1, -1} {
		expect(t, off(sign*clockAgrees, nil), OK, "2026-05-01T12:00:00Z")
		expect(t, off(sign*(clockAgrees+time.Millisecond), nil), Warn, "the moon")
		expect(t, off(sign*(clockWrong+time.Second), nil), Fail, "1m1s from the clock of the moon")
	}
	expect(t, off(time.Hour, errBroken), OK, "")
	expect(t, Clock(func() time.Time { return time.Unix(0, 0) }, nil), Fail, "January 1970")
	if at, err := FileClock(t.TempDir())(t.Context()); err != nil || time.Since(at).Abs() > time.Minute {
		t.Errorf("the file system's clock: %v, %v", at, err)
	}
}

func TestTheDataDirectoryIsProbedAndLeftAsItWas(t *testing.T) {
	dir := t.TempDir()
	expect(t, DataDirectory(dir), OK, "can be written to")
	expect(t, DataDirectory(filepath.Join(dir, "a", "b")), Warn, "does not exist yet")
	expect(t, DataDirectory("/proc/parley"), Fail, "")
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

func TestALockTellsThatAServerRuns(t *testing.T) {
	dir := t.TempDir()
	expect(t, Running(dir), OK, "no server has used")
	f, err := os.Create(filepath.Join(dir, "lock"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	expect(t, Running(dir), OK, "no server is using")
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		t.Fatalf("the check has kept the lock: %v", err)
	}
	expect(t, Running(dir), OK, "a server is using")
}

// run runs all checks of a database and returns the findings by name.
func run(t *testing.T, d *Database) map[string]Finding {
	t.Helper()
	defer d.Close()
	found := map[string]Finding{}
	for _, l := range Examine(t.Context(), d.All(), func(Line) {}) {
		found[l.Name] = l.Finding
	}
	if now, err := d.Clock(t.Context()); err != nil || !now.IsZero() && time.Since(now).Abs() > time.Minute {
		t.Errorf("clock of the database: %v, %v", now, err)
	}
	return found
}

func TestADatabaseIsNotMadeByLookingAtIt(t *testing.T) {
	url := storetest.SQLiteURL(t)
	for name, f := range run(t, &Database{URL: url}) {
		if f.State != OK {
			t.Errorf("%s: %v", name, f)
		}
	}
	if _, err := os.Stat(strings.TrimPrefix(url, "sqlite://")); !os.IsNotExist(err) {
		t.Errorf("the file: %v", err)
	}
}

func TestDeadJobsAreCounted(t *testing.T) {
	url := storetest.SQLiteURL(t)
	s := storetest.Open(t, url)
	if f := run(t, &Database{URL: url}); f["failed jobs"].State != OK || f["database"].State != OK ||
		f["database version"].State != OK {
		t.Errorf("a sound database: %v", f)
	}
	storetest.Update(t, s, func(tx *store.Tx) error { _, err := tx.Enqueue(job.Spec{Kind: "process"}); return err })
	claimed, err := s.Queue().Claim(t.Context(), job.Claims{Worker: "worker", Kinds: []string{"process"}, Most: 1})
	if err != nil || len(claimed) != 1 {
		t.Fatal(claimed, err)
	}
	if err := s.Queue().Bury(t.Context(), claimed[0], errBroken); err != nil {
		t.Fatal(err)
	}
	if f := run(t, &Database{URL: url})["failed jobs"]; f.State != Warn || !strings.Contains(f.Detail, "1 jobs") {
		t.Errorf("with a dead job: %v", f)
	}
}

func TestADatabaseWithoutTablesAndOneThatIsNoneAreTold(t *testing.T) {
	empty := storetest.SQLiteURL(t)
	s, err := store.Open(t.Context(), store.Config{URL: empty})
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	if f := run(t, &Database{URL: empty}); f["database"].State != Warn || f["database version"].State != OK {
		t.Errorf("without tables: %v", f)
	}
	file, err := sql.Open("sqlite", "file:"+strings.TrimPrefix(empty, "sqlite://"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var tables int
	if err := file.QueryRow(`SELECT COUNT(*) FROM sqlite_master`).Scan(&tables); err != nil || tables != 0 {
		t.Errorf("the examination has made %d tables (%v)", tables, err)
	}
	path := filepath.Join(t.TempDir(), "parley.db")
	if err := os.WriteFile(path, []byte(strings.Repeat("no database ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	if f := run(t, &Database{URL: "sqlite://" + path}); f["database"].State != Fail {
		t.Errorf("a file of text: %v", f)
	}
	if f := run(t, &Database{URL: "postgres://nobody@127.0.0.1:1/none?connect_timeout=2"}); f["database"].State != Fail {
		t.Errorf("nobody listens: %v", f)
	}
}

func TestADatabaseOfBeforeTheFirstVersionIsTold(t *testing.T) {
	url := storetest.SQLiteURL(t)
	storetest.Unversioned(t, url)
	f := run(t, &Database{URL: url})["database version"]
	if f.State != Fail || !strings.Contains(f.Detail, "new data directory") {
		t.Errorf("%v", f)
	}
}

func TestTheBlobStoreIsProbedAndLeftAsItWas(t *testing.T) {
	dir := t.TempDir()
	open := func(context.Context) (blob.Store, func() error, error) {
		s, err := disk.Open(disk.Config{Dir: dir})
		if err != nil {
			return nil, nil, err
		}
		return s, s.Close, nil
	}
	expect(t, Blobs(open), OK, "stores, reads and deletes")
	s, _, err := open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := s.List(t.Context(), "", func(i blob.Info) error { return errors.New("left: " + i.Key) }); err != nil {
		t.Error(err)
	}
	expect(t, Blobs(func(context.Context) (blob.Store, func() error, error) { return nil, nil, errBroken }), Fail,
		"broken")
}

func TestAMissingProgramIsNamedWithItsPackage(t *testing.T) {
	gone := &audio.Decoder{FFmpeg: "/no/ffmpeg", FFprobe: "/no/ffprobe"}
	expect(t, FFmpeg(gone), Fail, "ffmpeg")
	expect(t, Engine(func() (asr.Info, error) { return asr.Info{}, errBroken }), Fail, "broken")
	expect(t, Engine(func() (asr.Info, error) { return asr.Info{Engine: "parrot"}, nil }), OK, "parrot")
	expect(t, Pronunciations(func(string) (string, error) { return "", errBroken }), Warn, "espeak-ng")
	expect(t, Pronunciations(func(string) (string, error) { return "/bin/x", nil }), OK, "/bin/x")
}

// parrot always returns the same words.
type parrot struct {
	words string
	err   error
}

func (p parrot) Recognize(context.Context, asr.Request) (*asr.Recognition, error) {
	found := &asr.Recognition{}
	for _, w := range strings.Fields(p.words) {
		found.Words = append(found.Words, asr.Word{Text: w})
	}
	return found, p.err
}

// opens returns the first words of the sample call.
func opens(t *testing.T) string {
	turns, err := sample.Turns()
	if err != nil {
		t.Fatal(err)
	}
	return turns[0].Text
}

func TestAnEngineThatDoesNotUnderstandFails(t *testing.T) {
	d := &audio.Decoder{}
	if _, err := d.Check(t.Context()); err != nil {
		t.Fatalf("the test needs ffmpeg: apt-get install ffmpeg: %v", err)
	}
	expect(t, Recognises(parrot{words: "polly wants a cracker"}, d), Fail, "understood; expected at least")
	expect(t, Recognises(parrot{err: errBroken}, d), Fail, "broken")
	expect(t, Recognises(parrot{words: opens(t)}, d), OK, "understood")
}

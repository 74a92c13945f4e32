package powerloss_test

import (
	"bytes"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"parley/internal/host/durable"
	"parley/internal/testkit/powerloss"
)

func mount(t *testing.T) (*powerloss.Disk, string) {
	t.Helper()
	if err := powerloss.Supported(); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	d, err := powerloss.Mount(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Unmount(); err != nil {
			t.Error(err)
		}
	})
	return d, dir
}

func check(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

func TestADiskIsAFileSystemAndItsTraceLeadsToItsFiles(t *testing.T) {
	d, dir := mount(t)
	in := func(names ...string) string { return filepath.Join(append([]string{dir}, names...)...) }
	big := bytes.Repeat([]byte("0123456789"), 40_000)
	check(t, os.Mkdir(in("d"), 0o700), os.Mkdir(in("empty"), 0o700), os.WriteFile(in("d", "big"), big, 0o600),
		os.WriteFile(in("gone"), big, 0o600), os.WriteFile(in("old"), []byte("replaced"), 0o600),
		os.Rename(in("d", "big"), in("old")), os.Link(in("old"), in("d", "second")), os.Truncate(in("old"), 15),
		os.Remove(in("gone")), os.Remove(in("empty")))
	if err := os.Remove(in("d")); !errors.Is(err, syscall.ENOTEMPTY) {
		t.Errorf("a folder with a file is removed: %v", err)
	}
	f, err := os.OpenFile(in("d", "second"), os.O_APPEND|os.O_WRONLY, 0)
	check(t, err)
	_, err = f.WriteString("end")
	check(t, err, f.Close())
	trace := d.Trace()
	left := trace.After(powerloss.Loss{Instant: len(trace), Names: powerloss.All, Data: powerloss.All})
	copied := t.TempDir()
	check(t, left.WriteTo(copied, time.Unix(1, 0)))
	for _, at := range []string{dir, copied} {
		for _, path := range []string{"old", "d/second"} {
			if data, err := os.ReadFile(filepath.Join(at, path)); string(data) != "012345678901234end" {
				t.Errorf("%s has %q, %v", path, data, err)
			}
		}
		if entries, err := os.ReadDir(at); len(entries) != 2 {
			t.Errorf("%v, %v", entries, err)
		}
	}
}

func TestAFullDiskTakesNothing(t *testing.T) {
	d, dir := mount(t)
	path := filepath.Join(dir, "a")
	check(t, os.WriteFile(path, []byte("x"), 0o600))
	d.Fill(true)
	for what, err := range map[string]error{"write": os.WriteFile(path, []byte("y"), 0o600),
		"create": os.WriteFile(path+"b", nil, 0o600), "mkdir": os.Mkdir(path+"c", 0o700)} {
		if !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%s: %v", what, err)
		}
	}
	d.Fill(false)
	check(t, os.WriteFile(path, []byte("y"), 0o600))
}

func TestALossOfPowerLosesWhatWasNotSynced(t *testing.T) {
	d, dir := mount(t)
	write := func(name string, sync bool) {
		f, err := os.Create(filepath.Join(dir, name))
		check(t, err)
		_, err = f.WriteString(name)
		check(t, err)
		if sync {
			check(t, f.Sync(), durable.Folder(dir))
		}
		check(t, f.Close())
	}
	write("synced", true)
	write("not", false)
	trace := d.Trace()
	left := trace.After(powerloss.Loss{Instant: len(trace), Names: powerloss.None, Data: powerloss.None})
	if data, there := left.Read("synced"); !there || string(data) != "synced" {
		t.Errorf("what was synced is %q, %v", data, there)
	}
	if _, there := left.Read("not"); there {
		t.Error("what was not synced is there")
	}
}

// commits writes rows into a database of SQLite on a disk, and returns how many are committed at each instant.
func commits(t *testing.T, d *powerloss.Disk, path, synchronous string) (after map[int]int) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+
		"?_pragma=journal_mode(WAL)&_pragma=wal_autocheckpoint(20)&_pragma=synchronous("+synchronous+")")
	check(t, err)
	_, err = db.Exec(`CREATE TABLE row (n INTEGER PRIMARY KEY, filling BLOB)`)
	check(t, err)
	after = map[int]int{}
	for n := 1; n <= 60; n++ {
		_, err := db.Exec(`INSERT INTO row VALUES (?, randomblob(3000))`, n)
		check(t, err)
		after[d.Now()] = n
	}
	check(t, db.Close())
	return after
}

// lost returns at how many instants a database that lost power is corrupt or lacks a commit.
func lost(t *testing.T, trace powerloss.Trace, after map[int]int) (instants int) {
	t.Helper()
	seed := uint64(0)
	for instant, want := range after {
		seed++
		dir := t.TempDir()
		check(t, trace.After(powerloss.NewLoss(instant, seed)).WriteTo(dir, time.Now()))
		db, err := sql.Open("sqlite", filepath.Join(dir, "db"))
		check(t, err)
		var state string
		var rows int
		if errors.Join(db.QueryRow(`PRAGMA integrity_check`).Scan(&state),
			db.QueryRow(`SELECT COUNT(*) FROM row`).Scan(&rows)) != nil || state != "ok" || rows < want {
			instants++
		}
		check(t, db.Close())
	}
	return instants
}

func TestSQLiteLosesNothingThatItSyncedAndMuchThatItDidNot(t *testing.T) {
	for _, synchronous := range []string{"FULL", "OFF"} {
		d, dir := mount(t)
		after := commits(t, d, filepath.Join(dir, "db"), synchronous)
		bad := lost(t, d.Trace(), after)
		t.Logf("synchronous=%s: %d of %d instants", synchronous, bad, len(after))
		if synchronous == "FULL" && bad > 0 || synchronous == "OFF" && bad < len(after)/4 {
			t.Errorf("synchronous=%s: %d of %d losses of power left too little", synchronous, bad, len(after))
		}
	}
}

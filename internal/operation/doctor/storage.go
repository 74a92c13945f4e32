package doctor

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"parley/internal/storage/blob"
	"parley/internal/storage/job"
	"parley/internal/storage/store"
	"parley/internal/words/cipher"
	"parley/internal/words/fault"
)

// Database is the database under examination. Its checks run in the order of All.
type Database struct {
	URL     string // for store.Open
	KeyFile string // path of the storage keys; empty without them
	Keys    func() (*cipher.Ring, error)

	store *store.Store
	keys  *cipher.Ring
}

// All returns the checks of the database.
func (d *Database) All() []Check {
	return []Check{{"database", d.open}, {"database version", d.opened(d.version)}, {"failed jobs", d.opened(d.dead)},
		{"index of calls", d.current(d.index)}, {"storage keys", d.storageKeys}}
}

// opened is a check that needs an open database.
func (d *Database) opened(check func(context.Context) Finding) func(context.Context) Finding {
	return func(ctx context.Context) Finding {
		if d.store == nil {
			return ok("not checked: there is no database yet, or it does not answer")
		}
		return check(ctx)
	}
}

// current is a check that needs a database with tables that this program can use.
func (d *Database) current(check func(context.Context) Finding) func(context.Context) Finding {
	return d.opened(func(ctx context.Context) Finding {
		if s, err := d.store.Schema(ctx); err != nil || s.Version < s.Known || s.Usable() != nil {
			return ok("not checked: this program cannot use the tables of the database")
		}
		return check(ctx)
	})
}

// Close closes the connection, if there is one.
func (d *Database) Close() {
	if d.store != nil {
		d.store.Close()
	}
}

// missing is the finding of all checks if the database does not exist yet.
func (d *Database) missing() (Finding, bool) {
	path, sqlite := strings.CutPrefix(d.URL, "sqlite://")
	if !sqlite {
		return Finding{}, false
	}
	_, err := os.Stat(path)
	return ok("does not exist yet; the first start creates it"), os.IsNotExist(err)
}

func (d *Database) open(ctx context.Context) Finding {
	if f, yes := d.missing(); yes {
		return f
	}
	remedy := "check that the database server runs, and that --database has the right host, user and password"
	if strings.HasPrefix(d.URL, "sqlite:") {
		remedy = "run doctor as the server's user; if the file is damaged, restore a backup with: parley restore"
	}
	if d.Keys != nil {
		d.keys, _ = d.Keys() // the check of storage keys reports errors
	}
	s, err := store.Open(ctx, store.Config{URL: d.URL, Connections: 2, StorageKeys: d.keys})
	if err != nil {
		return fail(remedy, "%v", err)
	}
	d.store = s
	began := time.Now()
	if made, err := s.Made(ctx); err != nil {
		return fail(remedy, "%v", err)
	} else if !made { // no other check opens it, which would create tables
		s.Close()
		d.store = nil
		return warn("start the server, which creates them; or run: parley migrate --create",
			"it answers, but has no tables yet")
	}
	if err := s.Ping(ctx); err != nil {
		return fail(remedy, "%v", err)
	}
	return ok("answers and can be written to (%s)", time.Since(began).Round(time.Millisecond))
}

func (d *Database) version(ctx context.Context) Finding {
	s, err := d.store.Schema(ctx)
	switch {
	case fault.Is(err, fault.Conflict):
		return fail("name another database with --data or --database", "%v", err)
	case err != nil:
		return fail("see the database above", "%v", err)
	case s.Usable() != nil:
		return fail("use the newer program that migrated it",
			"it has version %d, which programs for version %d or later can use; this program supports %d",
			s.Version, s.Needs, s.Known)
	case s.Version > s.Known:
		return ok("%d, of a newer program; this one, for version %d, can use it as well", s.Version, s.Known)
	case s.Version < s.Known:
		return warn("run: parley migrate; or start the server, which does the same",
			"it has version %d, this program needs %d", s.Version, s.Known)
	}
	return ok("%d, as required", s.Version)
}

func (d *Database) dead(ctx context.Context) Finding {
	counts, err := d.store.Queue().Counts(ctx, "")
	if err != nil {
		return fail("see the database above", "%v", err)
	}
	dead, waiting := int64(0), int64(0)
	for _, c := range counts {
		switch c.State {
		case job.Dead:
			dead += c.Jobs
		case job.Ready:
			waiting += c.Jobs
		}
	}
	if dead > 0 {
		return warn("see why with: parley queue list --state dead; then run them again with: parley queue requeue --all",
			"%d jobs have failed permanently", dead)
	}
	return ok("none; %d jobs are waiting", waiting)
}

// manyWaiting is how many recordings of an account may wait for the index until questions are refused.
const manyWaiting = 2000

func (d *Database) index(ctx context.Context) Finding {
	s, err := store.Read(ctx, d.store, (*store.Tx).IndexSummary)
	switch {
	case err != nil:
		return fail("see the database above", "%v", err)
	case s.Lost > 0:
		return warn("nothing: a server with workers builds them again; if this stays, its log says why it cannot",
			"%d of %d segments are missing in the storage, or corrupt; queries of their accounts get 503", s.Lost, s.Segments)
	case s.Waiting > manyWaiting:
		return warn("check that a server with workers runs; its log says why it cannot index",
			"%d recordings wait for it; queries of an account for which more than %d wait get 503", s.Waiting, manyWaiting)
	}
	return ok("%d recordings in %d segments; %d others are read from the database", s.Calls, s.Segments, s.Waiting)
}

// Clock returns the time of the database's clock; zero if the database does not answer.
func (d *Database) Clock(ctx context.Context) (time.Time, error) {
	if d.store == nil {
		return time.Time{}, nil
	}
	return d.store.Clock(ctx)
}

// probe is the key of the blob that Blobs stores and deletes.
const probe = "doctor/probe"

// Blobs checks that recordings can be stored, read and deleted.
func Blobs(open func(context.Context) (blob.Store, func() error, error)) Check {
	return Check{"recordings' storage", func(ctx context.Context) Finding {
		const remedy = "check the rights on the folder, or the bucket's name, region, endpoint and credentials " +
			"(--blobs, AWS_*)"
		began := time.Now()
		if err := roundTrip(ctx, open); err != nil {
			return fail(remedy, "%v", err)
		}
		return ok("stores, reads and deletes (%s)", time.Since(began).Round(time.Millisecond))
	}}
}

func roundTrip(ctx context.Context, open func(context.Context) (blob.Store, func() error, error)) error {
	s, closeStore, err := open(ctx)
	if err != nil {
		return err
	}
	defer closeStore()
	if _, err := s.Put(ctx, probe, strings.NewReader(probe)); err != nil {
		return err
	}
	defer s.Delete(context.WithoutCancel(ctx), probe)
	info, err := s.Stat(ctx, probe)
	if err != nil {
		return err
	}
	if info.Size != int64(len(probe)) {
		return fmt.Errorf("a blob of %d bytes came back with %d", len(probe), info.Size)
	}
	return s.Delete(ctx, probe)
}

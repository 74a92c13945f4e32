package doctor

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"parley/internal/operation/orphan"
	"parley/internal/storage/blob"
)

// Orphans compares the stored blobs with the rows that name them.
type Orphans struct {
	Database *Database // its checks must have run
	Open     func(context.Context) (blob.Store, func() error, error)
	Grace    time.Duration // see orphan.Scan
	Repair   bool          // repair what is found
	Many     bool          // even if that is more than a tenth of everything
}

// Check returns the check that compares, and repairs if Repair is set.
func (o *Orphans) Check() Check { return Check{Name: "bytes and rows", Run: o.Database.current(o.run)} }

func (o *Orphans) run(ctx context.Context) Finding {
	blobs, closeBlobs, err := o.Open(ctx)
	if err != nil {
		return fail("see the recordings' storage above", "%v", err)
	}
	defer closeBlobs()
	scan := &orphan.Scan{Store: o.Database.store, Blobs: blobs, Grace: o.Grace}
	found, err := scan.Find(ctx)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return warn("run: parley doctor --repair, which has no time limit",
			"there are too many to compare within %s", patience)
	case err != nil:
		return fail("see database and recordings' storage above", "%v", err)
	case len(found.Blobs)+len(found.Rows) == 0:
		return ok("%d stored files and %d streams match%s", found.Stored, found.Streams, recent(found))
	case !o.Repair:
		return warn("run: parley doctor --repair, while the server runs or not", "%s", describe(found))
	case found.Many() && !o.Many:
		return fail("check that --database and --blobs belong together; if so, and if no backup has the files, run: parley "+
			"doctor --repair --many",
			"nothing was repaired, since more than a tenth of everything is affected: %s", describe(found))
	}
	done, err := scan.Repair(ctx, found)
	if err != nil {
		return fail("run it again", "%s; repaired before the failure: %s: %v", describe(found), repairs(done), err)
	}
	return ok("%s; repaired: %s", describe(found), repairs(done))
}

func recent(f *orphan.Findings) string {
	if f.Young == 0 {
		return ""
	}
	return fmt.Sprintf("; %d recent files may belong to uploads in progress", f.Young)
}

// mostNamed is how many of the findings are listed by name.
const mostNamed = 10

// describe describes what was found, naming the first few.
func describe(f *orphan.Findings) string {
	var parts, names []string
	if n := len(f.Blobs); n > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d stored files (%.1f MB) belong to no recording", n, f.Stored,
			float64(f.Bytes())/1e6))
		for _, b := range f.Blobs[:min(n, mostNamed)] {
			names = append(names, b.Key)
		}
	}
	if n := len(f.Rows); n > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d streams have lost their file", n, f.Streams))
		for _, r := range f.Rows[:min(n, mostNamed)] {
			names = append(names, "media "+string(r.Media)+" "+r.Name)
		}
	}
	more := ""
	if len(f.Blobs) > mostNamed || len(f.Rows) > mostNamed {
		more = ", …"
	}
	return strings.Join(parts, "; ") + " (" + strings.Join(names, ", ") + more + ")"
}

func repairs(m orphan.Repairs) string {
	return fmt.Sprintf("%d files deleted, %d streams removed from their recordings", m.Blobs, m.Rows)
}

// Leftovers looks for temporary files of processes that have died. list returns the folders, and removes them if remove
// is set; a server does so when it starts.
func Leftovers(list func(remove bool) (folders []string, err error), repair bool) Check {
	return Check{Name: "temporary files", Run: func(context.Context) Finding {
		folders, err := list(repair)
		switch {
		case err != nil:
			return fail("run doctor as the server's user", "%v", err)
		case len(folders) == 0:
			return ok("no dead process has left any")
		case repair:
			return ok("removed %d folders of dead processes", len(folders))
		}
		return warn("start the server, which removes them, or run: parley doctor --repair",
			"%d folders of dead processes: %s", len(folders), strings.Join(folders, ", "))
	}}
}

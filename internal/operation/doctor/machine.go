//go:build unix

package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"parley/internal/host/filelock"
)

// Minimum values for a healthy machine.
const (
	leastRoom   = 256 << 20 // bytes; with less, a server refuses uploads
	goodRoom    = 5 << 30
	leastSyncs  = 100 // per second
	leastFiles  = 1024
	goodFiles   = 4096
	clockAgrees = 2 * time.Second
	clockWrong  = time.Minute
)

// Existing returns dir, or its nearest ancestor that exists: the folder in which a data directory would be created.
func Existing(dir string) string {
	for {
		if info, err := os.Stat(dir); err == nil && info.IsDir() || dir == filepath.Dir(dir) {
			return dir
		}
		dir = filepath.Dir(dir)
	}
}

// DataDirectory checks that the data directory, or the folder in which it will be created, is writable.
func DataDirectory(dir string) Check {
	return Check{"data directory", func(context.Context) Finding {
		at := Existing(dir)
		f, err := os.CreateTemp(at, ".doctor-*")
		if err != nil {
			return fail(fmt.Sprintf("allow the server's user to write there (chown, chmod), name another "+
				"folder with --data, or check whether %s is mounted read-only", at), "%v", err)
		}
		f.Close()
		os.Remove(f.Name())
		if at != dir {
			return warn("if the server has run before, name its folder with --data",
				"%s does not exist yet; the first start creates it", dir)
		}
		return ok("%s can be written to", dir)
	}}
}

// Room checks the free disk space.
func Room(free func() (uint64, error)) Check {
	return Check{"disk space", func(context.Context) Finding {
		const remedy = "free some space, move the data directory to a larger disk, or let media expire with --time-to-live"
		n, err := free()
		switch {
		case err != nil:
			return fail(remedy, "%v", err)
		case n < leastRoom:
			return fail(remedy, "%d MB are free: uploads are refused", n>>20)
		case n < goodRoom:
			return warn(remedy, "only %.1f GB are free", float64(n)/1e9)
		}
		return ok("%.0f GB are free", float64(n)/1e9)
	}}
}

// Free returns the bytes that a user may still write to the file system of a folder.
func Free(dir string) (uint64, error) {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return 0, fmt.Errorf("ask for the free space of %s: %w", dir, err)
	}
	return st.Bavail * uint64(st.Bsize), nil
}

// Syncs checks how many files per second the disk can sync, one after another.
func Syncs(measure func() (float64, error)) Check {
	return Check{"disk speed", func(context.Context) Finding {
		const remedy = "uploads are acknowledged when they are on the disk: use an SSD, not a network or USB disk, " +
			"for the data directory"
		rate, err := measure()
		switch {
		case err != nil:
			return fail(remedy, "%v", err)
		case rate < leastSyncs:
			return warn(remedy, "%.0f durable writes per second", rate)
		}
		return ok("%.0f durable writes per second", rate)
	}}
}

// OpenFiles checks the limit of open files.
func OpenFiles(limit func() (uint64, error)) Check {
	return Check{"open files", func(context.Context) Finding {
		const remedy = "raise the limit: LimitNOFILE=65536 in the systemd unit, or ulimit -n 65536"
		n, err := limit()
		switch {
		case err != nil:
			return warn(remedy, "%v", err)
		case n < leastFiles:
			return fail(remedy, "at most %d files may be open at once, %d are needed", n, leastFiles)
		case n < goodFiles:
			return warn(remedy, "at most %d files may be open at once: enough only for a few clients", n)
		}
		return ok("%d may be open at once", n)
	}}
}

// FileLimit is this process's limit of open files.
func FileLimit() (uint64, error) {
	var l unix.Rlimit
	err := unix.Getrlimit(unix.RLIMIT_NOFILE, &l)
	return l.Cur, err
}

// Clock compares this machine's clock with others. It skips a clock that returns the zero time.
func Clock(now func() time.Time, others map[string]func(context.Context) (time.Time, error)) Check {
	return Check{"clock", func(ctx context.Context) Finding {
		const remedy = "set the clocks with NTP: timedatectl set-ntp true; the expiry of tokens, signed URLs and " +
			"recordings depends on them"
		if now().Year() < 2025 {
			return fail(remedy, "the clock shows %s, which is wrong", now().UTC().Format("January 2006"))
		}
		for name, other := range others {
			before := now()
			theirs, err := other(ctx)
			after := now()
			if err != nil || theirs.IsZero() {
				continue // another check reports why
			}
			off := max(before.Sub(theirs), theirs.Sub(after), 0)
			if off > clockWrong {
				return fail(remedy, "the clock differs by %s from the clock of %s", off.Round(time.Second), name)
			}
			if off > clockAgrees {
				return warn(remedy, "the clock differs by %s from the clock of %s", off.Round(time.Millisecond), name)
			}
		}
		return ok("%s, and all clocks agree", now().UTC().Format(time.RFC3339))
	}}
}

// FileClock returns the clock of a folder's file system, which may be on another machine.
func FileClock(dir string) func(context.Context) (time.Time, error) {
	return func(context.Context) (time.Time, error) {
		f, err := os.CreateTemp(dir, ".doctor-*")
		if err != nil {
			return time.Time{}, err
		}
		defer os.Remove(f.Name())
		defer f.Close()
		if _, err := f.WriteString("clock"); err != nil {
			return time.Time{}, err
		}
		info, err := f.Stat()
		if err != nil {
			return time.Time{}, err
		}
		return info.ModTime(), nil
	}
}

// Running reports whether a server's workers run on a data directory: they hold a lock.
func Running(dir string) Check {
	return Check{"server", func(context.Context) Finding {
		lock := filepath.Join(dir, "lock")
		if _, err := os.Stat(lock); errors.Is(err, fs.ErrNotExist) {
			return ok("no server has used this data directory yet")
		}
		held, err := filelock.Held(lock)
		if err != nil {
			return warn("run doctor as the server's user", "%v", err)
		}
		if held {
			return ok("a server is using this data directory")
		}
		return ok("no server is using this data directory")
	}}
}

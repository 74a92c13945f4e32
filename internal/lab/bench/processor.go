package bench

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// tick is the unit of CPU time in /proc (USER_HZ), which is the same on all Linux systems.
const tick = 10 * time.Millisecond

// ChildrenTime returns the CPU time that the running children of this process have used so far. It needs Linux.
func ChildrenTime() (time.Duration, error) {
	files, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return 0, err
	}
	var all time.Duration
	for _, name := range files {
		stat, err := os.ReadFile(name)
		if err != nil {
			continue // it has just ended
		}
		used, err := childTime(stat, os.Getpid())
		if err != nil {
			return 0, fmt.Errorf("%s: %w", name, err)
		}
		all += used
	}
	return all, nil
}

// childTime returns the CPU time from a process's stat file (proc(5)), or 0 if the process is not a child of parent.
func childTime(stat []byte, parent int) (time.Duration, error) {
	rest := stat[bytes.LastIndexByte(stat, ')')+1:] // the name before it may contain any character
	fields := bytes.Fields(rest)
	const ppid, user, system = 1, 11, 12
	if len(fields) <= system {
		return 0, fmt.Errorf("unreadable: %q", stat)
	}
	if string(fields[ppid]) != strconv.Itoa(parent) {
		return 0, nil
	}
	var ticks int64
	for _, f := range [][]byte{fields[user], fields[system]} {
		n, err := strconv.ParseInt(string(f), 10, 64)
		if err != nil {
			return 0, err
		}
		ticks += n
	}
	return time.Duration(ticks) * tick, nil
}

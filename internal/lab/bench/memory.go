package bench

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
)

// Memory is the resident memory of a process, in bytes.
type Memory struct {
	Now       int64 // resident
	Peak      int64 // maximum since the start or since ForgetPeak
	Anonymous int64 // the part of Now that is not of files
}

// MemoryOf reads a process's memory. It needs Linux.
func MemoryOf(pid int) (m Memory, err error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return m, fmt.Errorf("memory of process %d: %w", pid, err)
	}
	if m.Now, err = kilobytes(status, "VmRSS:"); err == nil {
		m.Peak, err = kilobytes(status, "VmHWM:")
	}
	if err == nil {
		m.Anonymous, err = kilobytes(status, "RssAnon:")
	}
	return m, err
}

func kilobytes(status []byte, name string) (int64, error) {
	for line := range bytes.Lines(status) {
		fields := bytes.Fields(line)
		if len(fields) == 3 && string(fields[0]) == name {
			n, err := strconv.ParseInt(string(fields[1]), 10, 64)
			return n << 10, err
		}
	}
	return 0, fmt.Errorf("the kernel does not report %s of a process", name)
}

// ForgetPeak resets a process's peak to its current memory.
func ForgetPeak(pid int) error {
	return os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", pid), []byte("5"), 0)
}

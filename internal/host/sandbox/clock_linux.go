package sandbox

import (
	"bytes"
	"fmt"
	"os"
	"time"
)

// usageOf reads the usage of the threads of a process; threads that have ended are not included.
func usageOf(pid int) (u usage) {
	folder := fmt.Sprintf("/proc/%d/task/", pid)
	threads, err := os.ReadDir(folder)
	if err != nil {
		return usage{}
	}
	for _, t := range threads {
		line, err := os.ReadFile(folder + t.Name() + "/schedstat")
		if err != nil {
			continue
		}
		var ran, waited int64 // nanoseconds
		if _, err := fmt.Sscan(string(line), &ran, &waited); err != nil {
			continue
		}
		u.known = true
		u.ran += time.Duration(ran)
		u.waited += time.Duration(waited)
		u.waits = u.waits || waits(folder+t.Name()+"/stat")
	}
	return u
}

// waits reports whether a thread runs, or waits for a processor or a disk. The state follows the name, which is in
// parentheses and may itself contain parentheses.
func waits(path string) bool {
	line, err := os.ReadFile(path)
	if err != nil {
		return false
	}
	end := bytes.LastIndexByte(line, ')')
	return end >= 0 && len(line) > end+2 && (line[end+2] == 'R' || line[end+2] == 'D')
}

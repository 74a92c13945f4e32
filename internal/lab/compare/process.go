package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// anonymous returns the anonymous memory of a process in bytes, which excludes mapped files. It needs Linux.
func anonymous(pid int) (int64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	for line := range bytes.Lines(status) {
		if fields := bytes.Fields(line); len(fields) == 3 && string(fields[0]) == "RssAnon:" {
			n, err := strconv.ParseInt(string(fields[1]), 10, 64)
			return n << 10, err
		}
	}
	return 0, fmt.Errorf("the kernel does not report the anonymous memory of process %d", pid)
}

// tick is the unit of CPU time in /proc (USER_HZ), which is the same on all Linux systems.
const tick = 10 * time.Millisecond

// Fields of a process's stat file after its name, from 0 (proc(5)).
const (
	statParent  = 1
	statUser    = 11 // the first of utime, stime, cutime and cstime
	statReaped  = 13 // cutime
	statAllTime = 15
)

// statOf returns the fields of a process's stat file after its name.
func statOf(pid int) ([]int64, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return nil, err
	}
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:]) // the name may contain any character
	if len(fields) < statAllTime {
		return nil, fmt.Errorf("unreadable stat file of process %d", pid)
	}
	numbers := make([]int64, statAllTime)
	for i := 1; i < statAllTime; i++ {
		if numbers[i], err = strconv.ParseInt(string(fields[i]), 10, 64); err != nil {
			return nil, err
		}
	}
	return numbers, nil
}

// familyTime returns the CPU time that a process and its children have used so far, including children that have ended.
func familyTime(parent int) (time.Duration, error) {
	own, err := statOf(parent)
	if err != nil {
		return 0, err
	}
	ticks := sum(own[statUser:statAllTime])
	names, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return 0, err
	}
	for _, name := range names {
		pid, err := strconv.Atoi(filepath.Base(name))
		if err != nil {
			continue
		}
		child, err := statOf(pid)
		if err == nil && child[statParent] == int64(parent) { // an error: it has just ended
			ticks += sum(child[statUser:statReaped])
		}
	}
	return time.Duration(ticks) * tick, nil
}

func sum(numbers []int64) (n int64) {
	for _, x := range numbers {
		n += x
	}
	return n
}

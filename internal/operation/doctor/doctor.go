// Package doctor examines what a server needs and says, for each problem, how to mend it.
//
// Checks are values: a name and a function that finds. The package changes nothing on the machine but for
// probes that it takes away again and what Orphans and Leftovers are told to mend, and it knows nothing of how findings
// are shown.
package doctor

import (
	"context"
	"fmt"
	"time"
)

// State is how a check went.
type State string

// The states.
const (
	OK   State = "ok"
	Warn State = "warn" // the server works, with less
	Fail State = "fail" // the server cannot work
)

// Finding is what a check found. Remedy is empty where State is OK.
type Finding struct {
	State  State
	Detail string
	Remedy string
}

// Check is one thing to look at.
type Check struct {
	Name string
	Run  func(context.Context) Finding
}

// Line is a check with its finding.
type Line struct {
	Name string
	Finding
}

// patience is how long one check may take.
const patience = time.Minute

// Examine runs checks one after another and shows each line when it is there.
func Examine(ctx context.Context, checks []Check, show func(Line)) []Line {
	var lines []Line
	for _, c := range checks {
		limited, cancel := context.WithTimeout(ctx, patience)
		line := Line{c.Name, c.Run(limited)}
		cancel()
		show(line)
		lines = append(lines, line)
	}
	return lines
}

// Take runs one more check, which may take as long as it needs, and returns all lines.
func Take(ctx context.Context, lines []Line, c Check, show func(Line)) []Line {
	line := Line{c.Name, c.Run(ctx)}
	show(line)
	return append(lines, line)
}

// Healthy reports whether nothing failed.
func Healthy(lines []Line) bool {
	for _, l := range lines {
		if l.State == Fail {
			return false
		}
	}
	return true
}

func ok(detail string, args ...any) Finding {
	return Finding{State: OK, Detail: fmt.Sprintf(detail, args...)}
}

func warn(remedy, detail string, args ...any) Finding {
	return Finding{Warn, fmt.Sprintf(detail, args...), remedy}
}

func fail(remedy, detail string, args ...any) Finding {
	return Finding{Fail, fmt.Sprintf(detail, args...), remedy}
}

// Package doctor examines what a server needs and says how to fix each problem.
//
// A check is a value: a name and a function that returns a finding. The package changes nothing on the machine except
// probes, which it removes, and what Orphans and Leftovers are told to repair. It does not know how findings are
// displayed.
package doctor

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// State is the outcome of a check.
type State string

// Values of State.
const (
	OK   State = "ok"
	Warn State = "warn" // the server works, with limitations
	Fail State = "fail" // the server cannot work
)

// Finding is the result of a check. Remedy is empty if State is OK.
type Finding struct {
	State  State  `json:"state"`
	Detail string `json:"detail"`
	Remedy string `json:"remedy,omitempty"`
}

// Check is one check.
type Check struct {
	Name string
	Run  func(context.Context) Finding
}

// Line is a check with its finding.
type Line struct {
	Name string `json:"check"`
	Finding
}

// patience is the time limit of one check.
const patience = time.Minute

// Examine runs checks one after another and shows each line as soon as it is known.
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

// Take runs one more check, without a time limit, and returns all lines.
func Take(ctx context.Context, lines []Line, c Check, show func(Line)) []Line {
	line := Line{c.Name, c.Run(ctx)}
	show(line)
	return append(lines, line)
}

// Healthy reports whether no check failed.
func Healthy(lines []Line) bool {
	return !slices.ContainsFunc(lines, func(l Line) bool { return l.State == Fail })
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

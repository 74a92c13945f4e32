package main

import (
	"context"
	"fmt"
	"os"
)

// each does something with one of what is named after the other, tells with which it failed and why, and returns the
// others. An interrupt ends it.
func each(ctx context.Context, names []string, do func(name string) error) (done []string, err error) {
	for _, name := range names {
		err := do(name)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
			continue
		}
		done = append(done, name)
	}
	return done, nil
}

// recordingsDone tells how many recordings failed; it returns errFailed where any did.
func recordingsDone(done, all int) error {
	if done == all {
		return nil
	}
	fmt.Fprintf(os.Stderr, "%d of %d recordings failed\n", all-done, all)
	return errFailed
}

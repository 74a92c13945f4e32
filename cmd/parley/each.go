package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"parley/internal/terminal/client"
)

// sharedError is an error that every further name would have, too.
type sharedError struct{ error }

func (e sharedError) Unwrap() error { return e.error }

// each does something with one name after the other, prints why it failed with some, and returns the others. It ends
// with an interrupt, and with a failure that all further names would share.
func each(ctx context.Context, names []string, do func(name string) error) (done []string, err error) {
	for i, name := range names {
		err := do(name)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err == nil {
			done = append(done, name)
			continue
		}
		fmt.Fprintf(os.Stderr, "%s: %s\n", name, explain(err))
		_, away := errors.AsType[*client.Away](err)
		_, shared := errors.AsType[sharedError](err)
		if left := len(names) - i - 1; left > 0 && (away || shared) {
			fmt.Fprintf(os.Stderr, "parley: the other %d are not tried, since they would fail in the same way\n", left)
			break
		}
	}
	return done, nil
}

// every does something with one recording after the other; it returns errFailed where it failed with any of several.
// With lines, standard output has a line of JSON for each of these, too.
func every(ctx context.Context, ids []string, lines bool, do func(id string) error) error {
	if len(ids) == 1 {
		return do(ids[0])
	}
	done, err := each(ctx, ids, func(id string) error {
		err := do(id)
		if err != nil && lines && ctx.Err() == nil {
			json.NewEncoder(os.Stdout).Encode(resultLine{MediaID: id, Status: "failed", Error: explain(err)})
		}
		return err
	})
	if err != nil {
		return err
	}
	return recordingsDone(len(done), len(ids))
}

// recordingsDone prints how many recordings failed; it returns errFailed where any did.
func recordingsDone(done, all int) error {
	if done == all {
		return nil
	}
	fmt.Fprintf(os.Stderr, "%d of %s failed\n", all-done, many(all, "recording"))
	return errFailed
}

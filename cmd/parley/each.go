package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"parley/internal/terminal/client"
)

// sharedError is an error that would recur for every further name.
type sharedError struct{ error }

func (e sharedError) Unwrap() error { return e.error }

// each calls do for each name, prints the errors of those that fail, and returns the others. It stops on an interrupt,
// and on an error that all further names would share.
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
		_, away := errors.AsType[*client.Unavailable](err)
		_, shared := errors.AsType[sharedError](err)
		if left := len(names) - i - 1; left > 0 && (away || shared) {
			fmt.Fprintf(os.Stderr, "parley: skipping %d more, which would fail in the same way\n", left)
			break
		}
	}
	return done, nil
}

// every calls do for each recording; it returns errFailed if any of several failed. If lines is set, it also prints a
// line of JSON to standard output for each failure.
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

// everyTable asks a server about each recording, and prints one table of all answers, or each answer unchanged.
func everyTable[T any](
	ctx context.Context, ids []string, unchanged bool, ask func(id string) ([]byte, error), rows func(T) [][]any,
	heading ...any,
) error {
	all := [][]any{heading}
	err := every(ctx, ids, unchanged, func(id string) error {
		body, err := ask(id)
		if err != nil || unchanged {
			return printBody(body, err)
		}
		answer, err := read[T](body)
		all = append(all, rows(answer)...)
		return err
	})
	if unchanged || err != nil && len(all) == 1 {
		return err
	}
	return errors.Join(table(all), err)
}

// recordingsDone prints how many recordings failed; it returns errFailed if any did.
func recordingsDone(done, all int) error {
	if done == all {
		return nil
	}
	fmt.Fprintf(os.Stderr, "%d of %s failed\n", all-done, many(all, "recording"))
	return errFailed
}

package eval

import (
	"context"
	"fmt"
	"strings"
)

// Failures lists the recordings that could not be measured, with the reasons. Functions return it together with the
// results of the others.
type Failures struct {
	All   int     // recordings
	Which []error // each with the path
}

// Error returns a line per recording.
func (f *Failures) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d of %d recordings could not be measured and are not in the figures", len(f.Which), f.All)
	for _, err := range f.Which {
		fmt.Fprintf(&b, "\n  %v", err)
	}
	return b.String()
}

// each measures recordings one after the other. It continues after a failed recording and stops when ctx ends. The
// error is that of ctx, or Failures.
func each(ctx context.Context, recordings []Recording, measure func(Recording) error) error {
	failed := &Failures{All: len(recordings)}
	for _, r := range recordings {
		err := measure(r)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err != nil {
			failed.Which = append(failed.Which, fmt.Errorf("%s: %w", r.Path, err))
		}
	}
	if failed.Which == nil {
		return nil
	}
	return failed
}

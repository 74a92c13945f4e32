package eval

import (
	"context"
	"fmt"
	"strings"
)

// Failed names the recordings that could not be measured, with the reasons. It comes with what the others gave.
type Failed struct {
	All   int     // recordings
	Which []error // each with the path
}

// Error has a line for each recording.
func (f *Failed) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d of %d recordings could not be measured and are not in the figures", len(f.Which), f.All)
	for _, err := range f.Which {
		fmt.Fprintf(&b, "\n  %v", err)
	}
	return b.String()
}

// each measures recordings one after the other. One that fails does not end it, the end of ctx does; the error is that
// of ctx, or a Failed.
func each(ctx context.Context, recordings []Recording, measure func(Recording) error) error {
	failed := &Failed{All: len(recordings)}
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

package columnar

import (
	"context"
	"errors"
)

// unloaded is the error of work that needs the words of a part, which are not open. Opening them may need a download,
// so it is done outside of a place for work.
type unloaded struct{ part *part }

func (*unloaded) Error() string { return "analytics: the words of a segment are not open" }

// mostAhead is how many parts are loaded at once by work that reads one after the other.
const mostAhead = 8

// loading runs work like q.work. When it needs the words of a part, they are opened, and it is run again. So it must go
// on where it was, or begin again. ahead returns parts that it reads next; it may be nil.
func (q *question) loading(ctx context.Context, f func(stop) error, ahead func() []*part) error {
	for most := 1; ; most = min(2*most, mostAhead) {
		err := q.work(ctx, f)
		needs, ok := errors.AsType[*unloaded](err)
		if !ok {
			return err
		}
		parts := []*part{needs.part}
		if ahead != nil {
			next := ahead()
			parts = append(parts, next[:min(len(next), most-1)]...)
		}
		if err := q.x.Calls.Load(ctx, q.owner, parts...); err != nil {
			return err
		}
	}
}

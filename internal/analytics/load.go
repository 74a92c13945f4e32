package analytics

import (
	"iter"
	"os"

	"parley/internal/account"
	"parley/internal/analytics/segment"
)

// Load puts calls that no database has into an index without a store, for measurements: segments of the usual size. An
// id must not come twice.
func (x *Index) Load(a account.ID, calls iter.Seq[*segment.Draft]) error {
	s := x.shelf(a)
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return err
	}
	var b segment.Builder
	for d := range calls {
		if err := b.Add(d); err != nil {
			return err
		}
		if b.Len() == segment.MaxCalls {
			if err := s.flush(&b); err != nil {
				return err
			}
		}
	}
	return s.flush(&b)
}

package callindex

import (
	"context"
	"time"

	"parley/internal/storage/job"
	"parley/internal/words/account"
)

// SetLimits sets how many waiting or touched calls are worth a segment or new values of one, how many a question reads
// from the database, and how many segments of similar size are merged.
func (x *Index) SetLimits(least, few, together int) {
	x.least, x.leastTouched, x.few, x.together = least, least, few, together
}

// SetTurn sets how long a job works before it queues again.
func (x *Index) SetTurn(turn time.Duration) { x.turn = turn }

// Step does one step of a job, and reports whether there may be more. purge rewrites segments with deleted calls, as
// when their tombstones are old.
func (x *Index) Step(ctx context.Context, j job.Job, purge bool) (bool, error) {
	w := &work{Index: x, job: j, account: account.ID(j.Account), purge: purge}
	return w.step(ctx)
}

// SetMostOpened sets how many segments are kept open.
func (x *Index) SetMostOpened(most int64) { x.mostOpened = most }

// Opened returns how many segments are open, as it was counted and as it is.
func (x *Index) Opened() (counted, there int) {
	for _, d := range x.desks {
		there += len(d.open)
	}
	return int(x.opened.Load()), there
}

package callindex

import (
	"context"
	"time"

	"parley/internal/storage/job"
	"parley/internal/words/account"
)

// SetLimits sets how many waiting calls are worth a segment, how many a question reads from the database, and how many
// segments of similar size are merged.
func (x *Index) SetLimits(least, few, together int) {
	x.least, x.few, x.together = least, few, together
}

// SetTurn sets how long a job works before it queues again.
func (x *Index) SetTurn(turn time.Duration) { x.turn = turn }

// Step does one step of a job, and reports whether there may be more. purge rewrites segments with deleted calls, as
// when their tombstones are old.
func (x *Index) Step(ctx context.Context, j job.Job, purge bool) (bool, error) {
	w := &work{Index: x, job: j, account: account.ID(j.Account), purge: purge}
	return w.step(ctx)
}

// SetApart sets whether new segments have their values in a file of their own.
func (x *Index) SetApart(apart bool) { x.apart = apart }

package store

import (
	"time"

	"github.com/google/uuid"

	"parley/internal/storage/job"
	"parley/internal/storage/sqlrow"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// Statuses of a Run.
const (
	ApplyRunning  = "running"
	ApplyFinished = "finished"
	ApplyFailed   = "failed"
)

// Run is how far a job is that goes through many rows of an account, page by page: each page and the progress up to it
// are one transaction.
type Run struct {
	ID                string
	Account           account.ID
	Status            string
	Total             int64 // number of rows at the start
	Done              int64
	Started, Finished time.Time
}

// Apply is the evaluation of a category on all items published before.
type Apply struct {
	Run
	Category  string
	Condition string // as of the request
	Matched   int64
	Place     media.ID // the last evaluated item
}

const applyColumns = `id, account, category, condition, status, total, done, matched, place, started, finished`

func scanApply(row sqlrow.Row) (a Apply, err error) {
	err = row.Scan(&a.ID, &a.Account, &a.Category, &a.Condition, &a.Status, &a.Total, &a.Done, &a.Matched, &a.Place,
		instant{&a.Started}, instant{&a.Finished})
	return a, err
}

// BeginApply records a request to evaluate a category again; the caller adds the job. Conflict while the previous one
// is in progress.
func (tx *Tx) BeginApply(owner account.ID, category, condition string) (Apply, error) {
	now, err := tx.now()
	if err != nil {
		return Apply{}, err
	}
	total, err := tx.CountAnalytic(owner)
	if err != nil {
		return Apply{}, err
	}
	if err := tx.exec(`DELETE FROM category_apply WHERE account = $1 AND category = $2 AND status <> 'running'`,
		owner, category); err != nil {
		return Apply{}, err // only the latest request is kept
	}
	return one(tx.row(`INSERT INTO category_apply (`+applyColumns+
		`) VALUES ($1, $2, $3, $4, 'running', $5, 0, 0, '', $6, 0)
		ON CONFLICT DO NOTHING RETURNING `+applyColumns, uuid.NewString(), owner, category, condition, total,
		now.UnixMicro()), scanApply, fault.New(fault.Conflict, fault.CodeConflict,
		"the category %q is already being applied; wait until this has finished", category))
}

// LastApply returns the latest request for a category; NotFound if there is none.
func (tx *Tx) LastApply(owner account.ID, category string) (Apply, error) {
	return one(tx.row(`SELECT `+applyColumns+
		` FROM category_apply WHERE account = $1 AND category = $2 ORDER BY started DESC, id DESC LIMIT 1`, owner,
		category), scanApply, fault.New(fault.NotFound, fault.CodeDefinition, "the category %q has not been applied",
		category))
}

// Apply returns a request by its id.
func (tx *Tx) Apply(id string) (Apply, error) {
	return one(tx.row(`SELECT `+applyColumns+` FROM category_apply WHERE id = $1`, id), scanApply,
		fault.New(fault.NotFound, fault.CodeNotFound, "no application of a category with id %q", id))
}

// AdvanceApply records progress up to an item: the number of further items, and how many of them match.
func (tx *Tx) AdvanceApply(id string, place media.ID, done, matched int) error {
	return tx.exec(`UPDATE category_apply SET place = $2, done = done + $3, matched = matched + $4 WHERE id = $1`,
		id, place, done, matched)
}

// EndApply records the final status of a request.
func (tx *Tx) EndApply(id, status string) error { return tx.endRun("category_apply", id, status) }

func (tx *Tx) endRun(table, id, status string) error {
	now, err := tx.now()
	if err != nil {
		return err
	}
	return tx.exec(`UPDATE `+table+` SET status = $2, finished = $3 WHERE id = $1`, id, status, now.UnixMicro())
}

// ReplaceResult replaces a result that was read at a change by one with the same words, and records the new change. If
// the item has changed since, it does nothing and returns false.
func (tx *Tx) ReplaceResult(owner account.ID, read AnalyticItem, result []byte) (bool, error) {
	if _, err := tx.LockMedia(owner, read.Media); fault.Is(err, fault.NotFound) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	n, err := tx.affected(`UPDATE result SET result = $3 WHERE media = $1
		AND EXISTS (SELECT 1 FROM analytic WHERE analytic.media = $1 AND analytic.change = $2)`, read.Media, read.Change, bytes(result))
	if err != nil || n == 0 {
		return false, err
	}
	return true, tx.TouchValues(owner, read.Media)
}

// Progressed records progress of a held job: it resets its interruptions.
func (tx *Tx) Progressed(j job.Job) error { return job.Advanced(jobTx{tx}, j.Subject) }

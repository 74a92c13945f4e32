package store

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"slices"
	"time"

	"parley/internal/storage/sqlrow"
	"parley/internal/words/account"
	"parley/internal/words/media"
)

// changeLife is how long changes are remembered.
const changeLife = 24 * time.Hour

// change is what a transaction changes of an item that clients follow.
type change struct {
	account account.ID
	deleted bool
}

// NoteChange records at the end of the transaction that clients may see an item otherwise than before.
func (tx *Tx) NoteChange(a account.ID, id media.ID) { tx.note(id, change{account: a}) }

func (tx *Tx) note(id media.ID, c change) {
	if tx.changes == nil {
		tx.changes = map[media.ID]change{}
	}
	tx.changes[id] = c
}

// writeChanges writes what note has collected, in the order of ids, so that no two transactions wait for each other.
func (tx *Tx) writeChanges() error {
	for _, id := range slices.Sorted(maps.Keys(tx.changes)) {
		c := tx.changes[id]
		if err := tx.exec(`INSERT INTO media_change (media, account, number, deleted) VALUES ($1, $2, 0, $3)
			ON CONFLICT (media) DO UPDATE SET number = 0, deleted = excluded.deleted`, id, c.account, flag(c.deleted)); err != nil {
			return err
		}
	}
	tx.changes = nil
	return nil
}

// numberedAtOnce bounds how many changes a transaction numbers or forgets.
const numberedAtOnce = 1000

// NumberChanges gives numbers to changes of committed transactions, if there are any. more reports whether others
// remain. It never waits for another transaction: locked changes are left to the next call, and it does nothing while
// another server numbers changes.
func (s *Store) NumberChanges(ctx context.Context) (more bool, err error) {
	waiting, err := Read(ctx, s, func(tx *Tx) (bool, error) {
		return sqlrow.Cell[bool](tx.row(`SELECT EXISTS (SELECT 1 FROM media_change WHERE number = 0)`))
	})
	if err != nil || !waiting {
		return false, err
	}
	err = s.Update(ctx, func(tx *Tx) error {
		n, err := tx.numberChanges()
		more = n == numberedAtOnce
		return err
	})
	return more, err
}

func (tx *Tx) numberChanges() (n int64, err error) {
	last, err := sqlrow.Cell[int64](tx.row(`SELECT number FROM media_clock` + tx.locking(` FOR UPDATE SKIP LOCKED`)))
	if errors.Is(err, sql.ErrNoRows) { // another server numbers
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	now, err := tx.now()
	if err != nil {
		return 0, err
	}
	last = max(last, now.UnixMicro()) // never given twice, even if the database goes back in time
	n, err = tx.affected(`WITH free AS MATERIALIZED (SELECT media FROM media_change WHERE number = 0 LIMIT $2`+
		tx.locking(` FOR UPDATE SKIP LOCKED`)+`), numbered AS (SELECT media, ROW_NUMBER() OVER (ORDER BY media) AS n FROM free)
		UPDATE media_change SET number = CAST($1 AS BIGINT) + numbered.n FROM numbered WHERE media_change.media = numbered.media`,
		last, numberedAtOnce)
	if err != nil || n == 0 {
		return n, err
	}
	return n, tx.exec(`UPDATE media_clock SET number = $1`, last+n)
}

// ForgetChanges removes changes that are older than a day.
func (s *Store) ForgetChanges(ctx context.Context) error {
	for {
		var n int64
		err := s.Update(ctx, func(tx *Tx) (err error) {
			n, err = tx.forgetChanges()
			return err
		})
		if err != nil || n < numberedAtOnce {
			return err
		}
	}
}

func (tx *Tx) forgetChanges() (int64, error) {
	if _, err := sqlrow.Cell[int64](tx.row(`SELECT number FROM media_clock` + tx.locking(` FOR UPDATE SKIP LOCKED`))); err != nil {
		if errors.Is(err, sql.ErrNoRows) { // another server numbers or forgets
			err = nil
		}
		return 0, err
	}
	now, err := tx.now()
	if err != nil {
		return 0, err
	}
	until := now.Add(-changeLife).UnixMicro()
	n, err := tx.affected(`WITH old AS MATERIALIZED (SELECT media FROM media_change WHERE number > 0 AND number <= $1 LIMIT $2`+
		tx.locking(` FOR UPDATE SKIP LOCKED`)+`) DELETE FROM media_change WHERE media IN (SELECT media FROM old)`, until,
		numberedAtOnce)
	if err != nil || n == 0 {
		return n, err
	}
	return n, tx.exec(`UPDATE media_clock SET forgotten = $1 WHERE forgotten < $1`, until)
}

// ChangedAccounts returns the last number and the accounts of changes after another one; all reports that there are too
// many to name.
func (tx *Tx) ChangedAccounts(after int64) (last int64, changed []account.ID, all bool, err error) {
	if last, err = sqlrow.Cell[int64](tx.row(`SELECT number FROM media_clock`)); err != nil || last <= after {
		return last, nil, false, err
	}
	changed, err = sqlrow.All(tx.query(`SELECT account FROM media_change WHERE number > $1 AND number > 0 LIMIT $2`, after,
		numberedAtOnce), sqlrow.Cell[account.ID])
	return last, changed, len(changed) == numberedAtOnce, err
}

// Change is a followed item as it is now.
type Change struct {
	ID    media.ID
	Media *media.Media // nil: it is deleted, or its time to live has expired
}

// ChangePage is a part of the changes of an account.
type ChangePage struct {
	Changes []Change
	Cursor  int64 // where the next page begins
	More    bool
	Lost    bool // changes after the given cursor are forgotten, or the cursor is of a future that was taken back
}

// Present returns the cursor after all changes that are numbered.
func (tx *Tx) Present() (cursor int64, err error) {
	return sqlrow.Cell[int64](tx.row(`SELECT number FROM media_clock`))
}

// Changes returns up to limit items of an account that changed after a cursor, in the order of their last changes.
func (tx *Tx) Changes(a account.ID, after int64, limit int) (p ChangePage, err error) {
	var last, forgotten int64
	if err := tx.row(`SELECT number, forgotten FROM media_clock`).Scan(&last, &forgotten); err != nil {
		return p, err
	}
	if after < forgotten || after > last {
		return ChangePage{Cursor: last, Lost: true}, nil
	}
	type numbered struct {
		id     media.ID
		number int64
	}
	rows := tx.query(`SELECT media, number FROM media_change WHERE account = $1 AND number > $2 AND number <= $3 AND number > 0
		ORDER BY number LIMIT $4`, a, after, last, limit+1)
	all, err := sqlrow.All(rows, func(row sqlrow.Row) (n numbered, err error) { return n, row.Scan(&n.id, &n.number) })
	if err != nil {
		return p, err
	}
	p.Cursor = last
	if p.More = len(all) > limit; p.More {
		all = all[:limit]
		p.Cursor = all[limit-1].number
	}
	ids := make([]media.ID, len(all))
	for i, n := range all {
		ids[i] = n.id
	}
	items, err := tx.MediaOf(a, ids)
	for _, id := range ids {
		p.Changes = append(p.Changes, Change{ID: id, Media: items[id]})
	}
	return p, err
}

// MediaOf returns those of the given items of an account that Media returns.
func (tx *Tx) MediaOf(a account.ID, ids []media.ID) (map[media.ID]*media.Media, error) {
	found := map[media.ID]*media.Media{}
	for some := range slices.Chunk(ids, rowsAtOnce) {
		in, args := placeholders(some, []any{a})
		rows := tx.query(`SELECT `+mediaColumns+` FROM media WHERE account = $1 AND id IN (`+in+`) AND NOT `+tx.expired(),
			args...)
		for row := range rows.Each {
			m, err := tx.scanMedia(row)
			if err != nil {
				return nil, err
			}
			found[m.ID] = &m
		}
	}
	return found, nil
}

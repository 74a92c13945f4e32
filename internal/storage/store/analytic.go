package store

import (
	"database/sql"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"parley/internal/storage/sqlrow"
	"parley/internal/words/account"
	"parley/internal/words/media"
)

// incarnation is the expression of when the database server was started. State that was read before may be of another
// history of the database: it may have gone back in time since.
func (tx *Tx) incarnation() string {
	if tx.postgres {
		return `CAST(EXTRACT(EPOCH FROM pg_postmaster_start_time()) * 1000000 AS BIGINT)`
	}
	return strconv.FormatInt(tx.opened.UnixMicro(), 10)
}

// PutAnalytic records that an item was published for queries over many calls, or that its failure was; indexed reports
// whether statements of the analytic database see it.
func (tx *Tx) PutAnalytic(a account.ID, id media.ID, indexed bool) error {
	if _, err := tx.unkeep(a, id); err != nil {
		return err
	}
	change, err := tx.nextChange(a, id)
	if err != nil {
		return err
	}
	return tx.exec(`INSERT INTO analytic (media, account, change, indexed) VALUES ($1, $2, $3, $4)
		ON CONFLICT (media) DO UPDATE SET change = excluded.change, indexed = excluded.indexed, kept = 0`,
		id, a, change, flag(indexed))
}

// unkeep buries the revision of a published item that a segment has, and locks its row; false if it is not published.
func (tx *Tx) unkeep(a account.ID, id media.ID) (published bool, err error) {
	kept, err := sqlrow.Cell[int64](tx.row(`SELECT kept FROM analytic WHERE media = $1 AND account = $2`+
		tx.locking(` FOR NO KEY UPDATE`), id, a))
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil || kept == 0 {
		return err == nil, err
	}
	return true, tx.Bury(a, []Revision{{id, kept}})
}

// nextChange returns the number of a change of an item whose row is locked: the time in microseconds, so that none is
// given twice even if the database goes back in time, or one more than those that it had.
func (tx *Tx) nextChange(a account.ID, id media.ID) (int64, error) {
	now, err := tx.now()
	if err != nil {
		return 0, err
	}
	last, err := sqlrow.Cell[int64](tx.row(`SELECT COALESCE(MAX(change), 0) FROM (
		SELECT change FROM analytic WHERE media = $1
		UNION ALL SELECT revision FROM tombstone WHERE account = $2 AND media = $1) AS had`, id, a))
	return max(now.UnixMicro(), last+1), err
}

// TouchAnalytic records that a published item has changed, perhaps its words. It ignores other items.
func (tx *Tx) TouchAnalytic(a account.ID, id media.ID) error {
	published, err := tx.unkeep(a, id)
	if err != nil || !published {
		return err
	}
	change, err := tx.nextChange(a, id)
	if err != nil {
		return err
	}
	return tx.exec(`UPDATE analytic SET change = $2, kept = 0 WHERE media = $1`, id, change)
}

// TouchValues records that values of the fields of a published item have changed, and its words have not. It ignores
// other items.
func (tx *Tx) TouchValues(a account.ID, id media.ID) error {
	now, err := tx.now()
	if err != nil {
		return err
	}
	return tx.exec(`UPDATE analytic SET change = CASE WHEN change < $3 THEN $3 ELSE change + 1 END
		WHERE media = $1 AND account = $2`, id, a, now.UnixMicro())
}

// DropAnalytic removes an item from queries over many calls.
func (tx *Tx) DropAnalytic(a account.ID, id media.ID) error {
	kept, err := sqlrow.Cell[int64](tx.row(`DELETE FROM analytic WHERE media = $1 AND account = $2 RETURNING kept`, id, a))
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil || kept == 0 {
		return err
	}
	return tx.Bury(a, []Revision{{id, kept}})
}

// AnalyticItem is an item with the number of its last change.
type AnalyticItem struct {
	Media  media.ID
	Change int64
}

// alive is the condition on the table analytic for items that have not expired.
func (tx *Tx) alive() string {
	return `analytic.media NOT IN (SELECT id FROM media WHERE ` + tx.expired() + `)`
}

// ExpiredAnalytic returns the published items of an account whose time to live has expired. It looks at expired items of
// all accounts, which are few: SQLite would look at all items of the account instead, if it could use that index.
func (tx *Tx) ExpiredAnalytic(a account.ID) ([]media.ID, error) {
	return sqlrow.All(tx.query(`SELECT id FROM media WHERE account || '' = $1 AND `+tx.expired(), a), sqlrow.Cell[media.ID])
}

// withResult is the condition on the table analytic for items that have a result: failed ones have none.
const withResult = `EXISTS (SELECT 1 FROM result WHERE result.media = analytic.media)`

// AnalyticItems returns up to limit items of an account that have a result, with ids after the given one, by id.
func (tx *Tx) AnalyticItems(a account.ID, after media.ID, limit int) ([]AnalyticItem, error) {
	rows := tx.query(`SELECT media, change FROM analytic WHERE account = $1 AND media > $2 AND `+tx.alive()+` AND `+withResult+`
		ORDER BY media LIMIT $3`, a, after, limit)
	return sqlrow.All(rows, func(row sqlrow.Row) (i AnalyticItem, err error) {
		err = row.Scan(&i.Media, &i.Change)
		return i, err
	})
}

// CountAnalytic counts the items of an account that have a result.
func (tx *Tx) CountAnalytic(a account.ID) (n int64, err error) {
	return sqlrow.Cell[int64](tx.row(`SELECT COUNT(*) FROM analytic WHERE account = $1 AND `+withResult+` AND `+tx.alive(), a))
}

// Unread counts the items of an account that queries over many calls cannot read.
type Unread struct {
	Waiting int // not processed yet
	Sealed  int
	More    bool // there may be more than counted
}

// CountUnread counts the unreadable items created within a period (zero: unbounded). It counts at most `most` items of
// each kind.
func (tx *Tx) CountUnread(a account.ID, from, until time.Time, most int) (u Unread, err error) {
	first, last := int64(0), int64(math.MaxInt64)
	if !from.IsZero() {
		first = from.UnixMicro()
	}
	if !until.IsZero() {
		last = until.UnixMicro()
	}
	var looked int
	err = tx.row(`SELECT COUNT(*), COUNT(*) - COUNT(result.media) FROM
		(SELECT id FROM media WHERE account = $1 AND status IN ($2, $3, $4) AND created >= $5 AND created < $6 LIMIT $7) AS waiting
		LEFT JOIN result ON result.media = waiting.id`, // items being reprocessed have an earlier result
		a, media.Accepted, media.Scheduled, media.Running, first, last, most).Scan(&looked, &u.Waiting)
	if err != nil {
		return u, err
	}
	err = tx.row(`SELECT COUNT(*) FROM (SELECT 1 FROM media
		WHERE account = $1 AND sealing <> '' AND status = $2 AND created >= $3 AND created < $4 LIMIT $5) AS sealed`,
		a, media.Finished, first, last, most).Scan(&u.Sealed)
	u.More = looked == most || u.Sealed == most
	return u, err
}

// Analytic is an item with all queryable data.
type Analytic struct {
	Media      media.Media
	Change     int64
	Indexed    bool   // posted for the analytic database
	Searchable bool   // found by the query of the media list
	Result     []byte // as package record encodes it; nil for an item that failed
}

// AnalyticOf returns those of the given items of an account that are published or found although they failed, by id.
func (tx *Tx) AnalyticOf(a account.ID, ids []media.ID) ([]Analytic, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	in, args := placeholders(ids, []any{a})
	return tx.analytic(ofAccount+` AND analytic.media IN (`+in+`) ORDER BY analytic.media`, args...)
}

// ofAccount is the condition on the table analytic for items of account $1, where a statement names them. It uses no index
// of accounts: SQLite would look at all items of the account instead of at those few.
const ofAccount = `analytic.account || '' = $1`

// Revisions returns the numbers of the last changes of those of the given items that AnalyticOf returns.
func (tx *Tx) Revisions(a account.ID, ids []media.ID) (map[media.ID]int64, error) {
	changes := map[media.ID]int64{}
	for some := range slices.Chunk(ids, rowsAtOnce) {
		in, args := placeholders(some, []any{a})
		rows := tx.query(`SELECT media, change FROM analytic WHERE `+ofAccount+` AND media IN (`+in+`)`, args...)
		for row := range rows.Each {
			r, err := scanRevision(row)
			if err != nil {
				return nil, err
			}
			changes[r.Media] = r.Change
		}
	}
	return changes, nil
}

func (tx *Tx) analytic(where string, args ...any) ([]Analytic, error) {
	rows := tx.query(`SELECT `+qualified(mediaColumns)+`, analytic.change, analytic.indexed, media.searchable, result.result
		FROM analytic JOIN media ON media.id = analytic.media LEFT JOIN result ON result.media = analytic.media
		WHERE `+tx.alive()+` AND `+where, args...)
	return sqlrow.All(rows, func(row sqlrow.Row) (i Analytic, err error) {
		i.Media, err = tx.scanMedia(widerRow{row, []any{&i.Change, &i.Indexed, &i.Searchable, &i.Result}})
		return i, err
	})
}

// widerRow scans further columns after the requested ones.
type widerRow struct {
	row     sqlrow.Row
	further []any
}

func (m widerRow) Scan(columns ...any) error { return m.row.Scan(append(columns, m.further...)...) }

// qualified prefixes columns of media with the table name.
func qualified(columns string) string {
	names := strings.Split(columns, ",")
	for i, name := range names {
		if name = strings.TrimSpace(name); !strings.HasPrefix(name, "(") {
			name = "media." + name
		}
		names[i] = name
	}
	return strings.Join(names, ", ")
}

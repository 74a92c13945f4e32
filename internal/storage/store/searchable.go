package store

import (
	"fmt"
	"strings"

	"parley/internal/words/account"
	"parley/internal/words/media"
)

// Change is an item that the search index has to look at again: it was published, changed or deleted.
type Change struct {
	Media   media.ID
	Account account.ID
	Number  int64 // rises while the change waits
}

// mark notes that the index has to look at items, with a condition on the table media.
func (tx *Tx) mark(condition string, args ...any) error {
	_, err := tx.exec(`INSERT INTO index_pending (media, account, change) SELECT id, account, 1 FROM media WHERE `+
		condition+`
		ON CONFLICT (media) DO UPDATE SET change = index_pending.change + 1`, args...)
	return err
}

// SetSearchable says, when an item is published or has failed, whether it shows in queries, and has the index look at
// it. What is sealed, or will be, never shows.
func (tx *Tx) SetSearchable(id media.ID, searchable bool) error {
	if err := tx.setMedia(id, `searchable = CASE WHEN sealing = '' THEN CAST($2 AS INTEGER) ELSE 0 END`,
		flag(searchable)); err != nil {
		return err
	}
	return tx.mark(`id = $1`, id)
}

// Changes returns up to limit items that the index has not taken over, of all accounts when a is empty, ordered by id.
func (tx *Tx) Changes(a account.ID, limit int) ([]Change, error) {
	where, args := "TRUE", []any{limit}
	if a != "" {
		where, args = "account = $2", append(args, a)
	}
	rows, err := tx.query(`SELECT media, account, change FROM index_pending WHERE `+where+` ORDER BY media LIMIT $1`,
		args...)
	return collect(rows, err, func(row scanner) (c Change, err error) {
		err = row.Scan(&c.Media, &c.Account, &c.Number)
		return c, err
	})
}

// TakenOver forgets changes that the index has taken over, unless there were further ones of the same item meanwhile.
func (tx *Tx) TakenOver(changes []Change) error {
	for _, c := range changes {
		if _, err := tx.exec(`DELETE FROM index_pending WHERE media = $1 AND change = $2`, c.Media,
			c.Number); err != nil {
			return err
		}
	}
	return nil
}

// CountChanges returns how many items wait for the index.
func (tx *Tx) CountChanges() (n int64, err error) {
	err = tx.row(`SELECT COUNT(*) FROM index_pending`).Scan(&n)
	return n, err
}

// CountSearchable returns how many items show in queries.
func (tx *Tx) CountSearchable() (n int64, err error) {
	err = tx.row(`SELECT COUNT(*) FROM media WHERE searchable = 1`).Scan(&n)
	return n, err
}

// SearchableMedia returns up to limit items of all accounts that show in queries and do not wait as a Change, the
// newest first, older than one; of all when it is empty.
func (tx *Tx) SearchableMedia(before media.ID, limit int) ([]media.ID, error) {
	if before == "" {
		before = "g" // behind all ids
	}
	rows, err := tx.query(`SELECT id FROM media WHERE searchable = 1 AND id < $1
		AND NOT EXISTS (SELECT 1 FROM index_pending WHERE index_pending.media = media.id) ORDER BY id DESC LIMIT $2`, before, limit)
	return collect(rows, err, scanID)
}

func scanID(row scanner) (id media.ID, err error) {
	err = row.Scan(&id)
	return id, err
}

// Indexable is what there is to find in an item.
type Indexable struct {
	Media    media.ID
	Account  account.ID
	Metadata *media.Metadata
	Result   []byte // as package record encodes it; nil of an item that failed
}

// Indexable returns those of some items that show in queries, ordered by id.
func (tx *Tx) Indexable(ids []media.ID) ([]Indexable, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	in, args := placeholders(ids, nil)
	rows, err := tx.query(`SELECT media.id, media.account, media.metadata, result.result FROM media
		LEFT JOIN result ON result.media = media.id WHERE media.searchable = 1 AND media.id IN (`+in+`) ORDER BY media.id`, args...)
	return collect(rows, err, func(row scanner) (i Indexable, err error) {
		var metadata []byte
		err = row.Scan(&i.Media, &i.Account, &metadata, &i.Result)
		i.Metadata = media.StoredMetadata(metadata)
		return i, err
	})
}

// placeholders returns a list of parameters, to follow those that there are, and all arguments.
func placeholders(ids []media.ID, args []any) (string, []any) {
	list := make([]string, len(ids))
	for i, id := range ids {
		args = append(args, id)
		list[i] = fmt.Sprintf("$%d", len(args))
	}
	return strings.Join(list, ", "), args
}

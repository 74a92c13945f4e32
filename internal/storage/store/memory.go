package store

import (
	"context"
	"database/sql"

	"parley/internal/host/memory"
	"parley/internal/words/media"
)

// rowMemory estimates the memory of a row with so many columns, without its texts, in a growing list.
func rowMemory(columns int) int64 { return 64 + 32*int64(columns) }

// row counts the memory of a row when it is scanned.
type row struct {
	*sql.Row
	tx *Tx
}

// Scan implements sqlrow.Row.
func (r row) Scan(into ...any) error {
	if err := r.Row.Scan(into...); err != nil {
		return err
	}
	return r.tx.took(into)
}

// took counts the scanned values.
func (tx *Tx) took(into []any) error {
	if !tx.counts {
		return nil
	}
	bytes := rowMemory(len(into))
	for _, v := range into {
		switch v := v.(type) {
		case *[]byte:
			bytes += int64(len(*v))
		case *string:
			bytes += int64(len(*v))
		}
	}
	return memory.Take(tx.ctx, bytes)
}

// ahead counts the size that an SQL length expression returns before the data is read. read gives it back once the data
// itself is counted.
func (tx *Tx) ahead(length string, args ...any) (read func(), err error) {
	if !tx.counts {
		return func() {}, nil
	}
	var bytes int64
	if err := tx.row(`SELECT COALESCE((`+length+`), 0)`, args...).Scan(&bytes); err != nil {
		return nil, err
	}
	return func() { memory.Give(tx.ctx, bytes) }, memory.Take(tx.ctx, bytes)
}

// Within returns the transaction for reading under another context, which counts a part of what the first one counts.
func (tx *Tx) Within(ctx context.Context) *Tx {
	part := *tx
	part.ctx = ctx
	return &part
}

// Memory returns the memory counted for an item.
func Memory(m *media.Media) int64 { return rowMemory(18) + int64(len(m.Metadata.Bytes())) }

package store

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"parley/internal/words/account"
	"parley/internal/words/media"
)

// SetSearchFields makes an item searchable by the metadata values at these paths, now and after each change of the
// metadata. It replaces earlier paths. Paths must not contain line feeds.
func (tx *Tx) SetSearchFields(id media.ID, paths []string) error {
	m, err := tx.lockMedia(id)
	if err != nil {
		return err
	}
	if err := tx.setMedia(id, `search_fields = $2`, []byte(strings.Join(paths, "\n"))); err != nil {
		return err
	}
	return tx.indexFields(&m, paths)
}

// indexFields replaces the index rows of an item; an item that is to be sealed gets none.
func (tx *Tx) indexFields(m *media.Media, paths []string) error {
	if err := tx.exec(`DELETE FROM media_field WHERE media = $1`, m.ID); err != nil || m.Sealing != nil {
		return err
	}
	for values := range slices.Chunk(m.Metadata.FieldValues(paths), fieldsAtOnce) {
		if err := tx.insertFields(m.Account, m.ID, values); err != nil {
			return err
		}
	}
	return nil
}

// fieldsAtOnce is the number of rows per INSERT statement.
const fieldsAtOnce = 200

func (tx *Tx) insertFields(a account.ID, id media.ID, values []media.FieldValue) error {
	args := []any{a, id}
	rows := make([]string, len(values))
	for i, v := range values {
		args = append(args, v.Field, digest(v.Text))
		rows[i] = fmt.Sprintf("($1, $2, $%d, $%d)", len(args)-1, len(args))
	}
	return tx.exec(`INSERT INTO media_field (account, media, field, value) VALUES `+strings.Join(rows, ", "),
		args...)
}

// digest identifies a text in an index, since texts may exceed the maximum size of an index entry.
func digest(text string) []byte {
	sum := sha256.Sum256([]byte(text))
	return sum[:16]
}

// mediaWith returns a FROM clause for media whose metadata has the given values, and args extended by its parameters;
// args[0] must be the account. Columns of media keep their names. The rarest value comes first: its index yields items
// in list order, and conditions on the id bound the scan.
func (tx *Tx) mediaWith(values []media.FieldValue, args []any) (string, []any, error) {
	values, err := tx.rarestFirst(args[0], values)
	if err != nil {
		return "", nil, err
	}
	join := " CROSS JOIN " // SQLite keeps the join order
	if tx.postgres {
		join = " JOIN "
	}
	from := ""
	for i, v := range values {
		args = append(args, v.Field, digest(v.Text))
		from += fmt.Sprintf(`(SELECT account, media AS id FROM media_field WHERE field = $%d AND value = $%d) AS field%d`, len(args)-1, len(args), i)
		if i > 0 {
			from += " USING (id, account)"
		}
		from += join
	}
	if from == "" {
		return "media", args, nil
	}
	return from + "media USING (id, account)", args, nil
}

// rarestFirst moves the value with the fewest items to the front; values above commonValue items count as equal.
// PostgreSQL chooses by itself if it plans with the actual values instead of a generic plan.
func (tx *Tx) rarestFirst(account any, values []media.FieldValue) ([]media.FieldValue, error) {
	const commonValue = 1000
	if len(values) < 2 {
		return values, nil
	}
	if tx.postgres {
		err := tx.exec(`SET LOCAL plan_cache_mode = force_custom_plan`)
		return values, err
	}
	values = slices.Clone(values)
	fewest := commonValue + 1
	for i, v := range values {
		var n int
		err := tx.row(`SELECT COUNT(*) FROM (SELECT 1 FROM media_field WHERE account = $1 AND field = $2 AND value = $3 LIMIT $4) AS first`,
			account, v.Field, digest(v.Text), commonValue).Scan(&n)
		if err != nil {
			return nil, err
		}
		if n < fewest {
			fewest, values[0], values[i] = n, v, values[0]
		}
	}
	return values, nil
}

// splitPaths decodes the column search_fields.
func splitPaths(kept []byte) []string {
	if len(kept) == 0 {
		return nil
	}
	return strings.Split(string(kept), "\n")
}

package store

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"parley/internal/words/account"
	"parley/internal/words/media"
)

// SetSearchFields makes an item findable by what its metadata has at these paths, now and after each change of
// the metadata, in place of earlier paths. Paths have no line feeds.
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

// indexFields writes the rows by which an item is found, in place of earlier ones: none for one that is to be sealed.
func (tx *Tx) indexFields(m *media.Media, paths []string) error {
	if _, err := tx.exec(`DELETE FROM media_field WHERE media = $1`, m.ID); err != nil || m.Sealing != nil {
		return err
	}
	values := m.Metadata.FieldValues(paths)
	for start := 0; start < len(values); start += fieldsAtOnce {
		if err := tx.insertFields(m.Account, m.ID, values[start:min(start+fieldsAtOnce, len(values))]); err != nil {
			return err
		}
	}
	return nil
}

// fieldsAtOnce is how many rows one statement inserts.
const fieldsAtOnce = 200

func (tx *Tx) insertFields(a account.ID, id media.ID, values []media.FieldValue) error {
	args := []any{a, id}
	rows := make([]string, len(values))
	for i, v := range values {
		args = append(args, v.Field, digest(v.Text))
		rows[i] = fmt.Sprintf("($1, $2, $%d, $%d)", len(args)-1, len(args))
	}
	_, err := tx.exec(`INSERT INTO media_field (account, media, field, value) VALUES `+strings.Join(rows, ", "),
		args...)
	return err
}

// digest identifies a text in an index: texts may be too long for one.
func digest(text string) []byte {
	sum := sha256.Sum256([]byte(text))
	return sum[:16]
}

// mediaWith returns what to select media from, so that their metadata has the given values, and the parameters, of
// which the first is the account, with its own. Columns of media can be named as without values. The rarest value
// leads: its index yields items in the order of a list, and what other conditions say of the id bounds it.
func (tx *Tx) mediaWith(values []media.FieldValue, args []any) (string, []any, error) {
	values, err := tx.rarestFirst(args[0], values)
	if err != nil {
		return "", nil, err
	}
	join := " CROSS JOIN " // SQLite keeps this order
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

// rarestFirst returns values with the one that the fewest items have in front; above commonValue all are the same.
// PostgreSQL knows which is rare, where it plans with the values and not once for all.
func (tx *Tx) rarestFirst(account any, values []media.FieldValue) ([]media.FieldValue, error) {
	const commonValue = 1000
	if len(values) < 2 {
		return values, nil
	}
	if tx.postgres {
		_, err := tx.exec(`SET LOCAL plan_cache_mode = force_custom_plan`)
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

// splitPaths reads the column search_fields.
func splitPaths(kept []byte) []string {
	if len(kept) == 0 {
		return nil
	}
	return strings.Split(string(kept), "\n")
}

package store

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"parley/internal/account"
	"parley/internal/media"
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
	return tx.indexFields(m.Account, id, m.Metadata, paths)
}

// indexFields writes the rows by which an item is found, in place of earlier ones.
func (tx *Tx) indexFields(a account.ID, id media.ID, m *media.Metadata, paths []string) error {
	if _, err := tx.exec(`DELETE FROM media_field WHERE media = $1`, id); err != nil {
		return err
	}
	values := m.FieldValues(paths)
	for start := 0; start < len(values); start += fieldsAtOnce {
		if err := tx.insertFields(a, id, values[start:min(start+fieldsAtOnce, len(values))]); err != nil {
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
	_, err := tx.exec(`INSERT INTO media_field (account, media, field, value) VALUES `+strings.Join(rows, ", "), args...)
	return err
}

// digest identifies a text in an index: texts may be too long for one.
func digest(text string) []byte {
	sum := sha256.Sum256([]byte(text))
	return sum[:16]
}

// splitPaths reads the column search_fields.
func splitPaths(kept []byte) []string {
	if len(kept) == 0 {
		return nil
	}
	return strings.Split(string(kept), "\n")
}

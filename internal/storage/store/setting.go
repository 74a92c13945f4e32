package store

import "parley/internal/words/fault"

// Setting returns a value of the server itself, such as a key; NotFound if it was never set.
func (tx *Tx) Setting(name string) (value []byte, err error) {
	err = tx.row(`SELECT value FROM setting WHERE name = $1`, name).Scan(&value)
	return found(value, err, fault.New(fault.NotFound, fault.CodeNotFound, "no setting %q", name))
}

// LockSetting is Setting for a transaction that will replace the value: others that do the same wait for its end.
func (tx *Tx) LockSetting(name string) (value []byte, err error) {
	query := `SELECT value FROM setting WHERE name = $1`
	if tx.postgres {
		query += ` FOR UPDATE`
	}
	err = tx.row(query, name).Scan(&value)
	return found(value, err, fault.New(fault.NotFound, fault.CodeNotFound, "no setting %q", name))
}

// SetSetting stores a value of the server itself.
func (tx *Tx) SetSetting(name string, value []byte) error {
	_, err := tx.exec(`INSERT INTO setting (name, value) VALUES ($1, $2)
		ON CONFLICT (name) DO UPDATE SET value = excluded.value`, name, bytes(value))
	return err
}

// SettingOr returns a value; if there is none, it stores and returns the proposed one. Nodes that start together all
// get the same value.
func (tx *Tx) SettingOr(name string, proposed []byte) ([]byte, error) {
	_, err := tx.exec(`INSERT INTO setting (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING`, name,
		bytes(proposed))
	if err != nil {
		return nil, err
	}
	return tx.Setting(name)
}

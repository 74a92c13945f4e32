package store

import (
	"parley/internal/storage/sqlrow"
	"parley/internal/words/fault"
)

// Setting returns a value of the server itself, such as a key; NotFound if it was never set.
func (tx *Tx) Setting(name string) (value []byte, err error) {
	return tx.setting(name, "")
}

// LockSetting is Setting for a transaction that will replace the value: others that do the same wait for its end.
func (tx *Tx) LockSetting(name string) (value []byte, err error) {
	return tx.setting(name, tx.locking(` FOR UPDATE`))
}

func (tx *Tx) setting(name, lock string) ([]byte, error) {
	return one(tx.row(`SELECT value FROM setting WHERE name = $1`+lock, name), sqlrow.Cell[[]byte],
		fault.New(fault.NotFound, fault.CodeNotFound, "no setting %q", name))
}

// SetSetting stores a value of the server itself.
func (tx *Tx) SetSetting(name string, value []byte) error {
	return tx.exec(`INSERT INTO setting (name, value) VALUES ($1, $2)
		ON CONFLICT (name) DO UPDATE SET value = excluded.value`, name, bytes(value))
}

// SettingOr returns a value; if there is none, it stores and returns the proposed one. Nodes that start together all
// get the same value.
func (tx *Tx) SettingOr(name string, proposed []byte) ([]byte, error) {
	err := tx.exec(`INSERT INTO setting (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING`, name,
		bytes(proposed))
	if err != nil {
		return nil, err
	}
	return tx.Setting(name)
}

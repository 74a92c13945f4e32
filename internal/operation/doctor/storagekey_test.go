package doctor

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"parley/internal/storage/store"
	"parley/internal/testkit/storetest"
	"parley/internal/words/cipher"
	"parley/internal/words/media"
)

// keyed returns the checks of a database with a key file that has the given lines.
func keyed(t *testing.T, url string, mode os.FileMode, lines string) *Database {
	t.Helper()
	file := filepath.Join(t.TempDir(), "keys")
	if err := os.WriteFile(file, []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(file, mode); err != nil {
		t.Fatal(err)
	}
	return &Database{URL: url, KeyFile: file, Keys: func() (*cipher.Ring, error) {
		return cipher.ParseRing([]byte(lines))
	}}
}

func TestMissingStorageKeysAndKeysThatAreNotUnderThemAreTold(t *testing.T) {
	url, first, second := storetest.SQLiteURL(t), cipher.NewStorageKey(), cipher.NewStorageKey()
	s := storetest.Open(t, url)
	m := storetest.Media(t, s, storetest.Account(t, s, "a").ID)
	storetest.Update(t, s, func(tx *store.Tx) error {
		_, err := tx.PutStream(m.ID, media.Stream{Name: media.Original, Blob: "original/a", Size: 1,
			Key: cipher.NewKey()})
		return err
	})
	check := func(name string, d *Database, state State, part string) {
		t.Helper()
		t.Run(name, func(t *testing.T) {
			f := run(t, d)["storage keys"]
			expect(t, Check{name, func(context.Context) Finding { return f }}, state, part)
		})
	}
	check("no file", &Database{URL: url}, OK, "unencrypted")
	check("not under it", keyed(t, url, 0o600, first), Warn, "1 of 1")
	ring, err := cipher.ParseRing([]byte(first))
	if err != nil {
		t.Fatal(err)
	}
	wrapping, err := store.Open(t.Context(), store.Config{URL: url, StorageKeys: ring})
	if err != nil {
		t.Fatal(err)
	}
	defer wrapping.Close()
	if _, err := wrapping.Rewrap(t.Context()); err != nil {
		t.Fatal(err)
	}
	id := ring.IDs()[0]
	check("under it", keyed(t, url, 0o600, first), OK, id)
	check("for all to read", keyed(t, url, 0o644, first), Warn, "users other than its owner")
	check("to be wrapped again", keyed(t, url, 0o600, second+"\n"+first), Warn, "1 of 1")
	check("another file", keyed(t, url, 0o600, second), Fail, id)
	check("no file any more", &Database{URL: url}, Fail, id)
	check("a file that cannot be read",
		&Database{URL: url, Keys: func() (*cipher.Ring, error) { return nil, errors.New("torn") }}, Fail, "torn")
}

package stage

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"parley/internal/host/filelock"
	"parley/internal/lab/bench"
	"parley/internal/lab/corpus"
	"parley/internal/storage/store"
	"parley/internal/testkit/servertest"
	"parley/internal/web/auth"
	"parley/internal/words/account"
	"parley/internal/words/media"
)

// manyWords is the number of words of each of many calls: fewer than real calls have, so that they fit on a disk.
const manyWords = 300

// manyVersion changes whenever something else is stored of many calls.
const manyVersion = "2"

// Many starts a server with n generated calls (package corpus) of most of a year. The first one fills a folder of the
// user's cache, which takes some minutes for 100,000 calls; the others use the same folder, one at a time. What a test
// changes, stays.
func Many(t *testing.T, n int) *servertest.Server {
	t.Helper()
	dir, err := many(t.Context(), n, func(what string) { t.Log(what) })
	if err != nil {
		t.Fatal(err)
	}
	lock, err := filelock.Wait(t.Context(), dir+".lock")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { lock.Close() })
	s, err := load(dir)
	if err != nil {
		t.Fatal(err)
	}
	return open(t, dir, s.Token)
}

func many(ctx context.Context, n int, say func(string)) (string, error) {
	return cached(ctx, "many", func(ctx context.Context, dir string) error {
		last := time.Now()
		x, err := bench.Generated{URL: "sqlite://" + filepath.Join(dir, "parley.db"), Dir: filepath.Join(dir, "blobs"),
			Calls: n, Words: manyWords}.Index(ctx, corpus.New(corpus.Config{Words: manyWords, Every: 4 * time.Minute,
			First: time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)}), visible, func(what string, done, total int64) {
			if time.Since(last) > 5*time.Second {
				last = time.Now()
				say(fmt.Sprintf("%s: %d of %d", what, done, total))
			}
		})
		if err != nil {
			return err
		}
		secret := auth.NewSecret()
		err = x.DB.Update(ctx, func(tx *store.Tx) error {
			_, err := tx.CreateToken(account.Token{Account: x.Owner, LastSix: secret.LastSix(),
				Scopes: account.AllScopes}, secret.Hash())
			return err
		})
		return errors.Join(err, x.Close(), (&Stage{Token: string(secret)}).save(dir))
	}, strconv.Itoa(n), strconv.Itoa(manyWords), manyVersion)
}

// visible makes a call visible everywhere.
func visible(tx *store.Tx, m *media.Media) error {
	if err := tx.SetProgress(m.ID, completed()); err != nil {
		return err
	}
	if err := tx.SetSearchable(m.ID, true); err != nil {
		return err
	}
	return tx.PutAnalytic(m.Account, m.ID, true)
}

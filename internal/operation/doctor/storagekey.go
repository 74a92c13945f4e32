package doctor

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"

	"parley/internal/storage/store"
)

// storageKeys checks that the keys of recordings can be read, and are wrapped with the current storage key.
func (d *Database) storageKeys(ctx context.Context) Finding {
	if d.Keys != nil {
		if _, err := d.Keys(); err != nil {
			return fail("name a file written by parley storage-key make; without it, recordings cannot be read",
				"%v", err)
		}
	}
	return d.current(d.keysKept)(ctx)
}

func (d *Database) keysKept(ctx context.Context) Finding {
	kept, err := store.Read(ctx, d.store, (*store.Tx).KeysKept)
	if err != nil {
		return fail("see the database above", "%v", err)
	}
	return d.evaluateKeys(kept)
}

// evaluateKeys returns what to do about keys wrapped with storage keys, given counts by storage key id.
func (d *Database) evaluateKeys(kept map[string]int64) Finding {
	ids, all, under := d.keys.IDs(), int64(0), int64(0)
	for _, id := range slices.Sorted(maps.Keys(kept)) {
		n := kept[id]
		all += n
		switch {
		case id != "" && !slices.Contains(ids, id):
			return fail("name the file that contains that key with --storage-key-file; without it, these recordings are lost",
				"the keys of %d recordings are encrypted with storage key %s, which is missing", n, id)
		case len(ids) > 0 && id == ids[0]:
			under = n
		}
	}
	switch {
	case len(ids) == 0:
		return ok("none; the keys of %d recordings are in the database unencrypted", all)
	case under < all:
		return warn("run: parley storage-key rewrap",
			"the keys of %d of %d recordings are not encrypted with storage key %s", all-under, all, ids[0])
	}
	return d.evaluateFile(fmt.Sprintf("the keys of %d recordings are encrypted with storage key %s", all, ids[0]))
}

func (d *Database) evaluateFile(good string) Finding {
	info, err := os.Stat(d.KeyFile)
	if err == nil && info.Mode().Perm()&0o077 != 0 {
		return warn("run: chmod 600 "+d.KeyFile, "%s, but users other than its owner may read the file (%s)", good,
			info.Mode().Perm())
	}
	return ok("%s", good)
}

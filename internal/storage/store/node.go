package store

import (
	"context"
	"slices"
	"strings"
	"time"

	"parley/internal/storage/sqlrow"
	"parley/internal/words/fault"
)

// How long a server counts as running without renewing its row, and the renewal interval.
const (
	NodeLife = time.Minute
	NodeBeat = 15 * time.Second
)

// Node is a running server of the database.
type Node struct {
	ID          string
	Name        string   // host and process, for people
	Role        string   // as config has it
	StorageKeys []string // ids; the first one wraps
	Blobs       string   // where it stores recordings; servers with the same text share them; empty: shared by all
	Tables      int64    // the latest schema version that it knows; Announce and Renew set it
	Seen        time.Time
}

// Announce registers a starting server, before it reads or writes anything else, and returns the other servers.
// Conflict if another one stores recordings elsewhere. If only is set, this is the only worker on the database, and
// rows of dead workers are deleted.
func (s *Store) Announce(ctx context.Context, n Node, only bool) (others []Node, err error) {
	err = s.Update(ctx, func(tx *Tx) (err error) {
		if err := tx.lockStorageKeys(); err != nil { // Rewrap sees this server, or this server sees the rewrapped keys
			return err
		}
		if only {
			if err := tx.exec(`DELETE FROM node WHERE role <> 'api'`); err != nil {
				return err
			}
		}
		if others, err = tx.Nodes(); err != nil {
			return err
		}
		for _, o := range others {
			if o.Blobs != n.Blobs && o.Blobs != "" && n.Blobs != "" {
				return fault.New(fault.Conflict, fault.CodeConflict,
					"server %s uses the same database and stores recordings in %s, but this server would store them "+
						"in %s; start all servers with the same --blobs, or with one folder and --shared-blobs "+
						"(a server that has died still counts for %s)",
					o.Name, o.Blobs, n.Blobs, NodeLife)
			}
		}
		return tx.putNode(n)
	})
	return others, err
}

// Renew records that a server is still running.
func (s *Store) Renew(ctx context.Context, n Node) error {
	return s.Update(ctx, func(tx *Tx) error { return tx.putNode(n) })
}

// Depart deletes the rows of a server that stops, and of servers that have died.
func (s *Store) Depart(ctx context.Context, id string) error {
	return s.Update(ctx, func(tx *Tx) error {
		now, err := tx.now()
		if err != nil {
			return err
		}
		return tx.exec(`DELETE FROM node WHERE id = $1 OR seen <= $2`, id, now.Add(-NodeLife).UnixMicro())
	})
}

func (tx *Tx) putNode(n Node) error {
	now, err := tx.now()
	if err != nil {
		return err
	}
	return tx.exec(`INSERT INTO node (id, name, role, keys, blobs, tables, seen) VALUES ($1, $2, $3, $4, $5, $6, $7)
		ON CONFLICT (id) DO UPDATE SET seen = excluded.seen`,
		n.ID, n.Name, n.Role, strings.Join(n.StorageKeys, " "), n.Blobs, known, now.UnixMicro())
}

// Nodes returns the running servers, by name.
func (tx *Tx) Nodes() ([]Node, error) {
	now, err := tx.now()
	if err != nil {
		return nil, err
	}
	rows := tx.query(`SELECT id, name, role, keys, blobs, tables, seen FROM node WHERE seen > $1 ORDER BY name, id`,
		now.Add(-NodeLife).UnixMicro())
	return sqlrow.All(rows, func(row sqlrow.Row) (n Node, err error) {
		var keys string
		err = row.Scan(&n.ID, &n.Name, &n.Role, &keys, &n.Blobs, &n.Tables, instant{&n.Seen})
		n.StorageKeys = strings.Fields(keys)
		return n, err
	})
}

// refuseRewrapping returns a Conflict if a running server could not read data under a storage key.
func (tx *Tx) refuseRewrapping(key string) error {
	nodes, err := tx.Nodes()
	if err != nil {
		return err
	}
	for _, n := range nodes {
		if !slices.Contains(n.StorageKeys, key) {
			return fault.New(fault.Conflict, fault.CodeConflict,
				"server %s runs without storage key %s and could no longer read recordings; restart it with "+
					"--storage-key-file and a file that contains this key, then rewrap (a server that has died "+
					"still counts for %s)",
				n.Name, key, NodeLife)
		}
	}
	return nil
}

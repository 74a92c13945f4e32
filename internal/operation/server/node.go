package server

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/google/uuid"

	"parley/internal/host/durable"
	"parley/internal/storage/store"
)

// announce registers this process among the servers on the database, before it reads or writes anything else there.
func (s *Server) announce(ctx context.Context) error {
	where, err := s.blobsIdentity()
	if err != nil {
		return err
	}
	keys, err := StorageKeys(s.Settings.Storage)
	if err != nil {
		return err
	}
	s.node = store.Node{
		ID: uuid.NewString(), Name: workerName(), Role: string(s.Settings.Role), StorageKeys: keys.IDs(), Blobs: where,
	}
	others, err := s.Store.Announce(ctx, s.node, s.lock != nil)
	if err != nil {
		return err
	}
	s.later(func() error {
		limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		s.Store.Depart(limited, s.node.ID) // on failure the row expires
		return nil
	})
	for _, o := range others {
		if len(s.node.StorageKeys) > 0 && !slices.Contains(o.StorageKeys, s.node.StorageKeys[0]) {
			s.Log.Warn("another server lacks the current storage key, and cannot read what this one "+
				"stores; "+
				"add the key to its --storage-key-file and start it again", "server", o.Name, "storageKey",
				s.node.StorageKeys[0])
		}
	}
	return nil
}

// renewNode renews this process's row until ctx ends.
func (s *Server) renewNode(ctx context.Context) {
	for range ticks(ctx, store.NodeBeat) {
		limited, cancel := context.WithTimeout(ctx, store.NodeBeat)
		if err := s.Store.Renew(limited, s.node); err != nil && ctx.Err() == nil {
			s.Log.Warn("renewing the registration of this server failed", "error", err)
		}
		cancel()
	}
}

// blobsIdentity identifies where recordings are stored, to detect servers that use different places. A folder has an id
// in a file, so that machines that share the folder agree. Servers on one SQLite file need none: a copied database has
// rows of the original's servers.
func (s *Server) blobsIdentity() (string, error) {
	if s.Settings.SQLite() {
		return "", nil
	}
	if s.Settings.Blobs != "" {
		u, err := url.Parse(s.Settings.Blobs)
		if err != nil {
			return "", errors.New("--blobs: not a URL")
		}
		return "s3://" + u.Host + u.Path, nil // without credentials; nodes may know an endpoint by several names
	}
	id, err := folderID(s.Settings.BlobDir())
	if err != nil {
		return "", fmt.Errorf("recordings' folder: %w", err)
	}
	return "folder " + id, nil
}

// folderID reads the id of a folder, or assigns one. Concurrent processes get the same id.
func folderID(dir string) (string, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	name := filepath.Join(dir, "id")
	if id, err := os.ReadFile(name); err == nil {
		return string(id), nil
	}
	f, err := os.CreateTemp(dir, ".id-*") // mode 0600
	if err != nil {
		return "", err
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(uuid.NewString())
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return "", err
	}
	err = os.Link(f.Name(), name) // never replaces another process's id
	if err != nil && !errors.Is(err, fs.ErrExist) {
		err = os.Rename(f.Name(), name) // on file systems without hard links
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	if err := durable.Folder(dir); err != nil {
		return "", err
	}
	id, err := os.ReadFile(name)
	return string(id), err
}

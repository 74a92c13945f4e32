package api

import (
	"bytes"
	"net/http"

	"parley/internal/call/definition"
	"parley/internal/call/wire"
	"parley/internal/host/memory"
	"parley/internal/storage/store"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// getMetadata answers with the metadata as submitted.
func (s *Server) getMetadata(w http.ResponseWriter, r *http.Request, who caller) error {
	id, err := mediaID(r)
	if err != nil {
		return err
	}
	if _, err := readQuery(r); err != nil {
		return err
	}
	var m *media.Metadata
	var version int64
	err = s.Store.View(r.Context(), func(tx *store.Tx) (err error) {
		m, version, err = tx.Metadata(who.Account.ID, id)
		return err
	})
	if err != nil {
		return err
	}
	w.Header().Set("ETag", versionTag(version))
	if known(r, version) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	return writeMetadata(w, r, id, m)
}

// writeMetadata answers with a copy of the metadata.
func writeMetadata(w http.ResponseWriter, r *http.Request, id media.ID, m *media.Metadata) error {
	if err := memory.Take(r.Context(), 2*int64(len(m.Bytes()))); err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, wire.NewMetadata(id, m))
	return nil
}

// putMetadata replaces all metadata, and updates the index for searches. It does not evaluate categories or classifiers
// again.
func (s *Server) putMetadata(w http.ResponseWriter, r *http.Request, who caller) error {
	id, err := mediaID(r)
	if err != nil {
		return err
	}
	if _, err := readQuery(r); err != nil {
		return err
	}
	m, err := s.readMetadata(w, r)
	if err != nil {
		return err
	}
	var version int64
	err = s.Store.Update(r.Context(), func(tx *store.Tx) (err error) {
		version, err = replaceMetadata(tx, r, who, id, m)
		return err
	})
	if err != nil {
		return err
	}
	w.Header().Set("ETag", versionTag(version))
	return writeMetadata(w, r, id, m)
}

// readMetadata parses a body, which must contain metadata; {} is empty metadata.
func (s *Server) readMetadata(w http.ResponseWriter, r *http.Request) (*media.Metadata, error) {
	sent, err := s.readDocument(w, r, media.MaxMetadataSent)
	if err != nil {
		return nil, err
	}
	m, err := readMetadata(r.Context(), bytes.TrimSpace(sent))
	if err == nil && m == nil {
		return nil, fault.New(fault.Invalid, fault.CodeMetadata,
			"the body has no metadata; send all metadata of the recording, or {} to delete it")
	}
	return m, err
}

// replaceMetadata stores metadata if the current version satisfies the request's preconditions.
func replaceMetadata(
	tx *store.Tx, r *http.Request, who caller, id media.ID, m *media.Metadata,
) (version int64, err error) {
	// every item has metadata, so If-Match: * alone always holds
	if unconditional(r) || r.Header.Get("If-Match") == "*" && r.Header.Get("If-None-Match") == "" {
		return tx.SetMetadata(who.Account.ID, id, m, definition.Any)
	}
	_, present, err := tx.Metadata(who.Account.ID, id)
	if err != nil {
		return 0, err
	}
	if !fulfilled(r, present) {
		return 0, fault.New(fault.Conflict, fault.CodePrecondition,
			"the metadata does not satisfy If-Match or If-None-Match; read it again")
	}
	return tx.SetMetadata(who.Account.ID, id, m, present)
}

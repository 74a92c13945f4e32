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
func (s *Server) getMetadata(w http.ResponseWriter, r *request) error {
	var m *media.Metadata
	var version int64
	err := s.Store.View(r.Context(), func(tx *store.Tx) (err error) {
		m, version, err = tx.Metadata(r.who.Account.ID, r.media)
		return err
	})
	if err != nil {
		return err
	}
	w.Header().Set("ETag", versionTag(version))
	if known(r.Request, version) {
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	return writeMetadata(w, r, m)
}

// writeMetadata answers with a copy of the metadata.
func writeMetadata(w http.ResponseWriter, r *request, m *media.Metadata) error {
	if err := memory.Take(r.Context(), 2*int64(len(m.Bytes()))); err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, wire.NewMetadata(r.media, m))
	return nil
}

// putMetadata replaces all metadata, and updates the index for searches. It does not evaluate categories or classifiers
// again.
func (s *Server) putMetadata(w http.ResponseWriter, r *request) error {
	m, err := s.readMetadata(r)
	if err != nil {
		return err
	}
	var version int64
	present := func(tx *store.Tx) (int64, error) {
		if r.Header.Get("If-Match") == "*" { // every item has metadata, whatever its version
			return definition.Any, nil
		}
		_, present, err := tx.Metadata(r.who.Account.ID, r.media)
		return present, err
	}
	err = s.change(r, "metadata", present, func(tx *store.Tx, expected int64) (err error) {
		version, err = tx.SetMetadata(r.who.Account.ID, r.media, m, expected)
		return err
	})
	if err != nil {
		return err
	}
	w.Header().Set("ETag", versionTag(version))
	return writeMetadata(w, r, m)
}

// readMetadata parses a body, which must contain metadata; {} is empty metadata.
func (s *Server) readMetadata(r *request) (*media.Metadata, error) {
	sent, err := s.readDocument(r, media.MaxMetadataSent)
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

package api

import (
	"net/http"

	"parley/internal/storage/store"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// getEncrypted answers with the sealed document of an item: the whole item as an OpenPGP message.
func (s *Server) getEncrypted(w http.ResponseWriter, r *request) error {
	document, err := store.Read(r.Context(), s.Store, func(tx *store.Tx) ([]byte, error) {
		m, err := tx.Media(r.who.Account.ID, r.media)
		if err != nil {
			return nil, err
		}
		if err := sealed(&m); err != nil {
			return nil, err
		}
		return tx.Sealed(r.who.Account.ID, r.media)
	})
	if err != nil {
		return err
	}
	attach(w, string(r.media)+".json.asc")
	w.Header().Set("ETag", etag(document))
	write(w, http.StatusOK, "application/octet-stream", document)
	return nil
}

// sealed returns the error that explains why an item has no sealed document; nil if it has one.
func sealed(m *media.Media) error {
	switch {
	case m.Sealing == nil:
		return fault.New(fault.NotFound, fault.CodeNotFound,
			"media %s is not encrypted; use GET /v3/media/%s", m.ID, m.ID)
	case !m.Sealed:
		return fault.New(fault.NotFound, fault.CodeNotFinished,
			"media %s is not encrypted yet: its status is %s; see GET /v3/media/%s/progress", m.ID, m.Status, m.ID)
	}
	return nil
}

package api

import (
	"mime"
	"net/http"

	"parley/internal/storage/store"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// getEncrypted answers with the sealed document of an item: the whole item as an OpenPGP message.
func (s *Server) getEncrypted(w http.ResponseWriter, r *http.Request, who caller) error {
	id, err := mediaID(r)
	if err != nil {
		return err
	}
	if _, err := readQuery(r); err != nil {
		return err
	}
	var document []byte
	err = s.Store.View(r.Context(), func(tx *store.Tx) error {
		m, err := tx.Media(who.Account.ID, id)
		if err != nil {
			return err
		}
		if err := sealed(&m); err != nil {
			return err
		}
		document, err = tx.Sealed(who.Account.ID, id)
		return err
	})
	if err != nil {
		return err
	}
	header := w.Header()
	header.Set("Content-Disposition",
		mime.FormatMediaType("attachment", map[string]string{"filename": string(id) + ".json.asc"}))
	header.Set("ETag", etag(document))
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

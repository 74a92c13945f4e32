package api

import (
	"net/http"

	"parley/internal/call/wire"
	"parley/internal/flow/pipeline"
	"parley/internal/storage/store"
	"parley/internal/words/account"
)

// category loads the saved category that the path names.
func (s *Server) category(r *http.Request, who caller) (saved savedCategory, err error) {
	err = s.Store.View(r.Context(), func(tx *store.Tx) error {
		d, err := tx.Definition(who.Account.ID, categories.kind, r.PathValue(categories.param))
		if err == nil {
			saved, err = categories.read(r.Context(), s, d)
		}
		return err
	})
	return saved, err
}

// applyCategory starts the evaluation of a category on all calls published before, and answers with its progress.
func (s *Server) applyCategory(w http.ResponseWriter, r *http.Request, who caller) error {
	if _, err := readQuery(r); err != nil {
		return err
	}
	saved, err := s.category(r, who)
	if err != nil {
		return err
	}
	a, err := pipeline.BeginApply(r.Context(), s.Store, who.Account.ID, saved.Name, saved.Query)
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, newApply(who, a))
	return nil
}

// getApply answers with the progress of evaluating a category on calls published before.
func (s *Server) getApply(w http.ResponseWriter, r *http.Request, who caller) error {
	if _, err := readQuery(r); err != nil {
		return err
	}
	var a store.Apply
	err := s.Store.View(r.Context(), func(tx *store.Tx) (err error) {
		a, err = tx.LastApply(who.Account.ID, r.PathValue(categories.param))
		return err
	})
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, newApply(who, a))
	return nil
}

// newApply renders the progress. Only callers who may see definitions get the condition, and only callers who may see
// figures get the number of matching calls.
func newApply(who caller, a store.Apply) wire.Apply {
	shown := wire.Apply{
		CategoryName: a.Category, Query: a.Condition, Status: a.Status, Calls: a.Total, Done: a.Done,
		DateStarted: wire.Time{Time: a.Started}, DateFinished: wire.Time{Time: a.Finished},
	}
	if !who.defines() {
		shown.Query = ""
	}
	if who.reads() || who.Scopes.Has(account.Analytics) {
		shown.Matched = &a.Matched
	}
	return wire.NewApply(shown)
}

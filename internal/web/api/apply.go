package api

import (
	"net/http"

	"parley/internal/call/definition"
	"parley/internal/call/wire"
	"parley/internal/flow/pipeline"
	"parley/internal/storage/store"
	"parley/internal/words/account"
	"parley/internal/words/fault"
)

// category loads the saved category that the path names.
func (s *Server) category(r *request, name string) (definition.Category, error) {
	return store.Read(r.Context(), s.Store, func(tx *store.Tx) (definition.Category, error) {
		saved, err := tx.Definition(r.who.Account.ID, categories.kind, name)
		if err != nil {
			return definition.Category{}, err
		}
		d, err := categories.read(r.Context(), s, saved)
		return d.content, err
	})
}

// applyCategory starts the evaluation of a category on all calls published before, and answers with its progress.
func (s *Server) applyCategory(r *request) (any, error) {
	saved, err := s.category(r, r.PathValue(categories.param))
	if err != nil {
		return nil, err
	}
	a, err := pipeline.BeginApply(r.Context(), s.Store, r.who.Account.ID, saved.Name, saved.Query)
	return newApply(r.who, a), err
}

// getApply answers with the progress of evaluating a category on calls published before; with 204 if nobody has asked for
// that yet.
func (s *Server) getApply(w http.ResponseWriter, r *request) error {
	owner, name, asked := r.who.Account.ID, r.PathValue(categories.param), true
	a, err := store.Read(r.Context(), s.Store, func(tx *store.Tx) (store.Apply, error) {
		a, err := tx.LastApply(owner, name)
		if asked = !fault.Is(err, fault.NotFound); asked {
			return a, err
		}
		_, err = tx.Definition(owner, categories.kind, name)
		return a, err
	})
	switch {
	case err != nil:
		return err
	case !asked:
		w.WriteHeader(http.StatusNoContent)
	default:
		writeJSON(w, http.StatusOK, newApply(r.who, a))
	}
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

package api

import (
	"fmt"
	"net/http"
	"strings"

	"parley/internal/call/definition"
	"parley/internal/call/wire"
	"parley/internal/storage/store"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// getSearchFields answers with the metadata fields that are searchable.
func (s *Server) getSearchFields(w http.ResponseWriter, r *request) error {
	var fields definition.SearchFields
	var version int64
	err := s.Store.View(r.Context(), func(tx *store.Tx) (err error) {
		fields, version, err = s.searchFields(tx, r.who.Account.ID)
		return err
	})
	if err != nil {
		return err
	}
	answerSearchFields(w, fields, version)
	return nil
}

// putSearchFields defines the metadata fields that are searchable for media published from now on.
func (s *Server) putSearchFields(w http.ResponseWriter, r *request) error {
	sent, err := s.readDocument(r, definition.MaxBytes)
	if err != nil {
		return err
	}
	fields, err := definition.ParseSearchFields(sent)
	if err != nil {
		return err
	}
	d := definition.Definition{Kind: definition.SearchField, Name: definition.SearchFieldsName, Sent: sent,
		Content: s.Codec.EncodeSearchFields(fields)}
	err = s.changeSearchFields(r, func(tx *store.Tx, expected int64) (err error) {
		d, err = tx.PutDefinition(r.who.Account.ID, d, expected)
		return err
	})
	if err != nil {
		return err
	}
	answerSearchFields(w, fields, d.Version)
	return nil
}

// deleteSearchFields removes all search fields, if there are any. Published media keep theirs.
func (s *Server) deleteSearchFields(r *request) error {
	return s.changeSearchFields(r, func(tx *store.Tx, expected int64) error {
		if expected == definition.Absent {
			return nil
		}
		err := tx.DeleteDefinition(r.who.Account.ID, definition.SearchField, definition.SearchFieldsName, expected)
		if fault.Is(err, fault.NotFound) {
			return nil
		}
		return err
	})
}

// changeSearchFields runs a change of an account's search fields.
func (s *Server) changeSearchFields(r *request, f func(tx *store.Tx, expected int64) error) error {
	return s.change(r, "search fields", func(tx *store.Tx) (int64, error) {
		_, present, err := s.searchFields(tx, r.who.Account.ID)
		return present, err
	}, f)
}

func answerSearchFields(w http.ResponseWriter, fields definition.SearchFields, version int64) {
	if version != definition.Absent {
		w.Header().Set("ETag", versionTag(version))
	}
	writeJSON(w, http.StatusOK, wire.NewSearchFields(fields))
}

// searchFields returns the search fields of an account. The version is definition.Absent if none are defined.
func (s *Server) searchFields(tx *store.Tx, owner account.ID) (definition.SearchFields, int64, error) {
	saved, err := tx.Definition(owner, definition.SearchField, definition.SearchFieldsName)
	if fault.Is(err, fault.NotFound) {
		return nil, definition.Absent, nil
	}
	if err != nil {
		return nil, 0, err
	}
	fields, err := s.Codec.DecodeSearchFields(saved.Content)
	return fields, saved.Version, err
}

// maxFilters is how many metadata filters one list request may have.
const maxFilters = 20

// extend adds metadata filters to a filter. If one names an undefined field, it adds a warning and nothing matches.
func (s *Server) extend(
	tx *store.Tx, owner account.ID, f *store.MediaFilter, sent []string,
) (warnings []fault.Problem, err error) {
	if len(sent) == 0 {
		return nil, nil
	}
	defined, _, err := s.searchFields(tx, owner)
	if err == nil {
		f.Fields, warnings = extendedFilters(sent, defined)
	}
	return warnings, err
}

// extendedFilters resolves the values of the parameter extendedFilter, each a name and a value separated by a colon or
// semicolon. It warns about filters that name no defined field.
func extendedFilters(
	sent []string, defined definition.SearchFields,
) (filters []media.FieldValue, undefined []fault.Problem) {
	for _, text := range sent {
		filter, ok := extendedFilter(text, defined)
		if !ok {
			name := text[:strings.IndexAny(text, ":;")]
			undefined = append(undefined, fault.Problem{Code: fault.CodeDefinition,
				Message: fmt.Sprintf("extendedFilter: the field %.80q is not defined, so no recording matches; define "+
					"it with PUT /v3/definition/media/search before recordings are processed", name)})
			continue
		}
		filters = append(filters, filter)
	}
	return filters, undefined
}

// extendedFilter splits a filter at a separator that follows the name of a defined field: both names and values may
// contain colons.
func extendedFilter(text string, defined definition.SearchFields) (media.FieldValue, bool) {
	for i, c := range text {
		if c != ':' && c != ';' {
			continue
		}
		if path, ok := defined.Resolve(text[:i]); ok {
			return media.FieldValue{Field: path, Text: text[i+1:]}, true
		}
	}
	return media.FieldValue{}, false
}

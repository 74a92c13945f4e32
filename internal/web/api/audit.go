package api

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"parley/internal/call/wire"
	"parley/internal/storage/store"
	"parley/internal/words/audit"
)

var auditParameters = []string{"action", "mediaId", "tokenId", "onOrAfterDate", "onOrBeforeDate", "after", "before",
	"limit", "sortOrder"}

// readAudit parses the parameters of the audit log.
func readAudit(r *http.Request) (audit.Filter, url.Values, error) {
	values, err := readQuery(r, auditParameters...)
	if err != nil {
		return audit.Filter{}, nil, err
	}
	f := audit.Filter{Limit: defaultLimit}
	for _, name := range auditParameters {
		value, err := single(values, name)
		if err == nil && value == "" && values.Has(name) {
			err = parameterFault("query parameter %s is empty; give a value or leave it out", name)
		}
		if err == nil && value != "" {
			err = setFilter(&f, name, value)
		}
		if err != nil {
			return audit.Filter{}, nil, err
		}
	}
	return f, values, nil
}

func setFilter(f *audit.Filter, name, value string) (err error) {
	switch name {
	case "action":
		f.Action, err = readAction(value)
	case "mediaId":
		f.Media, err = readBound(name, value)
	case "tokenId":
		f.Token = value
	case "onOrAfterDate":
		f.From, _, err = readDate(name, value)
	case "onOrBeforeDate":
		_, f.Until, err = readDate(name, value)
	case "after":
		f.After, err = readEventID(name, value)
	case "before":
		f.Before, err = readEventID(name, value)
	case "limit":
		f.Limit, err = readLimit(value)
	case "sortOrder":
		f.Ascending, err = readSort(value)
	}
	return err
}

func readAction(value string) (audit.Action, error) {
	action := audit.Action(strings.ToLower(value))
	if !slices.Contains(audit.Actions, action) {
		return "", parameterFault("action %q is unknown; use read, create, change or delete", value)
	}
	return action, nil
}

func readEventID(name, value string) (audit.ID, error) {
	id, ok := audit.ParseID(value)
	if !ok {
		return "", parameterFault("%s %q is not an event id", name, value)
	}
	return id, nil
}

// listAudit answers with a page of the account's audit log. The page includes every request that this node received
// earlier.
func (s *Server) listAudit(w http.ResponseWriter, r *http.Request, who caller) error {
	f, values, err := readAudit(r)
	if err != nil {
		return err
	}
	if err := s.Audit.Flush(r.Context()); err != nil {
		return err
	}
	more := f
	more.Limit++ // one extra row shows whether there is a next page
	var events []audit.Event
	err = s.Store.View(r.Context(), func(tx *store.Tx) (err error) {
		events, err = tx.Events(who.Account.ID, more)
		return err
	})
	if err != nil {
		return err
	}
	page := wire.AuditPage{Self: wire.Href("audit") + query(values), Limit: f.Limit, Direction: direction(f.Ascending),
		Events: events}
	if len(events) > f.Limit {
		page.Events = events[:f.Limit]
		page.Next = wire.Href("audit") + query(following(values, f.Ascending, string(events[f.Limit-1].ID)))
	}
	writeJSON(w, http.StatusOK, wire.NewAudit(page))
	return nil
}

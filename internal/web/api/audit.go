package api

import (
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
func readAudit(values url.Values) (f audit.Filter, err error) {
	f.Limit = defaultLimit
	err = eachParameter(values, auditParameters, func(name, value string) (err error) {
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
	})
	return f, err
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
func (s *Server) listAudit(r *request) (any, error) {
	f, err := readAudit(r.query)
	if err != nil {
		return nil, err
	}
	if err := s.Audit.Flush(r.Context()); err != nil {
		return nil, err
	}
	more := f
	more.Limit++ // one extra row shows whether there is a next page
	events, err := store.Read(r.Context(), s.Store, func(tx *store.Tx) ([]audit.Event, error) {
		return tx.Events(r.who.Account.ID, more)
	})
	page := wire.AuditPage{Self: wire.Href("audit") + queryString(r.query), Limit: f.Limit, Direction: direction(f.Ascending),
		Events: events}
	if len(events) > f.Limit {
		page.Events = events[:f.Limit]
		page.Next = wire.Href("audit") + queryString(following(r.query, f.Ascending, string(events[f.Limit-1].ID)))
	}
	return wire.NewAudit(page), err
}

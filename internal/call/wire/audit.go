package wire

import (
	"parley/internal/words/audit"
	"parley/internal/words/list"
	"parley/internal/words/media"
)

// Audit is a page of the audit log.
type Audit struct {
	Links      Links       `json:"_links"`
	Events     []Event     `json:"events"`
	Pagination *Pagination `json:"pagination"`
}

// Event is one line of the audit log.
type Event struct {
	ID            audit.ID      `json:"id"`
	Time          Time          `json:"time"`
	By            audit.By      `json:"by"`
	TokenID       string        `json:"tokenId,omitempty"`
	SessionID     string        `json:"sessionId,omitempty"`
	RemoteAddress string        `json:"remoteAddress,omitempty"`
	Reference     string        `json:"reference,omitempty"`
	Action        audit.Action  `json:"action"`
	Object        string        `json:"object"`
	MediaID       media.ID      `json:"mediaId,omitempty"`
	Name          string        `json:"name,omitempty"`
	Outcome       audit.Outcome `json:"outcome"`
	Code          int           `json:"code,omitempty"`
}

// AuditPage is the input of NewAudit.
type AuditPage struct {
	Self, Next string // relative references with their queries; Next is empty on the last page
	Events     []audit.Event
	Limit      int
	Direction  string // asc or desc
}

// NewAudit returns a page of the audit log.
func NewAudit(p AuditPage) Audit {
	a := Audit{
		Links: Links{"self": Link{p.Self}}, Events: list.Map(p.Events, newEvent),
		Pagination: &Pagination{Limit: p.Limit, SortOrder: []Sort{{Field: "time", Direction: p.Direction}}},
	}
	if p.Next != "" {
		a.Links["next"] = Link{p.Next}
	}
	return a
}

func newEvent(e audit.Event) Event {
	return Event{
		ID: e.ID, Time: Time{e.ID.Time()}, By: e.By, TokenID: e.Token, SessionID: e.Session,
		RemoteAddress: e.Remote, Reference: e.Reference, Action: e.Action, Object: e.Object, MediaID: e.Media, Name: e.Name,
		Outcome: e.Outcome, Code: e.Code,
	}
}

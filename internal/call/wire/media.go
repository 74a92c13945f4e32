package wire

import (
	"bytes"
	"encoding/json"
	"time"

	"parley/internal/call/caption"
	"parley/internal/call/result"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/media"
	"parley/internal/words/transcript"
)

// Summary is a media item as lists show it, and what the larger shapes begin with.
type Summary struct {
	Links               Links           `json:"_links"`
	FormatVersion       string          `json:"formatVersion,omitempty"`
	MediaID             media.ID        `json:"mediaId"`
	Status              media.Status    `json:"status"`
	DateCreated         Time            `json:"dateCreated"`
	DateFinished        Time            `json:"dateFinished,omitzero"`
	TimeToLiveInSeconds int64           `json:"timeToLiveInSeconds,omitempty"`
	ExpiresOn           Time            `json:"expiresOn,omitzero"`
	MediaContentType    string          `json:"mediaContentType,omitempty"`
	Length              *int64          `json:"length,omitempty"` // milliseconds; nil until known
	Metadata            json.RawMessage `json:"metadata,omitempty"`
}

// NewSummary returns the summary of a media item.
func NewSummary(m *media.Media) Summary {
	s := Summary{
		Links:               links(m.ID),
		FormatVersion:       FormatVersion,
		MediaID:             m.ID,
		Status:              m.Status,
		DateCreated:         Time{m.Created},
		DateFinished:        Time{m.Finished},
		TimeToLiveInSeconds: int64(m.TimeToLive / time.Second),
		ExpiresOn:           Time{m.Expires},
		MediaContentType:    m.ContentType,
		Metadata:            metadataOf(m),
	}
	if m.Length > 0 || m.Status == media.Finished {
		ms := m.Length.Milliseconds()
		s.Length = &ms
	}
	return s
}

// NewAccepted returns the answer to a submission: what is known before anything is processed.
func NewAccepted(m *media.Media) Summary {
	return Summary{
		Links:            links(m.ID, below(m)...),
		MediaID:          m.ID,
		Status:           m.Status,
		DateCreated:      Time{m.Created},
		MediaContentType: m.ContentType,
		Metadata:         m.Metadata.Bytes(),
	}
}

// below names what there is below an item that is not finished: metadata, unless it is sealed; then what it is sealed
// in.
func below(m *media.Media) []string {
	if m.Sealed {
		return []string{"progress", "streams", "encrypted"}
	}
	return []string{"progress", "metadata"}
}

// Media is a media item with its results. Sections that were not asked for are left out.
type Media struct {
	Summary
	AccountID       account.ID `json:"accountId"`
	AccountName     string     `json:"accountName"`
	InteractionType string     `json:"interactionType,omitempty"`
	Analyses
	Transcript *Transcript `json:"transcript,omitempty"`
	Streams    []Stream    `json:"streams,omitzero"`
	Encryption *Encryption `json:"encryption,omitempty"`
	Errors     []Problem   `json:"errors,omitempty"`
	Warnings   []Message   `json:"warnings,omitempty"`
	Job        *Job        `json:"_job,omitempty"`
}

// Item is what the answer for one media item is made of.
type Item struct {
	Media      *media.Media
	Account    account.Account
	Transcript *transcript.Transcript // nil until there is one to show
	Findings   result.Findings        // what was found in it
	Alternates []caption.Format       // further formats that were asked for
	Streams    []StreamAt             // those that may be fetched; nil leaves the section out
	Progress   *media.Progress        // nil leaves _job out: finished items that are not sealed
}

// NewMedia returns a media item.
func NewMedia(i Item) Media {
	m := Media{
		Summary:     NewSummary(i.Media),
		AccountID:   i.Account.ID,
		AccountName: i.Account.Name,
		Analyses:    newAnalyses(i.Transcript, i.Findings, i.Account.Compatibility),
		Transcript:  newTranscript(i.Transcript, i.Alternates),
		Encryption:  newEncryption(i.Media.Sealing),
		Errors:      errorsOf(i.Media.Problems),
		Warnings:    messages(i.Media.Warnings),
	}
	m.Links = links(i.Media.ID, below(i.Media)...)
	// one that is processed again has the earlier transcript
	if i.Media.Status == media.Finished || i.Transcript != nil {
		m.InteractionType = "speech"
		if !i.Media.Sealed {
			m.Links = links(i.Media.ID, "progress", "metadata", "transcript", "streams")
			for _, f := range caption.Formats {
				m.Links[string(f)] = Link{Href("media", string(i.Media.ID), "transcript", string(f))}
			}
		}
	}
	if i.Streams != nil {
		m.Streams = newStreamEntries(i.Streams)
	}
	if i.Progress != nil {
		m.Job = newJob(i.Media, *i.Progress)
	}
	return m
}

// List is a page of the media list.
type List struct {
	Links      Links       `json:"_links"`
	Media      []Summary   `json:"media"`
	Pagination *Pagination `json:"pagination,omitempty"`
	Warnings   []Message   `json:"warnings,omitempty"`
}

// Pagination says how a list was cut and ordered.
type Pagination struct {
	Limit     int    `json:"limit"`
	SortOrder []Sort `json:"sortOrder"`
}

// Sort is one key of a list's order.
type Sort struct {
	Field     string `json:"field"`
	Direction string `json:"direction"` // asc or desc
}

// Page is what a list is made of.
type Page struct {
	Self, Next string // relative references with their queries; no Next on the last page
	Media      []*media.Media
	Limit      int
	Direction  string // asc or desc
	Warnings   []fault.Problem
}

// NewList returns a page of the media list.
func NewList(p Page) List {
	l := List{
		Links:      Links{"self": Link{p.Self}},
		Media:      make([]Summary, len(p.Media)),
		Pagination: &Pagination{Limit: p.Limit, SortOrder: []Sort{{Field: "dateCreated", Direction: p.Direction}}},
		Warnings:   messages(p.Warnings),
	}
	if p.Next != "" {
		l.Links["next"] = Link{p.Next}
	}
	for i, m := range p.Media {
		l.Media[i] = NewSummary(m)
		if m.Sealing != nil { // it is not found by its metadata either
			l.Media[i].Metadata = nil
		}
	}
	return l
}

// NewMetadata returns the answer of GET …/metadata: the members as sent, behind a link to themselves.
func NewMetadata(id media.ID, m *media.Metadata) json.RawMessage {
	answer := []byte(`{"_links":{"self":{"href":"` + Href("media", string(id), "metadata") + `"}}`)
	object := bytes.TrimSpace(m.Bytes())
	members := bytes.TrimSpace(bytes.TrimSuffix(bytes.TrimPrefix(object, []byte("{")), []byte("}")))
	if len(members) > 0 {
		answer = append(append(answer, ','), members...)
	}
	return append(answer, '}')
}

// metadataOf returns the metadata as sent, an empty object where none was given; nothing of what is sealed.
func metadataOf(m *media.Media) json.RawMessage {
	if m.Sealed {
		return nil
	}
	if m.Metadata == nil {
		return json.RawMessage("{}")
	}
	return m.Metadata.Bytes()
}

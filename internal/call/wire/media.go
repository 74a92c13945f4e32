package wire

import (
	"bytes"
	"encoding/json"
	"time"

	"parley/internal/call/caption"
	"parley/internal/call/result"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/list"
	"parley/internal/words/media"
	"parley/internal/words/transcript"
)

// Summary is a media item as shown in lists; the larger representations embed it.
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
		s.Length = new(m.Length.Milliseconds())
	}
	return s
}

// NewAccepted returns the answer to a submission: the data that is known before processing.
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

// below returns the names of the sub-resources of an unfinished item: progress and metadata, or progress, streams and
// the encrypted results if the item is encrypted.
func below(m *media.Media) []string {
	if m.Sealed {
		return []string{"progress", "streams", "encrypted"}
	}
	return []string{"progress", "metadata"}
}

// Media is a media item with its results. Sections that were not requested are absent.
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

// Item is the input of NewMedia.
type Item struct {
	Media      *media.Media
	Account    account.Account
	Transcript *transcript.Transcript // nil until it is available
	Findings   result.Findings        // results of its analyses
	Alternates []caption.Format       // further requested formats
	Omit       Parts                  // of the transcript
	Streams    []StreamAt             // streams that can be downloaded; nil omits the section
	Progress   *media.Progress        // nil omits _job: finished items that are not encrypted
}

// NewMedia returns a media item.
func NewMedia(i Item) Media {
	m := Media{
		Summary:     NewSummary(i.Media),
		AccountID:   i.Account.ID,
		AccountName: i.Account.Name,
		Analyses:    newAnalyses(i.Transcript, i.Findings, i.Account.Compatibility),
		Transcript:  newTranscript(i.Transcript, i.Omit, i.Alternates),
		Encryption:  newEncryption(i.Media.Sealing),
		Errors:      errorsOf(i.Media.Problems),
		Warnings:    messages(i.Media.Warnings),
	}
	m.Links = links(i.Media.ID, below(i.Media)...)
	// While an item is processed again, it has the earlier transcript.
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
		m.Streams = list.Map(i.Streams, newStream)
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

// Pagination describes the page and the order of a list.
type Pagination struct {
	Limit     int    `json:"limit"`
	SortOrder []Sort `json:"sortOrder"`
}

// Sort is one key of a list's order.
type Sort struct {
	Field     string `json:"field"`
	Direction string `json:"direction"` // asc or desc
}

// Page is the input of NewList.
type Page struct {
	Self, Next string // relative references with their queries; Next is empty on the last page
	Media      []*media.Media
	Limit      int
	Direction  string // asc or desc
	Warnings   []fault.Problem
}

// NewList returns a page of the media list.
func NewList(p Page) List {
	l := List{
		Links:      Links{"self": Link{p.Self}},
		Media:      list.Map(p.Media, newEntry),
		Pagination: &Pagination{Limit: p.Limit, SortOrder: []Sort{{Field: "dateCreated", Direction: p.Direction}}},
		Warnings:   messages(p.Warnings),
	}
	if p.Next != "" {
		l.Links["next"] = Link{p.Next}
	}
	return l
}

// newEntry returns the summary of an item in a list.
func newEntry(m *media.Media) Summary {
	s := NewSummary(m)
	if m.Sealing != nil { // searching by its metadata is not possible either
		s.Metadata = nil
	}
	return s
}

// NewMetadata returns the answer of GET …/metadata: a link to itself, then the members as sent.
func NewMetadata(id media.ID, m *media.Metadata) json.RawMessage {
	answer := []byte(`{"_links":{"self":{"href":"` + Href("media", string(id), "metadata") + `"}}`)
	object := bytes.TrimSpace(m.Bytes())
	members := bytes.TrimSpace(bytes.TrimSuffix(bytes.TrimPrefix(object, []byte("{")), []byte("}")))
	if len(members) > 0 {
		answer = append(append(answer, ','), members...)
	}
	return append(answer, '}')
}

// metadataOf returns the metadata as sent: an empty object if there was none, nothing if it is encrypted.
func metadataOf(m *media.Media) json.RawMessage {
	if m.Sealed {
		return nil
	}
	if m.Metadata == nil {
		return json.RawMessage("{}")
	}
	return m.Metadata.Bytes()
}

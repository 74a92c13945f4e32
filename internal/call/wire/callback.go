package wire

import (
	"encoding/base64"
	"time"

	"parley/internal/call/delivery"
	"parley/internal/words/list"
	"parley/internal/words/media"
)

// Delivery is the body of an analytics callback: the media item, restricted to the requested sections.
type Delivery struct {
	Media
	Messages []Message `json:"messages,omitzero"`
}

// sections copy each section that a callback can include from the whole item.
var sections = map[string]func(to, from *Delivery){
	"metadata":          func(to, from *Delivery) { to.Metadata = from.Metadata },
	"transcript":        func(to, from *Delivery) { to.Transcript = from.Transcript },
	"knowledge":         func(to, from *Delivery) { to.Knowledge = from.Knowledge },
	"spotting":          func(to, from *Delivery) { to.Spotting = from.Spotting },
	"conversation":      func(to, from *Delivery) { to.Conversation = from.Conversation },
	"categories":        func(to, from *Delivery) { to.Categories = from.Categories },
	"prediction":        func(to, from *Delivery) { to.Prediction = from.Prediction },
	"streams":           func(to, from *Delivery) { to.Streams = from.Streams },
	"metrics":           func(to, from *Delivery) { to.Metrics = from.Metrics },
	"speakerSentiments": func(to, from *Delivery) { to.SpeakerSentiments = from.SpeakerSentiments },
	"messages":          func(to, from *Delivery) { to.Messages, to.Warnings = from.Messages, from.Warnings },
}

// NewDelivery returns the body of an analytics callback with the named sections; nil selects all.
func NewDelivery(i Item, include []string) Delivery {
	all := Delivery{Media: NewMedia(i), Messages: messages(i.Media.Warnings)}
	if include == nil {
		return all
	}
	d := all
	d.Metadata, d.Transcript, d.Streams, d.Warnings, d.Messages, d.Analyses = nil, nil, nil, nil, nil, Analyses{}
	for _, name := range include {
		if add := sections[name]; add != nil {
			add(&d, &all)
		}
	}
	return d
}

// Callback is a delivery as shown to its account.
type Callback struct {
	Links       Links          `json:"_links"`
	CallbackID  string         `json:"callbackId"`
	Type        string         `json:"type"`
	Method      string         `json:"method"`
	Endpoint    string         `json:"endpoint"` // the address without its query
	Include     []string       `json:"include,omitempty"`
	Format      string         `json:"format,omitempty"`
	Stream      string         `json:"stream,omitempty"`
	Status      delivery.State `json:"status"`
	Attempts    int            `json:"attempts"` // completed attempts of the schedule
	DateBegan   Time           `json:"dateBegan"`
	NextAttempt Time           `json:"nextAttempt,omitzero"`
	DateDone    Time           `json:"dateDone,omitzero"`
	Tries       []CallbackTry  `json:"tries"`
}

// CallbackTry is one request to a receiver.
type CallbackTry struct {
	Attempt  int    `json:"attempt"` // of the schedule, from 1
	Date     Time   `json:"date"`
	Duration int64  `json:"duration"` // ms
	Status   int    `json:"status,omitempty"`
	Error    string `json:"error,omitempty"`
	Answer   string `json:"answer,omitempty"` // its beginning

	AnswerEncoding string `json:"answerEncoding,omitempty"` // Base64 if the answer is not text
}

// NewCallback returns a delivery with its tries.
func NewCallback(d delivery.Delivery, tries []delivery.Try) Callback {
	return Callback{
		Links: Links{"self": Link{Href("media", string(d.Media), "callbacks", d.ID)},
			"retry": Link{Href("media", string(d.Media), "callbacks", d.ID, "retry")}},
		CallbackID: d.ID, Type: d.Type, Method: d.Method, Endpoint: d.Endpoint(), Include: d.Include, Format: d.Format,
		Stream: d.Stream, Status: d.State, Attempts: d.Attempt, DateBegan: Time{d.Began}, NextAttempt: Time{d.Next},
		DateDone: Time{d.Done}, Tries: list.Map(tries, newTry),
	}
}

func newTry(t delivery.Try) CallbackTry {
	w := CallbackTry{Attempt: t.Attempt + 1, Date: Time{t.At}, Duration: t.Took.Round(time.Millisecond).Milliseconds(),
		Status: t.Status, Error: t.Error}
	if text, ok := delivery.Text(t.Answer); ok {
		w.Answer = text
	} else {
		w.Answer, w.AnswerEncoding = base64.StdEncoding.EncodeToString(t.Answer), "Base64"
	}
	return w
}

// Callbacks is the list of the deliveries of a media item.
type Callbacks struct {
	Links     Links      `json:"_links"`
	MediaID   media.ID   `json:"mediaId"`
	Callbacks []Callback `json:"callbacks"`
}

// NewCallbacks returns the deliveries of an item with the tries of each.
func NewCallbacks(id media.ID, all []delivery.Delivery, tries map[string][]delivery.Try) Callbacks {
	return Callbacks{self("media", string(id), "callbacks"), id,
		list.Map(all, func(d delivery.Delivery) Callback { return NewCallback(d, tries[d.ID]) })}
}

// Endpoints is the list of failing receivers.
type Endpoints struct {
	Links     Links      `json:"_links"`
	Endpoints []Endpoint `json:"endpoints"`
}

// Endpoint is a failing receiver.
type Endpoint struct {
	Endpoint     string      `json:"endpoint"` // the address without its query
	FailingSince Time        `json:"failingSince"`
	Failures     int64       `json:"failures"` // tries since then
	LastTry      CallbackTry `json:"lastTry"`
}

// NewEndpoints returns the list of failing receivers.
func NewEndpoints(all []delivery.Endpoint) Endpoints {
	return Endpoints{self("callbacks", "endpoints"), list.Map(all, func(e delivery.Endpoint) Endpoint {
		return Endpoint{e.Address, Time{e.Since}, e.Failures, newTry(e.Last)}
	})}
}

// CallbackSecret is a key for signing deliveries.
type CallbackSecret struct {
	Links    Links  `json:"_links"`
	SecretID string `json:"secretId"`
	Created  Time   `json:"dateCreated"`
	Secret   string `json:"secret,omitempty"` // only in the answer that creates it
}

// CallbackSecrets is the list of an account's secrets.
type CallbackSecrets struct {
	Links   Links            `json:"_links"`
	Secrets []CallbackSecret `json:"secrets"`
}

// NewCallbackSecret returns the metadata of a secret, without its key.
func NewCallbackSecret(s delivery.Secret) CallbackSecret {
	return CallbackSecret{Links: self("callbacks", "secrets", s.ID), SecretID: s.ID, Created: Time{s.Created}}
}

// NewCallbackSecrets returns the list of secrets, without their keys.
func NewCallbackSecrets(all []delivery.Secret) CallbackSecrets {
	return CallbackSecrets{self("callbacks", "secrets"), list.Map(all, NewCallbackSecret)}
}

// DeliverySummary is a delivery in the list of an account.
type DeliverySummary struct {
	Links       Links          `json:"_links"`
	CallbackID  string         `json:"callbackId"`
	MediaID     media.ID       `json:"mediaId"`
	Type        string         `json:"type"`
	Method      string         `json:"method"`
	Endpoint    string         `json:"endpoint"`
	Include     []string       `json:"include,omitempty"`
	Format      string         `json:"format,omitempty"`
	Stream      string         `json:"stream,omitempty"`
	Status      delivery.State `json:"status"`
	Attempts    int            `json:"attempts"`
	TryCount    int            `json:"tryCount"`
	DateBegan   Time           `json:"dateBegan"`
	NextAttempt Time           `json:"nextAttempt,omitzero"`
	DateDone    Time           `json:"dateDone,omitzero"`
	LastTry     *CallbackTry   `json:"lastTry,omitempty"`
}

// NewDeliverySummary returns a delivery with its last try; last is nil before the first.
func NewDeliverySummary(d delivery.Delivery, last *delivery.Try, tries int) DeliverySummary {
	c := NewCallback(d, nil)
	s := DeliverySummary{Links: c.Links, CallbackID: c.CallbackID, MediaID: d.Media, Type: c.Type, Method: c.Method,
		Endpoint: c.Endpoint, Include: c.Include, Format: c.Format, Stream: c.Stream, Status: c.Status,
		Attempts: c.Attempts, TryCount: tries, DateBegan: c.DateBegan, NextAttempt: c.NextAttempt, DateDone: c.DateDone}
	if last != nil {
		s.LastTry = new(newTry(*last))
	}
	return s
}

// Deliveries is a page of the deliveries of an account.
type Deliveries struct {
	Links     Links             `json:"_links"`
	Callbacks []DeliverySummary `json:"callbacks"`
}

// NewDeliveries returns a page; next is empty on the last page.
func NewDeliveries(here, next string, page []DeliverySummary) Deliveries {
	d := Deliveries{Links{"self": Link{here}}, page}
	if next != "" {
		d.Links["next"] = Link{next}
	}
	return d
}

// Retry is the progress of sending many deliveries again.
type Retry struct {
	Links        Links   `json:"_links"`
	RetryID      string  `json:"retryId"`
	Callbacks    Retried `json:"callbacks"`
	Status       string  `json:"status"`          // running, finished or failed
	Total        *int64  `json:"total,omitempty"` // nil until they are counted
	Done         int64   `json:"done"`
	Percent      int     `json:"percent"`
	Delivered    int64   `json:"delivered"`
	Failed       int64   `json:"failed"`
	Pending      int64   `json:"pending"`
	DateStarted  Time    `json:"dateStarted"`
	DateFinished Time    `json:"dateFinished,omitzero"`
}

// Retried describes the deliveries that a Retry asked for.
type Retried struct {
	Endpoint string         `json:"endpoint,omitempty"`
	Since    Time           `json:"since,omitzero"`
	Status   delivery.State `json:"status"`
}

// NewRetry adds the links and the percentage.
func NewRetry(r Retry) Retry {
	r.Links = self("callbacks", "retry", r.RetryID)
	if r.Total != nil || r.Status == "finished" {
		total := r.Done
		if r.Total != nil {
			total = *r.Total
		}
		r.Percent = percentOf(r.Status, r.Done, total)
	}
	return r
}

package api

import (
	"context"
	"maps"
	"net/http"
	"net/url"

	"parley/internal/call/caption"
	"parley/internal/call/wire"
	"parley/internal/flow/payload"
	"parley/internal/flow/pipeline"
	"parley/internal/host/memory"
	"parley/internal/storage/store"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// root lists the resources.
func (s *Server) root(*request) (any, error) {
	return wire.NewRoot("media", "definition/categories", "definition/media/search", "definition/metrics",
		"definition/prediction/classifiers", "definition/prediction/detectors", "definition/spotting/groups",
		"definition/vocabularies", "definition/presets", "definition/dashboards", "analytics/vbql", "analytics/schema",
		"analytics/queries", "profile/keys", "profile/limits", "profile/sessions", "usage/months", "audit", "queue",
		"callbacks/endpoints", "callbacks/secrets", "security/public-keys"), nil
}

// summaryMemory is the approximate memory to render an item of a list, in addition to what is read of it. Measured;
// most of it is for links.
const summaryMemory = 2 << 10

// listMedia answers with a page of the account's media.
func (s *Server) listMedia(r *request) (any, error) {
	q, err := readList(r.query)
	if err != nil {
		return nil, err
	}
	filter := q.MediaFilter
	filter.Limit++ // one extra item shows whether there is a next page
	items, warnings, err := s.list(r, q, filter)
	if err != nil {
		return nil, err
	}
	page := wire.Page{Self: wire.Href("media") + queryString(r.query), Limit: q.Limit, Direction: direction(q.Ascending),
		Warnings: warnings}
	if len(items) > q.Limit {
		items = items[:q.Limit]
		page.Next = wire.Href("media") + queryString(following(r.query, q.Ascending, string(items[q.Limit-1].ID)))
	}
	for i := range items {
		page.Media = append(page.Media, &items[i])
	}
	if err := memory.Take(r.Context(), summaryMemory*int64(len(items))); err != nil {
		return nil, err
	}
	return wire.NewList(page), nil
}

// list returns the account's media that match a filter and, if there is one, a query.
func (s *Server) list(r *request, q listQuery, filter store.MediaFilter) (
	items []media.Media, warnings []fault.Problem, err error) {
	owner := r.who.Account.ID
	err = s.Store.View(r.Context(), func(tx *store.Tx) (err error) {
		if warnings, err = s.extend(tx, owner, &filter, q.Extended); err != nil || warnings != nil || q.Query != nil {
			return err
		}
		items, err = tx.ListMedia(owner, filter)
		return err
	})
	if err == nil && warnings == nil && q.Query != nil {
		items, err = s.Analytics.List(r.Context(), owner, q.Query, filter)
	}
	return items, warnings, err
}

func queryString(values url.Values) string {
	if len(values) == 0 {
		return ""
	}
	return "?" + values.Encode()
}

func direction(ascending bool) string {
	if ascending {
		return "asc"
	}
	return "desc"
}

// following returns the parameters of the next page. after and before refer to the order of time, so the last item of
// an ascending page becomes the lower bound of the next page, and that of a descending page the upper bound.
func following(values url.Values, ascending bool, last string) url.Values {
	next := maps.Clone(values)
	if ascending {
		next.Set("after", last)
	} else {
		next.Set("before", last)
	}
	return next
}

// load reads the item of a path and, if results is set, its results.
func (s *Server) load(r *request, results bool) (payload.View, error) {
	return payload.Load(r.Context(), s.Store, s.Codec, r.who.Account.ID, r.media, results)
}

// getMedia answers with one item and its results.
func (s *Server) getMedia(w http.ResponseWriter, r *request) error {
	shown, err := readShown(r.query)
	if err != nil {
		return err
	}
	v, current, err := s.changed(w, r, shown, s.itemTag)
	if err != nil || current {
		return err
	}
	locations := s.locations(r, &v)
	answer, err := spoken(r.Context(), v, shown.formats, func() any {
		item := v.Item(r.who.Account, locations, shown.formats...)
		item.Omit = shown.omit
		return wire.NewMedia(item)
	})
	if err == nil {
		writeJSON(w, http.StatusOK, answer)
	}
	return err
}

// deleteMedia deletes an item and all its data.
func (s *Server) deleteMedia(r *request) error {
	return pipeline.Delete(r.Context(), s.Store, r.who.Account.ID, r.media)
}

// getProgress answers with the progress of processing.
func (s *Server) getProgress(r *request) (any, error) {
	v, err := s.load(r, false)
	return wire.NewProgress(&v.Media, v.Progress), err
}

// getTranscript answers with the transcript in the format chosen by content negotiation.
func (s *Server) getTranscript(w http.ResponseWriter, r *request) error {
	format, ok := negotiate(r.Header.Get("Accept"))
	if !ok {
		return fault.New(fault.Invalid, fault.CodeNotAcceptable, "Accept %q is not supported for transcripts; use %s",
			r.Header.Get("Accept"), fault.Choice(caption.ContentTypes()))
	}
	w.Header().Add("Vary", "Accept")
	return s.transcript(w, r, format)
}

// getTranscriptAs answers with the transcript in the format of the path.
func (s *Server) getTranscriptAs(w http.ResponseWriter, r *request) error {
	name := r.PathValue("format")
	format, ok := caption.ParseFormat(name)
	if !ok {
		return fault.New(fault.NotFound, fault.CodeNoSuchAPI, "no transcript format %q; use %s", name,
			fault.Choice(caption.All))
	}
	return s.transcript(w, r, format)
}

// noTranscript is the error for an item without a transcript. It refers the client to progress while the item is
// processed, otherwise to the item's errors.
func noTranscript(m *media.Media) error {
	see := "/progress"
	if m.Status == media.Failed || m.Status == media.Rejected {
		see = " for its errors"
	}
	return fault.New(fault.NotFound, fault.CodeNotFinished,
		"media %s has no transcript: its status is %s; see GET /v3/media/%s%s", m.ID, m.Status, m.ID, see)
}

// transcript answers with the transcript in a format.
func (s *Server) transcript(w http.ResponseWriter, r *request, format caption.Format) error {
	shown, err := readShown(r.query)
	if err != nil {
		return err
	}
	v, current, err := s.changed(w, r, shown, func(_ *request, v *payload.View, shown showing) string {
		return s.transcriptTag(v, format, shown)
	})
	if err != nil || current {
		return err
	}
	if v.Media.Sealed {
		return fault.New(fault.NotFound, fault.CodeSealed,
			"the transcript of media %s is encrypted for its owner; use GET /v3/media/%s/encrypted", v.Media.ID, v.Media.ID)
	}
	if v.Result == nil {
		return noTranscript(&v.Media)
	}
	if format != caption.JSON {
		text, err := captions(r.Context(), v, format)
		if err == nil {
			write(w, http.StatusOK, format.ContentType()+"; charset=utf-8", text)
		}
		return err
	}
	answer, err := spoken(r.Context(), v, shown.formats, func() any {
		return wire.NewTranscriptWithout(shown.omit, &v.Media, v.Result.Transcript, shown.formats)
	})
	if err == nil {
		writeJSON(w, http.StatusOK, answer)
	}
	return err
}

// spoken renders an item with its transcript in some formats. The memory is accounted for before it is allocated.
func spoken(ctx context.Context, v payload.View, formats []caption.Format, f func() any) (any, error) {
	return work(ctx, func() (any, error) {
		var most, kept int64
		if v.Result != nil {
			most, kept = wire.Memory(v.Result.Transcript, formats)
		}
		if err := memory.Take(ctx, most); err != nil {
			return nil, err
		}
		defer memory.Give(ctx, most-kept)
		return f(), nil
	})
}

// captions renders a transcript in a format. The memory is accounted for before it is allocated.
func captions(ctx context.Context, v payload.View, format caption.Format) ([]byte, error) {
	return work(ctx, func() ([]byte, error) {
		most, _ := caption.Memory(v.Result.Transcript, []caption.Format{format})
		if err := memory.Take(ctx, most); err != nil {
			return nil, err
		}
		text := caption.Render(v.Result.Transcript, format)
		memory.Give(ctx, most-int64(cap(text)))
		return text, nil
	})
}

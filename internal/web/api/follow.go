package api

import (
	"slices"
	"strconv"
	"time"

	"parley/internal/call/wire"
	"parley/internal/host/memory"
	"parley/internal/storage/store"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// Limits of requests about several recordings.
const (
	maxProgress = 100              // recordings whose progress is asked for at once
	maxWait     = 30 * time.Second // that a request waits for changes
)

// waitForPlace is how long requests are told to stay away when all places for those who wait are taken.
const waitForPlace = 10 * time.Second

// progressMemory is the approximate memory to render the progress of a recording.
const progressMemory = 4 << 10

// getProgressOfMany answers with the progress of several recordings, in the order of the request. A recording that is
// not found has an entry that says so.
func (s *Server) getProgressOfMany(r *request) (any, error) {
	ids, err := readIDs(r.query["mediaId"])
	if err != nil {
		return nil, err
	}
	if err := memory.Take(r.Context(), progressMemory*int64(len(ids))); err != nil {
		return nil, err
	}
	items, err := store.Read(r.Context(), s.Store, func(tx *store.Tx) (map[media.ID]store.Underway, error) {
		return tx.ProgressOf(r.who.Account.ID, ids)
	})
	if err != nil {
		return nil, err
	}
	answer := make([]wire.ProgressEntry, len(ids))
	for i, id := range ids {
		if item, ok := items[id]; ok {
			answer[i] = wire.NewProgressEntry(item.Media, item.Progress)
		} else {
			answer[i] = wire.NoProgressEntry(id, fault.Problem{Code: fault.CodeNotFound, Message: "no media with id " +
				strconv.Quote(string(id))})
		}
	}
	return wire.NewProgressOfMany(answer), nil
}

// readIDs parses the ids of recordings, and drops repetitions.
func readIDs(values []string) ([]media.ID, error) {
	var ids []media.ID
	for _, value := range values {
		id, err := readBound("mediaId", value)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
		if len(ids) > maxProgress {
			return nil, parameterFault("%d query parameters mediaId; the maximum is %d", len(values), maxProgress)
		}
	}
	if len(ids) == 0 {
		return nil, parameterFault("query parameter mediaId is missing; give the ids of 1 to %d recordings, each in a "+
			"parameter", maxProgress)
	}
	return ids, nil
}

var changesParameters = []string{"after", "wait", "limit"}

// changesQuery holds the parsed parameters of the changes.
type changesQuery struct {
	After *int64 // nil: the present cursor is asked for
	Wait  time.Duration
	Limit int
}

// set parses a parameter.
func (q *changesQuery) set(name, value string) (err error) {
	switch name {
	case "after":
		q.After, err = readCursor(value)
	case "wait":
		q.Wait, err = readWait(value)
	case "limit":
		q.Limit, err = readLimit(value)
	}
	return err
}

// longestCursor is the number of digits of the cursors of the next thousands of years.
const longestCursor = 18

func readCursor(value string) (*int64, error) {
	n, err := strconv.ParseUint(value, 10, 63)
	if err != nil || len(value) > longestCursor {
		return nil, parameterFault("after %.80q is not a cursor; use the cursor of an answer, or leave it out", value)
	}
	return new(int64(n)), nil
}

func readWait(value string) (time.Duration, error) {
	n, err := strconv.Atoi(value)
	if wait := time.Duration(n) * time.Second; err == nil && n >= 0 && n <= int(maxWait/time.Second) {
		return wait, nil
	}
	return 0, parameterFault("wait %.80q is invalid; use a number of seconds from 0 to %d", value, maxWait/time.Second)
}

func (q *changesQuery) check() error {
	if q.Wait > 0 && q.After == nil {
		return parameterFault("wait needs after; ask without both for the present cursor")
	}
	return nil
}

// getChanges answers with the recordings of the account that changed after a cursor, and waits for the first change if
// the request says so.
func (s *Server) getChanges(r *request) (any, error) {
	q := changesQuery{Limit: defaultLimit}
	if err := eachParameter(r.query, changesParameters, q.set); err != nil {
		return nil, err
	}
	if err := q.check(); err != nil {
		return nil, err
	}
	var page store.ChangePage
	var err error
	switch {
	case q.After == nil:
		page.Cursor, err = store.Read(r.Context(), s.Store, (*store.Tx).Present)
	case q.Wait == 0:
		page, err = s.changes(r, q)
	default:
		page, err = s.awaitChanges(r, q)
	}
	if err != nil {
		return nil, err
	}
	if err := memory.Take(r.Context(), summaryMemory*int64(len(page.Changes))); err != nil {
		return nil, err
	}
	visitOf(r.Context()).nothing = len(page.Changes) == 0
	return wire.NewChanges(page.Cursor, changesOf(page), page.More, page.Lost), nil
}

// changesOf converts a page.
func changesOf(page store.ChangePage) []wire.Change {
	all := make([]wire.Change, len(page.Changes))
	for i, c := range page.Changes {
		all[i] = wire.NewChange(c.ID, c.Media)
	}
	return all
}

func (s *Server) changes(r *request, q changesQuery) (store.ChangePage, error) {
	return store.Read(r.Context(), s.Store, func(tx *store.Tx) (store.ChangePage, error) {
		return tx.Changes(r.who.Account.ID, *q.After, q.Limit)
	})
}

// awaitChanges returns the next page of changes, and an empty one after the wait or when the server stops. While it
// waits the request does not count as one in progress: the feed bounds how many wait.
func (s *Server) awaitChanges(r *request, q changesQuery) (store.ChangePage, error) {
	place, err := s.Feed.Join(r.who.Account.ID)
	if err != nil {
		visitOf(r.Context()).retry = waitForPlace
		return store.ChangePage{}, err
	}
	defer place.Leave()
	visitOf(r.Context()).wait()
	over := time.NewTimer(q.Wait)
	defer over.Stop()
	for {
		page, err := s.changes(r, q)
		if err != nil || len(page.Changes) > 0 || page.Lost {
			return page, err
		}
		select {
		case <-place.Changed():
		case <-over.C:
			return page, nil
		case <-s.Stopping.Done():
			return page, nil
		case <-r.Context().Done():
			return page, r.Context().Err()
		}
	}
}

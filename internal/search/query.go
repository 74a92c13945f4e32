package search

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"time"

	"parley/internal/account"
	"parley/internal/fault"
	"parley/internal/media"
	"parley/internal/search/fulltext"
	"parley/internal/search/tokenfile"
	"parley/internal/store"
)

const (
	// patience is how long one query may judge recordings that the index does not have.
	patience = 20 * time.Second
	// listedFirst is how many recordings that fulfil the other conditions are judged before the index is asked: a condition
	// such as externalId leaves few.
	listedFirst = 1000
	// mostChanges bounds the changes that a query keeps in mind; with more of them the index is not asked at all.
	mostChanges = 100_000
)

// Search returns the recordings of an account that match a query and a filter, in the filter's order, at most as many as
// its limit. It sees every recording as the database has it in one moment. Unavailable when the index is being built and the query
// would take too long without it.
func (x *Index) Search(ctx context.Context, a account.ID, q *fulltext.Query, f store.MediaFilter) (found []media.Media, err error) {
	if f.Limit <= 0 {
		f.Limit = 100
	}
	f.Searchable = true
	err = x.Store.View(ctx, func(tx *store.Tx) error {
		s := &search{x: x, ctx: ctx, tx: tx, account: a, query: q, filter: f, began: time.Now()}
		// The database's moment comes first: what it does not say to be waiting is in the index then.
		if err := s.prepare(); err != nil {
			return err
		}
		found, err = s.run()
		return err
	})
	return found, err
}

// search is one query under way.
type search struct {
	x       *Index
	ctx     context.Context
	tx      *store.Tx
	account account.ID
	query   *fulltext.Query
	filter  store.MediaFilter
	began   time.Time
	state   State

	index   *snapshot         // nil: there is none
	program *fulltext.Program // of the index
	horizon media.ID          // the index has what is not older
	waiting []media.ID        // what it has not, or not as it is now, ordered
	file    tokenfile.File
	last    media.ID // see listed
}

// prepare reads what the index has.
func (s *search) prepare() error {
	state, err := loadState(s.tx)
	if err != nil {
		return err
	}
	changes, err := s.tx.Changes(s.account, mostChanges+1)
	if err != nil {
		return err
	}
	s.waiting = make([]media.ID, len(changes))
	for i, c := range changes {
		s.waiting[i] = c.Media
	}
	s.state = state
	return nil
}

// run answers with the index, or without it where that fails.
func (s *search) run() ([]media.Media, error) {
	name, horizon := s.state.use()
	if name == "" || len(s.waiting) > mostChanges {
		return s.listed(s.filter, 0)
	}
	g, err := s.x.generation(s.ctx, name)
	if err == nil {
		var found []media.Media
		err = g.view(s.ctx, string(s.account), func(index *snapshot) (err error) {
			s.index, s.horizon = index, horizon
			if s.program, err = s.query.Compile(index); err != nil {
				return err
			}
			found, err = s.indexed()
			return err
		})
		if err == nil {
			return found, nil
		}
	}
	if _, ok := errors.AsType[*fault.Error](err); ok || s.ctx.Err() != nil {
		return nil, err
	}
	s.x.Log.LogAttrs(s.ctx, slog.LevelWarn, "a query has to do without the search index", slog.Any("error", err))
	s.index = nil
	return s.listed(s.filter, 0)
}

// indexed answers with the index at hand.
func (s *search) indexed() ([]media.Media, error) {
	f := s.filter
	var found []media.Media
	if f.Status != "" || f.ExternalID != "" || len(f.Fields) > 0 {
		var err error
		if found, err = s.listed(f, s.x.listedFirst); err != nil || s.last == "" {
			return found, err
		}
		f = behind(f, s.last)
		if f.Limit -= len(found); f.Limit <= 0 {
			return found, nil
		}
	}
	rest, err := s.merged(f)
	return append(found, rest...), err
}

// behind moves a filter behind an item in its order.
func behind(f store.MediaFilter, id media.ID) store.MediaFilter {
	if f.Ascending {
		f.After = id
	} else {
		f.Before = id
	}
	return f
}

// listed lists what the filter leaves and judges one after another: at most `most` of them, or all when it is 0. Where it
// stopped before the end, s.last is the last one that it judged.
func (s *search) listed(f store.MediaFilter, most int) (found []media.Media, err error) {
	limit := f.Limit
	s.last = ""
	for judged := 0; ; {
		f.Limit = 250
		items, err := s.tx.ListMedia(s.account, f)
		if err != nil {
			return nil, err
		}
		matching, err := s.judge(items)
		if err != nil {
			return nil, err
		}
		found = append(found, matching...)
		if len(found) >= limit {
			return found[:limit], nil
		}
		if len(items) < f.Limit {
			return found, nil
		}
		f = behind(f, items[len(items)-1].ID)
		if judged += len(items); most > 0 && judged >= most {
			s.last = items[len(items)-1].ID
			return found, nil
		}
	}
}

// trusted reports whether the index has an item as it is.
func (s *search) trusted(id media.ID) bool {
	if s.index == nil || id < s.horizon {
		return false
	}
	_, waits := slices.BinarySearch(s.waiting, id)
	return !waits
}

// judge returns those of some items that match.
func (s *search) judge(items []media.Media) ([]media.Media, error) {
	var direct, indexed []media.ID
	for _, m := range items {
		if s.trusted(m.ID) {
			indexed = append(indexed, m.ID)
		} else {
			direct = append(direct, m.ID)
		}
	}
	matches := map[media.ID]bool{}
	if err := s.judgeDirectly(direct, matches); err != nil {
		return nil, err
	}
	if len(indexed) > 0 {
		files, err := s.index.files(indexed)
		if err != nil {
			return nil, err
		}
		for id, data := range files {
			if err := s.file.Decode(data); err != nil {
				return nil, err
			}
			matches[id] = s.program.Match(&s.file)
		}
	}
	return slices.DeleteFunc(slices.Clone(items), func(m media.Media) bool { return !matches[m.ID] }), nil
}

// judgeDirectly judges what the database has.
func (s *search) judgeDirectly(ids []media.ID, matches map[media.ID]bool) error {
	for some := range slices.Chunk(ids, 50) {
		if time.Since(s.began) > s.x.patience {
			return fault.New(fault.Unavailable, fault.CodeUnavailable,
				"the search index is being built (%d of %d recordings) and this query takes too long without it; try again in a minute, or restrict the dates", s.state.Done, s.state.Total)
		}
		items, err := s.tx.Indexable(some)
		if err != nil {
			return err
		}
		for _, item := range items {
			source, err := s.x.source(item)
			if err != nil {
				s.x.unreadable(s.ctx, err)
				source = &tokenfile.Source{}
			}
			words := tokenfile.Glossary{}
			if err := s.file.Decode(tokenfile.Encode(source, words.Number)); err != nil {
				return err
			}
			program, err := s.query.Compile(words)
			if err != nil {
				return err
			}
			matches[item.Media] = program.Match(&s.file)
		}
	}
	return nil
}

func (x *Index) unreadable(ctx context.Context, err error) {
	x.Log.LogAttrs(ctx, slog.LevelError, "a recording cannot be searched", slog.Any("error", err))
}

// source is the words of an item.
func (x *Index) source(i store.Indexable) (*tokenfile.Source, error) {
	r, err := x.Codec.DecodeResult(i.Result)
	if err != nil {
		return nil, wrap("result of media "+string(i.Media), err)
	}
	return tokenfile.Of(r.Transcript, i.Metadata.Title(), i.Metadata.Description()), nil
}

// merged answers with the candidates of the index and, in their order, what the index does not have.
func (s *search) merged(f store.MediaFilter) ([]media.Media, error) {
	other := &stream{load: s.others(f)}
	var found []media.Media
	// take moves those of the others that come before an item, all when it is empty.
	take := func(id media.ID) error {
		for len(found) < f.Limit {
			m, err := other.head()
			if err != nil || m == nil || id != "" && !before(f, m.ID, id) {
				return err
			}
			found = append(found, *m)
			other.next()
		}
		return nil
	}
	var batch []media.ID
	flush := func() error {
		if len(batch) == 0 {
			return nil
		}
		some := f
		some.IDs, some.Limit = batch, len(batch)
		items, err := s.tx.ListMedia(s.account, some)
		batch = nil
		for i := 0; i < len(items) && err == nil && len(found) < f.Limit; i++ {
			if err = take(items[i].ID); len(found) < f.Limit {
				found = append(found, items[i])
			}
		}
		return err
	}
	err := s.index.scan(s.query.Need(), bounds(f), f.Ascending, f.Limit+f.Limit/4, func(c candidate) (bool, error) {
		if !s.trusted(c.media) {
			return true, nil
		}
		if err := s.file.Decode(c.tokens); err != nil {
			return false, err
		}
		if !s.program.Match(&s.file) {
			return true, nil
		}
		if batch = append(batch, c.media); len(batch) < min(f.Limit, 500) {
			return true, nil
		}
		err := flush()
		return len(found) < f.Limit, err
	})
	if err == nil && len(found) < f.Limit {
		err = flush()
	}
	if err == nil {
		err = take("")
	}
	return found, err
}

// before reports whether an item comes before another in a filter's order.
func before(f store.MediaFilter, a, b media.ID) bool {
	if f.Ascending {
		return a < b
	}
	return a > b
}

// others loads, piece by piece and in order, what matches of the items that the index does not have: those that wait and
// those beyond its horizon, which are the oldest.
func (s *search) others(f store.MediaFilter) func() ([]media.Media, bool, error) {
	waiting := slices.Clone(s.waiting[firstFrom(s.waiting, s.horizon):])
	if !f.Ascending {
		slices.Reverse(waiting)
	}
	pieces := slices.Collect(slices.Chunk(waiting, 100))
	changed := func() ([]media.Media, bool, error) {
		if len(pieces) == 0 {
			return nil, false, nil
		}
		some := f
		some.IDs, some.Limit = pieces[0], len(pieces[0])
		pieces = pieces[1:]
		items, err := s.judgeListed(some)
		return items, true, err
	}
	old, done := f, s.horizon == ""
	if old.Before == "" || old.Before > s.horizon {
		old.Before = s.horizon
	}
	beyond := func() ([]media.Media, bool, error) {
		if done {
			return nil, false, nil
		}
		old.Limit = 100
		items, err := s.tx.ListMedia(s.account, old)
		if err != nil {
			return nil, false, err
		}
		if done = len(items) < old.Limit; !done {
			old = behind(old, items[len(items)-1].ID)
		}
		matching, err := s.judge(items)
		return matching, true, err
	}
	first, second := changed, beyond
	if f.Ascending {
		first, second = beyond, changed
	}
	return func() ([]media.Media, bool, error) {
		items, more, err := first()
		if err != nil || more {
			return items, more, err
		}
		return second()
	}
}

func (s *search) judgeListed(f store.MediaFilter) ([]media.Media, error) {
	items, err := s.tx.ListMedia(s.account, f)
	if err != nil {
		return nil, err
	}
	return s.judge(items)
}

// firstFrom returns the index of the first id that is not less than one.
func firstFrom(ids []media.ID, id media.ID) int {
	i, _ := slices.BinarySearchFunc(ids, id, func(a, b media.ID) int { return strings.Compare(string(a), string(b)) })
	return i
}

// stream is a list that is loaded as it is read.
type stream struct {
	load   func() (items []media.Media, more bool, err error)
	loaded []media.Media
	ended  bool
}

// head returns the next item, nil at the end.
func (s *stream) head() (*media.Media, error) {
	for len(s.loaded) == 0 {
		if s.ended {
			return nil, nil
		}
		items, more, err := s.load()
		if err != nil {
			return nil, err
		}
		s.loaded, s.ended = items, !more
	}
	return &s.loaded[0], nil
}

func (s *stream) next() { s.loaded = s.loaded[1:] }

// bounds is where the calls of a filter lie, and maybe a few more.
func bounds(f store.MediaFilter) span {
	in := span{0, 1<<63 - 1}
	at := func(t time.Time) int64 { return max(t.UnixMilli(), 0) << slotBits }
	if !f.From.IsZero() {
		in.from = at(f.From)
	}
	if !f.Until.IsZero() {
		_, in.to = moment(at(f.Until))
	}
	if f.After != "" {
		first, _ := moment(number(f.After))
		in.from = max(in.from, first)
	}
	if f.Before != "" {
		_, last := moment(number(f.Before))
		in.to = min(in.to, last)
	}
	return in
}

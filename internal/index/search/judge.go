package search

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"parley/internal/host/memory"
	"parley/internal/index/tokenfile"
	"parley/internal/storage/store"
	"parley/internal/words/fault"
	"parley/internal/words/media"
	"parley/internal/words/phrase"
	"parley/internal/words/transcript"
)

// trusted reports whether the index has the current version of an item.
func (s *search) trusted(id media.ID) bool {
	if s.index == nil || id < s.horizon {
		return false
	}
	_, waits := slices.BinarySearch(s.waiting, id)
	return !waits
}

// judge returns the matching items.
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
	for some := range slices.Chunk(indexed, filesAtOnce) {
		if err := s.judgeFiles(some, matches); err != nil {
			return nil, err
		}
	}
	return slices.DeleteFunc(slices.Clone(items), func(m media.Media) bool {
		if !matches[m.ID] {
			memory.Give(s.ctx, store.Memory(&m))
		}
		return !matches[m.ID]
	}), nil
}

// filesAtOnce is the number of token files read together, each of about three bytes per word.
const filesAtOnce = 50

// judgeFiles evaluates items with the token files of the index.
func (s *search) judgeFiles(ids []media.ID, matches map[media.ID]bool) error {
	part, end := memory.Part(s.ctx)
	defer end()
	files, err := s.index.files(ids)
	if err != nil {
		return err
	}
	for _, data := range files {
		if err := memory.Take(part, int64(len(data))); err != nil {
			return err
		}
	}
	for id, data := range files {
		if err := s.yield(); err != nil {
			return err
		}
		if err := s.file.Decode(data); err != nil {
			return err
		}
		matches[id] = s.program.Match(&s.file)
	}
	return nil
}

// judgeDirectly evaluates items with their results in the database.
func (s *search) judgeDirectly(ids []media.ID, matches map[media.ID]bool) error {
	for some := range slices.Chunk(ids, 50) {
		if time.Since(s.began) > s.x.patience {
			return fault.New(fault.Unavailable, fault.CodeUnavailable,
				"the search index is being built (%d of %d recordings) and this query takes too long without it; try "+
					"again in a minute, or restrict the dates", s.state.Done, s.state.Total)
		}
		if err := s.judgeSome(some, matches); err != nil {
			return err
		}
	}
	return nil
}

func (s *search) judgeSome(ids []media.ID, matches map[media.ID]bool) error {
	part, end := memory.Part(s.ctx)
	defer end()
	items, err := s.tx.Within(part).Indexable(ids)
	if err != nil {
		return err
	}
	for _, item := range items {
		if matches[item.Media], err = s.judgeItem(part, item); err != nil {
			return err
		}
	}
	return nil
}

// judgeItem evaluates one item. Its decoded data counts as memory meanwhile.
func (s *search) judgeItem(ctx context.Context, item store.Indexable) (bool, error) {
	if err := s.yield(); err != nil {
		return false, err
	}
	part, end := memory.Part(ctx)
	defer end()
	source, err := s.x.source(part, item)
	if _, refused := errors.AsType[*fault.Error](err); refused || s.ctx.Err() != nil {
		return false, err
	}
	if err != nil {
		s.x.unreadable(s.ctx, err)
		source = &tokenfile.Source{}
	}
	words := phrase.Glossary{}
	if err := s.file.Decode(tokenfile.Encode(source, words.Number)); err != nil {
		return false, err
	}
	program, err := s.query.Compile(words)
	if err != nil {
		return false, err
	}
	return program.Match(&s.file), nil
}

func (x *Index) unreadable(ctx context.Context, err error) {
	x.Log.LogAttrs(ctx, slog.LevelError, "a recording cannot be searched", slog.Any("error", err))
}

// source returns the words of an item.
func (x *Index) source(ctx context.Context, i store.Indexable) (*tokenfile.Source, error) {
	if len(i.Result) == 0 { // processing failed: there are no words
		return tokenfile.Of(&transcript.Transcript{}, i.Metadata.Title(), i.Metadata.Description()), nil
	}
	r, err := x.Codec.DecodeResultWithin(i.Result, memory.Counter(ctx))
	if err != nil {
		return nil, wrap("result of media "+string(i.Media), err)
	}
	return tokenfile.Of(r.Transcript, i.Metadata.Title(), i.Metadata.Description()), nil
}

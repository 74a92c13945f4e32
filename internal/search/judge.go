package search

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"parley/internal/fault"
	"parley/internal/media"
	"parley/internal/search/tokenfile"
	"parley/internal/store"
	"parley/internal/transcript"
)

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
	if len(i.Result) == 0 { // it failed: nothing was heard
		return tokenfile.Of(&transcript.Transcript{}, i.Metadata.Title(), i.Metadata.Description()), nil
	}
	r, err := x.Codec.DecodeResult(i.Result)
	if err != nil {
		return nil, wrap("result of media "+string(i.Media), err)
	}
	return tokenfile.Of(r.Transcript, i.Metadata.Title(), i.Metadata.Description()), nil
}

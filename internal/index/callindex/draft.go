package callindex

import (
	"context"
	"log/slog"
	"runtime"

	"golang.org/x/sync/errgroup"

	"parley/internal/call/codec"
	"parley/internal/call/fact"
	"parley/internal/index/segment"
	"parley/internal/index/tokenfile"
	"parley/internal/storage/store"
	"parley/internal/words/account"
	"parley/internal/words/transcript"
)

// batch is how many calls are read from the database at once.
const batch = 256

// Draft converts a call to the form that a segment stores. If its result cannot be read, it also returns the error, and
// a call without words.
func Draft(codec *codec.Codec, item *store.Analytic) (*segment.Draft, error) {
	d := &segment.Draft{ID: item.Media.ID, Change: item.Change, Indexed: item.Indexed,
		Words: tokenfile.Of(&transcript.Transcript{}, "", "")}
	open, err := codec.DecodeResult(item.Result)
	if err != nil {
		return d, err
	}
	call := fact.Call{Media: &item.Media, Transcript: open.Transcript, Findings: open.Findings}
	d.Words, d.Values, d.Readable = tokenfile.Of(open.Transcript, "", ""), fact.Of(&call), true
	return d, nil
}

// fill adds calls to a builder. A call whose result cannot be read has no words, and is in no answer: it must not hold
// up the others.
func (x *Index) fill(ctx context.Context, a account.ID, b *segment.Builder, items []store.Analytic) error {
	drafts := make([]*segment.Draft, len(items))
	group, limited := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range items {
		group.Go(func() error {
			return x.Work(limited, a, func(func() error) (err error) {
				if drafts[i], err = Draft(x.Codec, &items[i]); err != nil {
					x.Log.LogAttrs(ctx, slog.LevelError, "a recording cannot be indexed",
						slog.String("media", string(items[i].Media.ID)), slog.Any("error", err))
				}
				return nil
			})
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for i, d := range drafts {
		if err := b.Add(d); err != nil {
			x.Log.LogAttrs(ctx, slog.LevelError, "a recording cannot be indexed",
				slog.String("media", string(items[i].Media.ID)), slog.Any("error", err))
		}
	}
	return nil
}

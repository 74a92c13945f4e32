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
	"parley/internal/query/callset"
	"parley/internal/storage/store"
	"parley/internal/words/account"
	"parley/internal/words/media"
	"parley/internal/words/transcript"
)

// batch is how many calls are read from the database at once.
const batch = 256

// extent is what a segment has of calls.
type extent int

const (
	stored extent = iota // what may be stored: nothing of calls that are neither posted for the analytic database nor searchable
	values               // of that, the values of the fields
	whole                // all, in memory only
)

// Draft converts a call to the form that a segment stores. If it has no result, or one that cannot be read, only the words
// of its title and description are there; in the second case it also returns the error.
func Draft(codec *codec.Codec, item *store.Analytic, e extent) (*segment.Draft, error) {
	title, description := item.Media.Metadata.Title(), item.Media.Metadata.Description()
	bare := e != whole && !item.Indexed && !item.Searchable
	words := func(t *transcript.Transcript) *tokenfile.Source {
		if e == values || bare {
			return tokenfile.Of(&transcript.Transcript{}, "", "")
		}
		return tokenfile.Of(t, title, description)
	}
	d := &segment.Draft{ID: item.Media.ID, Change: item.Change, Indexed: item.Indexed, Searchable: item.Searchable,
		Words: words(&transcript.Transcript{})}
	if bare {
		d.Readable, d.Bare = item.Result != nil, true
		return d, nil
	}
	if item.Result == nil {
		return d, nil
	}
	open, err := codec.DecodeResult(item.Result)
	if err != nil {
		return d, err
	}
	call := fact.Call{Media: &item.Media, Transcript: open.Transcript, Findings: open.Findings}
	d.Words, d.Values, d.Readable = words(open.Transcript), fact.Of(&call), true
	return d, nil
}

// Read returns calls with their words and values, as they are in the database now, without those that are deleted; nil if
// all are.
func (x *Index) Read(ctx context.Context, a account.ID, ids []media.ID) (*Part, error) {
	items, err := store.Read(ctx, x.Store, func(tx *store.Tx) ([]store.Analytic, error) { return tx.AnalyticOf(a, ids) })
	if err != nil {
		return nil, err
	}
	var b segment.Builder
	if err := x.fill(ctx, a, &b, items, whole); err != nil || b.Len() == 0 {
		return nil, err
	}
	s, err := inMemory(&b)
	if err != nil {
		return nil, err
	}
	return NewPart(s, callset.New(s.Len()))
}

// drafts converts calls. A call whose result cannot be read has no words, and is in no answer: it must not hold up the
// others.
func (x *Index) drafts(ctx context.Context, a account.ID, items []store.Analytic, e extent) ([]*segment.Draft, error) {
	drafts := make([]*segment.Draft, len(items))
	group, limited := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range items {
		group.Go(func() error {
			return x.Work(limited, a, func(func() error) (err error) {
				if drafts[i], err = Draft(x.Codec, &items[i], e); err != nil {
					x.logUnindexed(ctx, items[i].Media.ID, err)
				}
				return nil
			})
		})
	}
	return drafts, group.Wait()
}

func (x *Index) logUnindexed(ctx context.Context, id media.ID, err error) {
	x.Log.LogAttrs(ctx, slog.LevelError, "a recording cannot be indexed", slog.String("media", string(id)),
		slog.Any("error", err))
}

// fill adds calls to a builder.
func (x *Index) fill(ctx context.Context, a account.ID, b *segment.Builder, items []store.Analytic, e extent) error {
	drafts, err := x.drafts(ctx, a, items, e)
	if err != nil {
		return err
	}
	for _, d := range drafts {
		if err := b.Add(d); err != nil {
			x.logUnindexed(ctx, d.ID, err)
		}
	}
	return nil
}

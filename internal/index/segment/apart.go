package segment

import (
	"cmp"
	"context"
	"sync/atomic"

	"github.com/google/uuid"

	"parley/internal/index/tokenfile"
	"parley/internal/query/callset"
)

// The words and the values of the same calls can be in two files, so that values change without words being written
// again, and questions about values need not read words. Both files are segments: the one has no columns, the other's
// calls have no words.

// Files are the bytes of a segment.
type Files struct {
	Words  []byte
	Values []byte
}

// Words is the file with the words of a segment. It is opened when they are needed. It is safe for concurrent use.
type Words struct {
	open   func(context.Context) (*Segment, error)
	busy   chan struct{} // holds a token while a goroutine opens it
	opened atomic.Pointer[Segment]
}

// NewWords returns the words that a function opens.
func NewWords(open func(context.Context) (*Segment, error)) *Words {
	return &Words{open: open, busy: make(chan struct{}, 1)}
}

// load opens the words of the calls of a segment, unless they are open.
func (w *Words) load(ctx context.Context, of *Segment) (*Segment, error) {
	select {
	case w.busy <- struct{}{}:
		defer func() { <-w.busy }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if s := w.opened.Load(); s != nil {
		return s, nil
	}
	s, err := w.open(ctx)
	if err != nil {
		return nil, err
	}
	if s.calls != of.calls || s.calls > 0 && (s.Key(0) != of.Key(0) || s.Change(0) != of.Change(0)) {
		return nil, ErrDamaged // of other calls
	}
	w.opened.Store(s)
	return s, s.Err()
}

// WithWords returns the segment with the words of another file.
func (s *Segment) WithWords(w *Words) *Segment {
	return &Segment{layout: s.layout, columns: s.columns, words: w}
}

// WithValues returns the segment with the values of another one, of the same calls.
func (s *Segment) WithValues(values *Segment) *Segment {
	if s.words != nil {
		return values.WithWords(s.words)
	}
	return values.WithWords(NewWords(func(context.Context) (*Segment, error) { return s, nil }))
}

// Loaded reports whether the words of the segment are open.
func (s *Segment) Loaded() bool { return s.words == nil || s.words.opened.Load() != nil }

// Load opens the words of a segment, which may need a download. The functions that read words do so otherwise.
func (s *Segment) Load(ctx context.Context) error {
	if s.Loaded() {
		return nil
	}
	_, err := s.words.load(ctx, s)
	return err
}

// worded returns the segment that has the words. It has none after an error, which is recorded.
func (s *Segment) worded() *Segment {
	if s.words == nil {
		return s
	}
	if w := s.words.opened.Load(); w != nil {
		return w
	}
	w, err := s.words.load(context.Background(), s)
	if err != nil {
		s.fail(err)
		w = &Segment{layout: layout{calls: s.calls, hashes: 1, casts: func() *casts { return unknownCasts(s.calls) }}}
		w.fail(err)
	}
	return w
}

// withoutValues returns the words of a segment.
func (s *Segment) withoutValues() *Segment { return &Segment{layout: s.worded().layout} }

// withoutWords returns the values of a segment that has its words in another file.
func (s *Segment) withoutWords() *Segment { return &Segment{layout: s.layout, columns: s.columns} }

// Apart returns the words and the values of the calls as two files.
func (b *Builder) Apart() (f Files, err error) {
	only := Builder{Version: Latest, calls: make([]draftCall, len(b.calls))}
	for i, c := range b.calls {
		only.calls[i], b.calls[i].values = c.withoutWords(), nil
	}
	if f.Values, err = only.Build(); err == nil {
		b.Version = Latest
		f.Words, err = b.Build()
	}
	return f, err
}

// noWords is the token file of a call without words.
var noWords = tokenfile.EncodeNumbers(&tokenfile.Source{}, nil)

func (c draftCall) withoutWords() draftCall {
	c.tokens, c.lexicon, c.marked = noWords, nil, nil
	return c
}

// Only returns the files of a segment with some of the calls. They hold nothing of the others: no word, value or field
// that only these had. It is faster than a Builder, because words keep their numbers and token files are copied.
func (s *Segment) Only(some callset.Set) (f Files, err error) {
	if s.words != nil {
		f.Values, err = s.withoutWords().only(some, Latest)
	} else {
		only := s.valuesAlone(some)
		f.Values, err = only.Build()
	}
	if err == nil {
		f.Words, err = s.withoutValues().only(some, Latest)
	}
	return f, cmp.Or(err, s.Err())
}

// valuesAlone returns a builder of the values of some calls.
func (s *Segment) valuesAlone(some callset.Set) Builder {
	b := Builder{Version: Latest}
	values := s.valuesOf(some)
	for call := range some.All {
		b.calls = append(b.calls, draftCall{s.Key(call), s.Change(call), s.Revision(call), s.flags(call), noWords, nil, nil,
			values[call]})
	}
	return b
}

// Renewed returns the values of all calls of a segment as a file. Those of the drafts replace those that their calls
// have now.
func (s *Segment) Renewed(drafts []*Draft) ([]byte, error) {
	b := s.valuesAlone(callset.New(s.calls).Fill(s.calls))
	place := make(map[uuid.UUID]int, s.calls)
	for i := range b.calls {
		place[b.calls[i].id] = i
	}
	for _, d := range drafts {
		id, err := uuid.Parse(string(d.ID))
		if err != nil {
			return nil, err
		}
		if i, there := place[id]; there {
			b.calls[i].revision, b.calls[i].values = d.Change, d.Values
		}
	}
	if err := s.Err(); err != nil {
		return nil, err
	}
	return b.Build()
}

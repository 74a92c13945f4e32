package segment

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"pgregory.net/rapid"

	"parley/internal/call/fact"
	"parley/internal/query"
	"parley/internal/query/callset"
)

// joinedOf opens two files as one segment.
func joinedOf(t rapid.TB, f Files) *Segment {
	t.Helper()
	values, err := Open(Plain(f.Values))
	if err != nil {
		t.Fatal(err)
	}
	return values.WithWords(NewWords(func(context.Context) (*Segment, error) { return Open(Plain(f.Words)) }))
}

// A segment in two files is the same as one in one file, and stays it when calls are taken away, taken over and get new
// values.
func TestWordsAndValuesInTwoFilesAreOneSegment(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := randomDrafts(t)
		b := builder(t, all)
		if rapid.Bool().Draw(t, "taken from a segment in one file") {
			data, err := b.Build()
			if err != nil {
				t.Fatal(err)
			}
			s, err := Open(Plain(data))
			if err != nil {
				t.Fatal(err)
			}
			b = new(Builder)
			if err := b.Take(s, full(s)); err != nil {
				t.Fatal(err)
			}
		}
		f, err := b.Apart()
		if err != nil {
			t.Fatal(err)
		}
		s := joinedOf(t, f)
		same(t, s, all)

		var news []*Draft
		for i, d := range all {
			if rapid.Bool().Draw(t, "renewed") {
				newer := *d
				newer.Change = d.Change + 1000
				newer.Values = fact.Values{{Field: query.Field{Space: query.Metadata, Path: []string{"extended", "k1"}},
					Value: query.Number(float64(i % 3))}}
				news = append(news, &newer)
			}
		}
		if f.Values, err = s.Renewed(news); err != nil {
			t.Fatal(err)
		}
		s = joinedOf(t, f)
		renewed := map[string]*Draft{}
		for _, d := range news {
			renewed[string(d.ID)] = d
		}
		want := make([]*Draft, len(all))
		for i, d := range all {
			want[i] = d
			if n := renewed[string(d.ID)]; n != nil {
				newer := *n
				newer.Change = d.Change // of the words
				want[i] = &newer
			}
		}
		check := func(s *Segment, want []*Draft) {
			t.Helper()
			same(t, s, want)
			for call := range s.Len() {
				revision := s.Change(call)
				if n := renewed[string(s.ID(call))]; n != nil {
					revision = n.Change
				}
				if s.Revision(call) != revision {
					t.Fatalf("call %d: values of revision %d, want %d", call, s.Revision(call), revision)
				}
			}
			if err := s.Err(); err != nil {
				t.Fatal(err)
			}
		}
		check(s, want)

		some := callset.New(s.Len())
		var left []*Draft
		for i, d := range want {
			if rapid.Bool().Draw(t, "left") {
				some.Add(len(want) - 1 - i)
				left = append(left, d)
			}
		}
		if f, err = s.Only(some); err != nil {
			t.Fatal(err)
		}
		check(joinedOf(t, f), left)
		var again Builder
		if err := again.Take(s, some); err != nil {
			t.Fatal(err)
		}
		if f, err = again.Apart(); err != nil {
			t.Fatal(err)
		}
		check(joinedOf(t, f), left)
	})
}

func TestValuesHoldNoWords(t *testing.T) {
	all := drafts(40)
	f, err := builder(t, all).Apart()
	if err != nil {
		t.Fatal(err)
	}
	word, topic := []byte(all[3].Words.Words[0]), []byte("topic")
	if v, ok := all[3].Values[1].Value.Any().(string); ok {
		topic = []byte(v)
	}
	if !bytes.Contains(f.Words, word) || bytes.Contains(f.Words, topic) {
		t.Error("the file of words has no words, or values")
	}
	if !bytes.Contains(f.Values, topic) || len(f.Values) > len(f.Words)/2 {
		t.Errorf("%d bytes of values, %d of words", len(f.Values), len(f.Words))
	}
	values := opened(t, Plain(f.Values))
	if words := values.Words(); len(words) != 0 {
		t.Errorf("the values have words: %q", words)
	}
}

func TestWordsThatCannotBeOpenedAreAnErrorOfTheSegment(t *testing.T) {
	f, err := builder(t, drafts(5)).Apart()
	if err != nil {
		t.Fatal(err)
	}
	others, err := builder(t, drafts(4)).Apart()
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	for what, c := range map[string]struct {
		open func(context.Context) (*Segment, error)
		want error
	}{
		"an error":             {func(context.Context) (*Segment, error) { return nil, broken }, broken},
		"words of other calls": {func(context.Context) (*Segment, error) { return Open(Plain(others.Words)) }, ErrDamaged},
	} {
		s := opened(t, Plain(f.Values)).WithWords(NewWords(c.open))
		if err := s.Load(t.Context()); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", what, err)
		}
		if s.Err() != nil {
			t.Errorf("%s: loading has broken the segment: %v", what, s.Err())
		}
		if tokens := s.Tokens(0); len(tokens) != 0 || !errors.Is(s.Err(), c.want) {
			t.Errorf("%s: %d bytes, %v", what, len(tokens), s.Err())
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	opening := make(chan struct{})
	s := opened(t, Plain(f.Values)).WithWords(NewWords(func(ctx context.Context) (*Segment, error) {
		close(opening)
		<-ctx.Done()
		return nil, context.Cause(ctx)
	}))
	done := make(chan error)
	go func() { done <- s.Load(ctx) }()
	<-opening
	gone, end := context.WithCancel(t.Context())
	end()
	if err := s.Load(gone); !errors.Is(err, context.Canceled) {
		t.Errorf("who waits for another one to open them: %v", err)
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) || s.Loaded() {
		t.Errorf("who has opened them: %v", err)
	}
}

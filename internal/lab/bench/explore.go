package bench

import (
	"context"
	"fmt"
	"slices"
	"time"

	"parley/internal/index/columnar"
	"parley/internal/lab/corpus"
	"parley/internal/query"
	"parley/internal/query/fulltext"
	"parley/internal/storage/store"
	"parley/internal/words/account"
	"parley/internal/words/media"
)

// Explore is a benchmark of explorations, words, values and distributions, with generated calls in an otherwise empty
// database.
type Explore struct {
	Generated
	Queries int // of each kind
}

// ExploreResult is the result of Explore.
type ExploreResult struct {
	Load, Index time.Duration // time to store the calls, and to write them into segments after that
	Kinds       []ExploreKind
}

// ExploreKind is the result for one kind of question.
type ExploreKind struct {
	Kind, Example string
	Total         int           // matching calls of the example
	Bound         bool          // Total is a lower bound
	Median, P95   time.Duration // of the whole answer
	Rows          time.Duration // P95 of the rows alone; 0: the answer has none
	Work          time.Duration // mean CPU time of a whole answer
}

// exploredFacets are the facets of all explorations.
var exploredFacets = []string{"metadata:team", "metadata:campaign", "metadata:score", "metadata:callDirection",
	"sentiment", "length"}

// Run stores the calls, writes them into segments, and asks the questions.
func (b Explore) Run(ctx context.Context, progress Progress) (f ExploreResult, err error) {
	stored, err := b.Index(ctx, corpus.New(corpus.Config{Words: b.Words, Every: 5 * time.Minute}), everywhere, progress)
	if err != nil {
		return f, err
	}
	defer stored.Close()
	f.Load, f.Index = stored.Load, stored.Index
	x, owner, calls := stored.Columnar(), stored.Owner, stored.Calls
	kinds := append(b.explorations(x, owner, calls), b.others(x, owner, calls)...)
	for _, k := range append(kinds, b.trials(x, owner)...) {
		progress(k.name, 1, 1)
		found, err := b.ask(ctx, k)
		if err != nil {
			return f, err
		}
		f.Kinds = append(f.Kinds, found)
	}
	return f, nil
}

// everywhere makes a call visible to queries of the media list and to statements.
func everywhere(tx *store.Tx, m *media.Media) error {
	if err := tx.SetSearchable(m.ID, true); err != nil {
		return err
	}
	return Analytic(tx, m)
}

// trials are the kinds of trials of a changed category, as they are asked while it is typed.
func (b Explore) trials(x *columnar.Index, owner account.ID) (kinds []explored) {
	saved := `caller SAYS ("cancel my account" || "close my account")`
	for _, k := range []struct {
		name, text string
		by         func() (*columnar.By, error)
	}{
		{"trial by days", saved + ` AND NOT agent SAYS "may I have your order number"`, byDays},
		{"trial by teams", saved + ` AND metadata:score > 3`, byTeams},
		{"trial with a slop", `caller SAYS ("cancel account"/2 || "close account"/2)`, byDays},
	} {
		kinds = append(kinds, explored{name: k.name, example: k.text,
			ask: func(ctx context.Context, _ int) (int, bool, error) {
				try := columnar.Try{Samples: 10}
				var err error
				if try.Condition, err = query.ParseCondition(k.text, nil); err != nil {
					return 0, false, err
				}
				if try.With, err = query.ParseCondition(saved, nil); err != nil {
					return 0, false, err
				}
				if try.By, err = k.by(); err != nil {
					return 0, false, err
				}
				found, err := x.Try(ctx, owner, try)
				if err != nil {
					return 0, false, err
				}
				return found.Matched, false, nil
			}})
	}
	return kinds
}

func byDays() (*columnar.By, error) {
	return &columnar.By{Scale: &columnar.Scale{Interval: columnar.Daily, Zone: time.UTC}}, nil
}

func byTeams() (*columnar.By, error) {
	s, err := query.ReadField("metadata:team").Check(nil)
	if err != nil {
		return nil, err
	}
	return &columnar.By{Field: s.Selected(), Most: 20}, nil
}

// explored is a kind of question. ask asks its n-th question and returns the total; rows asks for the rows alone, if it is
// not nil.
type explored struct {
	name, example string
	ask           func(ctx context.Context, n int) (total int, bound bool, err error)
	rows          func(ctx context.Context, n int) error
}

// explorations are the kinds of explorations.
func (b Explore) explorations(x *columnar.Index, owner account.ID, c *corpus.Corpus) (kinds []explored) {
	phrases := []string{"thank you for calling", "may I have your order number", "cancel my account"}
	first := c.Call(0).ID.Created()
	for _, k := range []struct {
		name string
		text func(n int) string
		set  func(e *columnar.Exploration, n int)
	}{
		{"all calls", nil, nil},
		{"a common phrase", func(n int) string { return `* SAYS "` + phrases[n%3] + `"` }, nil},
		{"a rare word", func(n int) string { return `* SAYS "` + rareWord(c, n) + `"` }, nil},
		{"metadata", func(n int) string { return fmt.Sprintf("metadata:score > %d", n%9) }, nil},
		{"one month", nil, func(e *columnar.Exploration, n int) {
			e.From = first.AddDate(0, n%12, 0)
			e.Until = e.From.AddDate(0, 1, 0)
		}},
		{"words of the media list", func(n int) string { return `title:billing "` + phrases[n%3] + `"` },
			func(e *columnar.Exploration, _ int) { e.Searchable = true }},
	} {
		question := func(n int) (e columnar.Exploration, err error) {
			e = columnar.Exploration{Rows: 25, Counts: true, Values: 10, Histogram: &columnar.Scale{Zone: time.UTC}}
			for _, name := range exploredFacets {
				s, err := query.ReadField(name).Check(nil)
				if err != nil {
					return e, err
				}
				e.Facets = append(e.Facets, s.Selected())
			}
			if k.set != nil {
				k.set(&e, n)
			}
			switch {
			case k.text != nil && e.Searchable:
				e.Condition, err = fulltext.Parse(k.text(n))
			case k.text != nil:
				e.Condition, err = query.ParseCondition(k.text(n), nil)
			}
			return e, err
		}
		kind := explored{name: k.name, example: k.name,
			ask: func(ctx context.Context, n int) (int, bool, error) {
				e, err := question(n)
				if err != nil {
					return 0, false, err
				}
				found, err := x.Explore(ctx, owner, e)
				if err != nil {
					return 0, false, err
				}
				return found.Total, found.LowerBound, nil
			},
			rows: func(ctx context.Context, n int) error {
				e, err := question(n)
				if err != nil {
					return err
				}
				e.Counts, e.Histogram = false, nil
				_, err = x.Explore(ctx, owner, e)
				return err
			}}
		if k.text != nil {
			kind.example = k.text(0)
		}
		kinds = append(kinds, kind)
	}
	return kinds
}

// rareWord returns the n-th of some rare words.
func rareWord(c *corpus.Corpus, n int) string {
	return c.Word(corpus.Vocabulary/4 + n*97%(corpus.Vocabulary/2))
}

// others are the kinds of questions for completion and percentiles.
func (b Explore) others(x *columnar.Index, owner account.ID, c *corpus.Corpus) []explored {
	words := func(prefix func(n int) string) func(ctx context.Context, n int) (int, bool, error) {
		return func(ctx context.Context, n int) (int, bool, error) {
			found, _, err := x.Words(ctx, owner, prefix(n), 20)
			return len(found), false, err
		}
	}
	return []explored{
		{"words with two letters", c.Word(0)[:2], words(func(n int) string { return c.Word(n)[:min(2, len(c.Word(n)))] }), nil},
		{"words with one letter", c.Word(0)[:1], words(func(n int) string { return c.Word(n)[:1] }), nil},
		{"words without a prefix", "", words(func(int) string { return "" }), nil},
		{"values", "metadata:team", func(ctx context.Context, _ int) (int, bool, error) {
			s, err := query.ReadField("metadata:team").Check(nil)
			if err != nil {
				return 0, false, err
			}
			found, _, err := x.FieldValues(ctx, owner, s.Selected(), "team 1", 20)
			return len(found.Values), false, err
		}, nil},
		{"distributions, each new", "wordCount > 0", func(ctx context.Context, n int) (int, bool, error) {
			where, err := query.ParseCondition(fmt.Sprintf("wordCount > %d", n), nil)
			if err != nil {
				return 0, false, err
			}
			found, err := x.Distributions(ctx, owner, where)
			if err != nil {
				return 0, false, err
			}
			return found.Calls, false, nil
		}, nil},
	}
}

// ask asks each question of a kind twice: completely, and for its rows only.
func (b Explore) ask(ctx context.Context, k explored) (f ExploreKind, err error) {
	f.Kind, f.Example = k.name, k.example
	took := make([]time.Duration, b.Queries)
	before := ProcessorTime()
	for n := range took {
		began := time.Now()
		total, bound, err := k.ask(ctx, n)
		if err != nil {
			return f, err
		}
		if took[n] = time.Since(began); n == 0 {
			f.Total, f.Bound = total, bound
		}
	}
	f.Work = (ProcessorTime() - before) / time.Duration(b.Queries)
	slices.Sort(took)
	f.Median, f.P95 = took[len(took)/2], took[len(took)*95/100]
	if k.rows == nil {
		return f, nil
	}
	for n := range took {
		began := time.Now()
		if err := k.rows(ctx, n); err != nil {
			return f, err
		}
		took[n] = time.Since(began)
	}
	slices.Sort(took)
	f.Rows = took[len(took)*95/100]
	return f, nil
}

package columnar

import (
	"cmp"
	"context"
	"crypto/sha256"
	"runtime"
	"slices"
	"sync"
	"time"

	"parley/internal/host/memory"
	"parley/internal/query"
	"parley/internal/words/account"
)

// Quantiles is how many quantiles a distribution has: the percentiles from 0 to 100.
const Quantiles = 101

// Distribution is how the numbers of a field are distributed over some calls.
type Distribution struct {
	Field     query.Field
	Calls     int       // that have a number
	Quantiles []float64 // Quantiles of them, interpolated as percentile() does
}

// Distributions is the answer to a question for distributions.
type Distributions struct {
	Calls   int // number of matching calls
	All     []Distribution
	Took    time.Duration
	LeftOut LeftOut
}

// distributed are the fields of the recording that have distributions, in addition to the metrics.
var distributed = []string{"length", "wordCount", "turnCount"}

// Distributions returns the distributions of length, words, turns and each metric over the calls that statements cover
// and that meet a condition, nil for all. Answers are remembered for a minute, as long as the same calls are there.
func (x *Index) Distributions(ctx context.Context, a account.ID, c query.Condition) (*Distributions, error) {
	began := time.Now()
	ctx, end, err := x.enter(ctx, a)
	if err != nil {
		return nil, err
	}
	defer end()
	q := &question{x: x, ctx: ctx, owner: a, sel: &query.Select{}}
	err = q.prepare(c)
	defer func() { runtime.KeepAlive(q.parts) }() // keeps their mapped memory alive as well
	var answer Distributions
	if err == nil {
		answer, err = q.rememberedDistributions()
	}
	if err == nil {
		answer.LeftOut, err = q.leftOut()
	}
	if err = cmp.Or(err, q.readError()); err != nil {
		return nil, x.ended(ctx, err, fasterStatement)
	}
	answer.Took = time.Since(began)
	return &answer, memory.Take(ctx, memory.Size(answer.All))
}

func (q *question) rememberedDistributions() (Distributions, error) {
	key := rememberedKey{q.owner, sha256.Sum256([]byte(q.cond.whole.String() + "\x00" +
		(&query.Alter{Columns: q.types}).String()))}
	if answer, ok := q.x.remembered.get(key, q.parts); ok {
		return answer, nil
	}
	answer, err := q.distributions()
	if err == nil {
		err = q.readError()
	}
	if err == nil {
		q.x.remembered.put(key, q.parts, answer)
	}
	return answer, err
}

// distributions computes distributions on all processors.
func (q *question) distributions() (answer Distributions, err error) {
	part, end := memory.Part(q.ctx)
	defer end()
	spreads, mu := map[string]spread{}, sync.Mutex{}
	fields := map[string]query.Field{}
	err = q.each(part, len(q.parts), func(i int, stop stop) (done Plan, err error) {
		p := q.parts[i]
		matching, err := q.matching(&remainder{part: p}, stop)
		if err != nil {
			return done, err
		}
		mine, err := tallied(p, matching, stop)
		if err != nil {
			return done, err
		}
		mu.Lock()
		defer mu.Unlock()
		answer.Calls += matching.Len()
		size := int64(0)
		for column, all := range mine {
			f := p.Field(column)
			name := f.String()
			if spreads[name] == nil {
				spreads[name], fields[name] = spread{}, f
			}
			before := len(spreads[name])
			spreads[name].add(all)
			size += aroundValue * int64(len(spreads[name])-before)
		}
		return done, cmp.Or(stop(), memory.Take(part, size))
	})
	if err != nil {
		return answer, err
	}
	err = q.work(part, func(stop stop) error {
		for name, f := range fields {
			answer.All = append(answer.All, Distribution{f, spreads[name].len(), spreads[name].quantiles(Quantiles)})
			if err := stop(); err != nil {
				return err
			}
		}
		return nil
	})
	slices.SortFunc(answer.All, func(a, b Distribution) int {
		return cmp.Or(cmp.Compare(a.Field.Space, b.Field.Space),
			cmp.Compare(slices.Index(distributed, a.Field.Path[0]), slices.Index(distributed, b.Field.Path[0])),
			cmp.Compare(a.Field.Path[0], b.Field.Path[0]))
	})
	return answer, err
}

// tallied counts the numbers of some calls of a part, by column.
func tallied(p *part, some []uint64, stop stop) (map[int][]counted, error) {
	all := map[int][]counted{}
	for column := range p.Columns() {
		f := p.Field(column)
		if f.Space != query.Metrics && (f.Space != query.Media || !slices.Contains(distributed, f.Path[0])) {
			continue
		}
		for v, n := range p.Tally(column, slices.Clone(some), nil) {
			all[column] = append(all[column], counted{v, n})
		}
		if err := cmp.Or(stop(), p.Err()); err != nil {
			return nil, err
		}
	}
	return all, nil
}

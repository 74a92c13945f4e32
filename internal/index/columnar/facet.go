package columnar

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"parley/internal/call/fact"
	"parley/internal/query"
	"parley/internal/query/callset"
	"parley/internal/words/fault"
)

// Facet is how many of some calls have which values of a field.
type Facet struct {
	Field  query.Field
	Values []FacetValue // the most frequent first; ranges of numbers ascending
	Others int          // number of other values
	Rest   int          // number of calls with other values
	None   int          // number of calls without a value
}

// FacetValue is a value of a field, or a range of numbers.
type FacetValue struct {
	Value     any      // nil for a range; otherwise float64, string, bool or time.Time
	From, To  *float64 // of a range, To exclusive; nil: unbounded
	Calls     int
	Condition query.Condition // that these calls meet
}

// ranged reports whether a facet shows ranges of a field: measured numbers, of which calls have many different ones.
func ranged(f query.Field) bool {
	return f.Type() == query.IsNumber && (f.Space == query.Media || f.Space == query.Metrics)
}

// valueCount counts the values of a field.
type valueCount struct {
	field  query.Field
	cast   func(query.Value) query.Value
	values map[string]*counted // by the grouping key of the value, unless the field is ranged
	spread spread              // if it is
	none   int
	size   int64 // memory in bytes, about
}

// counted is a value with the number of calls that have it.
type counted struct {
	value query.Value
	calls int
}

// spread is numbers with the number of calls that have each.
type spread map[float64]int

func newValueCount(f query.Field, types Types) *valueCount {
	return &valueCount{field: f, cast: types.cast(f), values: map[string]*counted{}, spread: spread{}}
}

// in counts the values of some calls of a part, and those without one.
func (c *valueCount) in(p *part, some callset.Set) (all []counted, none int) {
	left := slices.Clone(some)
	for _, column := range fact.Resolve(p.Columns(), p.Field, c.field) {
		for v, n := range p.Tally(column, left, c.cast) {
			all = append(all, counted{v, n})
		}
	}
	return all, left.Len()
}

// aroundValue is the memory of a value in a map, in bytes, in addition to its text and key.
const aroundValue = 150

// add adds the counts of a part.
func (c *valueCount) add(all []counted, none int) {
	c.none += none
	if ranged(c.field) {
		before := len(c.spread)
		c.spread.add(all)
		c.size += aroundValue * int64(len(c.spread)-before)
		return
	}
	var key []byte
	for _, one := range all {
		key = one.value.AppendKey(key[:0])
		there := c.values[string(key)]
		if there == nil {
			there = &counted{value: one.value}
			c.values[string(key)] = there
			c.size += aroundValue + 2*int64(len(key))
		}
		if query.Sorted(one.value, there.value) < 0 { // of texts that differ only in case, always show the same one
			there.value = one.value
		}
		there.calls += one.calls
	}
}

// add adds the values that are numbers.
func (s spread) add(all []counted) {
	for _, one := range all {
		if n, ok := one.value.Number(); ok {
			s[n] += one.calls
		}
	}
}

// tooMany refuses fields with too many different values.
func (c *valueCount) tooMany() error {
	if max(len(c.values), len(c.spread)) <= mostValues {
		return nil
	}
	return fault.New(fault.Invalid, fault.CodeQueryLimit,
		"%s has more than %d different values; leave it out, or restrict the calls with from, until or where",
		c.field.String(), mostValues)
}

// mostValues bounds the different values of a field that are counted.
const mostValues = 500_000

// facet returns the most frequent values, or ranges, at most so many.
func (c *valueCount) facet(most int) Facet {
	f := Facet{Field: c.field, None: c.none, Values: []FacetValue{}}
	if ranged(c.field) {
		f.Values = append(f.Values, c.spread.ranges(c.field, most)...)
		return f
	}
	all := slices.SortedFunc(maps.Values(c.values), func(a, b *counted) int {
		return cmp.Or(cmp.Compare(b.calls, a.calls), query.Sorted(a.value, b.value))
	})
	for i, v := range all {
		if i >= most {
			f.Others++
			f.Rest += v.calls
			continue
		}
		f.Values = append(f.Values, FacetValue{Value: v.value.Any(), Calls: v.calls,
			Condition: query.Compare{Field: c.field, Op: query.Equal, Value: v.value}})
	}
	return f
}

// of returns the number of calls with a value, or in a range, of a facet of the same field.
func (c *valueCount) of(v FacetValue) (calls int) {
	if ranged(c.field) {
		for number, n := range c.spread {
			if (v.From == nil || number >= *v.From) && (v.To == nil || number < *v.To) {
				calls += n
			}
		}
		return calls
	}
	if there := c.values[string(v.Condition.(query.Compare).Value.AppendKey(nil))]; there != nil {
		return there.calls
	}
	return 0
}

// len returns the number of calls.
func (s spread) len() (n int) {
	for _, calls := range s {
		n += calls
	}
	return n
}

// quantiles returns quantiles in equal steps, from the least number to the greatest, interpolated as percentile()
// does; nil if there are no numbers.
func (s spread) quantiles(n int) []float64 {
	if len(s) == 0 {
		return nil
	}
	numbers, last := slices.Sorted(maps.Keys(s)), s.len()-1
	quantiles := make([]float64, n)
	place, until := 0, s[numbers[0]] // numbers[place] has the ranks below until
	at := func(rank int) float64 {
		for rank >= until {
			place++
			until += s[numbers[place]]
		}
		return numbers[place]
	}
	for i := range quantiles {
		rank := float64(i) / float64(n-1) * float64(last)
		below := int(rank)
		low := at(below)
		high := low
		if below+1 >= until {
			high = numbers[min(place+1, len(numbers)-1)]
		}
		quantiles[i] = low + (rank-float64(below))*(high-low)
	}
	return quantiles
}

// ranges divides the numbers into at most so many ranges, at least two, of equal width: 1, 2 or 5 times a power of ten.
// The width suits nine tenths of the calls, so that few extreme ones do not determine it; if some calls lie below the
// first range, or above the last, it is unbounded.
func (s spread) ranges(f query.Field, most int) (all []FacetValue) {
	if len(s) == 0 {
		return nil
	}
	q := s.quantiles(21)
	w := widthOf(q[1], q[19], most)
	first, last := w.place(q[1]), w.place(q[19])
	counts := make([]int, last-first+1)
	below, above := false, false
	for number, calls := range s {
		switch {
		case number < w.edge(first):
			below = true
			counts[0] += calls
		case number >= w.edge(last+1):
			above = true
			counts[last-first] += calls
		default:
			counts[w.place(number)-first] += calls
		}
	}
	for i, calls := range counts {
		from, to := w.edge(first+i), w.edge(first+i+1)
		v := FacetValue{From: &from, To: &to, Calls: calls}
		if i == 0 && below {
			v.From = nil
		}
		if i == len(counts)-1 && above {
			v.To = nil
		}
		v.Condition = v.between(f)
		all = append(all, v)
	}
	return all
}

// between returns the condition that a field lies in a range.
func (v FacetValue) between(f query.Field) query.Condition {
	var both query.And
	if v.From != nil {
		both = append(both, query.Compare{Field: f, Op: query.GreaterEqual, Value: query.Number(*v.From)})
	}
	if v.To != nil {
		both = append(both, query.Compare{Field: f, Op: query.Less, Value: query.Number(*v.To)})
	}
	switch len(both) {
	case 0:
		return query.Null{Field: f, Not: true}
	case 1:
		return both[0]
	}
	return both
}

// width is the width of ranges: digit times ten to the power of exponent.
type width struct{ digit, exponent int }

// widthOf returns the least width with which at most so many ranges, at least two, cover the numbers from low to high.
func widthOf(low, high float64, most int) width {
	w := width{1, int(math.Floor(math.Log10(max(high-low, math.Abs(low)/1e6, math.Abs(high)/1e6, 1e-6)))) - 3}
	for w.place(high)-w.place(low)+1 > max(most, 2) {
		switch w.digit {
		case 1:
			w.digit = 2
		case 2:
			w.digit = 5
		default:
			w = width{1, w.exponent + 1}
		}
	}
	return w
}

// edge returns the start of a range. Dividing by a power of ten gives the nearest decimal number.
func (w width) edge(place int) float64 {
	if w.exponent < 0 {
		return float64(place*w.digit) / math.Pow10(-w.exponent)
	}
	return float64(place*w.digit) * math.Pow10(w.exponent)
}

// place returns the range that a number lies in.
func (w width) place(number float64) int {
	at := int(math.Floor(number / (float64(w.digit) * math.Pow10(w.exponent))))
	for number < w.edge(at) {
		at--
	}
	for number >= w.edge(at+1) {
		at++
	}
	return at
}

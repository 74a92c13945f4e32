package query

import (
	"math"
	"slices"
	"strings"
	"time"
)

// Builtin is a function of the language: one row of the table of functions. Exactly one of value, aggregate, hits and
// stretches is set; it evaluates the function and determines where the function is allowed.
type Builtin struct {
	Name     string
	form     string // the syntax, for error messages
	takes    []parameter
	optional int  // how many of the last arguments may be left out
	keeps    bool // the aggregate needs every number, not only the sums

	value     func(args []Expr, of func(Field) Value) Value // of one call: in columns, groups and orders
	aggregate func(s *Sum, args []Expr) Value               // of many calls: in columns and orders
	hits      bool                                          // lists where the condition holds: in columns
	stretches func(r *run) []stretch                        // a condition: holds if one of the stretches is long enough
}

// parameter is the type of an argument. It reports whether an expression is valid as that argument.
type parameter func(Expr) bool

// functions are the functions of the language, in documented order.
var functions = []*Builtin{
	{Name: "hits", form: "hits()", hits: true},
	{Name: "count", form: "count(*) or count(field)", takes: []parameter{isFieldOrStar},
		aggregate: func(s *Sum, _ []Expr) Value { return Number(float64(s.count)) }},
	{Name: "sum", form: "sum(field)", takes: []parameter{isField},
		aggregate: func(s *Sum, _ []Expr) Value { return s.number(s.total) }},
	{Name: "avg", form: "avg(field)", takes: []parameter{isField},
		aggregate: func(s *Sum, _ []Expr) Value { return s.number(s.total / float64(s.numbers)) }},
	{Name: "min", form: "min(field)", takes: []parameter{isField},
		aggregate: func(s *Sum, _ []Expr) Value { return s.low }},
	{Name: "max", form: "max(field)", takes: []parameter{isField},
		aggregate: func(s *Sum, _ []Expr) Value { return s.high }},
	{Name: "median", form: "median(field)", takes: []parameter{isField}, keeps: true,
		aggregate: func(s *Sum, _ []Expr) Value { return s.percentile(50) }},
	{Name: "percentile", form: "percentile(field, p) with p from 0 to 100", takes: []parameter{isField, isPercent},
		keeps: true, aggregate: func(s *Sum, args []Expr) Value { return s.percentile(args[1].(Value).number) }},
	{Name: "date_trunc", form: "date_trunc('day', field), with day, week or month, and a time zone such as 'Europe/Berlin'",
		takes: []parameter{isPeriod, isField, isZone}, optional: 1,
		value: func(args []Expr, of func(Field) Value) Value {
			zone := time.UTC
			if len(args) > 2 {
				zone, _ = zoneOf(args[2].(Value).text)
			}
			return truncated(Evaluate(args[1], of), args[0].(Value).text, zone)
		}},
	{Name: "silence", form: "silence(10s)", stretches: func(r *run) []stretch { return r.silences }},
	{Name: "overtalk", form: "overtalk(10s)", stretches: func(r *run) []stretch { return r.overtalks }},
}

func isField(e Expr) bool { _, ok := e.(Field); return ok }
func isFieldOrStar(e Expr) bool {
	_, star := e.(Star)
	return star || isField(e)
}
func isPercent(e Expr) bool {
	v, ok := e.(Value)
	return ok && v.kind == isNumber && v.number >= 0 && v.number <= 100
}
func isPeriod(e Expr) bool {
	v, ok := e.(Value)
	return ok && v.kind == isText && slices.Contains(periods, v.text)
}

func isZone(e Expr) bool {
	v, ok := e.(Value)
	if ok = ok && v.kind == isText; ok {
		_, ok = zoneOf(v.text)
	}
	return ok
}

// Where functions are allowed.
func inCondition(b *Builtin) bool  { return b.stretches != nil }
func inExpression(b *Builtin) bool { return b.stretches == nil }
func inGroup(b *Builtin) bool      { return b.value != nil }

// place returns where the function is allowed.
func (b *Builtin) place() string {
	switch {
	case inCondition(b):
		return "in conditions"
	case inGroup(b):
		return "as a column and in GROUP BY and ORDER BY"
	case b.hits:
		return "as a column"
	}
	return "as a column and in ORDER BY"
}

// functionNames returns the names of the functions accepted by may.
func functionNames(may func(*Builtin) bool) (names []string) {
	for _, b := range functions {
		if may(b) {
			names = append(names, b.Name)
		}
	}
	return names
}

// builtin returns the function with the given name, in any case, if may accepts it; nil if not found.
func builtin(name string, may func(*Builtin) bool) *Builtin {
	i := slices.IndexFunc(functions, func(b *Builtin) bool { return may(b) && strings.EqualFold(b.Name, name) })
	if i < 0 {
		return nil
	}
	return functions[i]
}

// fits reports whether the number and the types of the arguments are valid.
func (b *Builtin) fits(args []Expr) bool {
	if len(args) > len(b.takes) || len(args) < len(b.takes)-b.optional {
		return false
	}
	for i, arg := range args {
		if !b.takes[i](arg) {
			return false
		}
	}
	return true
}

// IsAggregate reports whether an expression is computed from several calls.
func IsAggregate(e Expr) bool {
	f, ok := e.(Function)
	return ok && f.aggregate != nil
}

// IsHits reports whether an expression lists the hits of the statement's condition.
func IsHits(e Expr) bool {
	f, ok := e.(Function)
	return ok && f.hits
}

// Evaluate returns the value of an expression for one call; of returns the values of its fields. Aggregates and hits()
// have no such value.
func Evaluate(e Expr, of func(Field) Value) Value {
	switch e := e.(type) {
	case Field:
		return of(e)
	case Value:
		return e
	case Function:
		if e.value != nil {
			return e.value(e.Args, of)
		}
	}
	return Value{}
}

// Sum accumulates the values of an aggregate. The sums of disjoint sets of calls are merged.
type Sum struct {
	count, numbers int
	total          float64
	low, high      Value
	kept           []float64 // for functions that need every number
}

// Add adds a call to the sum of an aggregate; of returns the values of its fields.
func (s *Sum) Add(f Function, of func(Field) Value) {
	field, ok := f.Args[0].(Field)
	if !ok { // *
		s.count++
		return
	}
	v := of(field)
	if v.Missing() {
		return
	}
	s.count++
	s.bound(v, v)
	n, ok := v.Number()
	if !ok {
		return
	}
	s.numbers++
	s.total += n
	if f.keeps {
		s.kept = append(s.kept, n)
	}
}

// bound extends the range of the values.
func (s *Sum) bound(low, high Value) {
	if s.low.Missing() || !low.Missing() && Sorted(low, s.low) < 0 {
		s.low = low
	}
	if s.high.Missing() || !high.Missing() && Sorted(high, s.high) > 0 {
		s.high = high
	}
}

// Merge adds the sum of other calls.
func (s *Sum) Merge(o *Sum) {
	s.count += o.count
	s.numbers += o.numbers
	s.total += o.total
	s.bound(o.low, o.high)
	s.kept = append(s.kept, o.kept...)
}

// Kept returns the number of values that the sum holds in memory.
func (s *Sum) Kept() int { return len(s.kept) }

// Value returns the value of an aggregate. It is missing if no call had a value.
func (s *Sum) Value(f Function) Value { return f.aggregate(s, f.Args) }

// number returns a result. It is missing if no value was a number, or after an overflow.
func (s *Sum) number(n float64) Value {
	if s.numbers == 0 || math.IsInf(n, 0) || math.IsNaN(n) {
		return Value{}
	}
	return Number(n)
}

// percentile interpolates linearly between the two nearest ranks (type 7 of Hyndman and Fan, as spreadsheets do). It
// sorts the numbers.
func (s *Sum) percentile(p float64) Value {
	if s.numbers == 0 {
		return Value{}
	}
	slices.Sort(s.kept)
	at := p / 100 * float64(len(s.kept)-1)
	low := int(at)
	if low+1 >= len(s.kept) {
		return s.number(s.kept[len(s.kept)-1])
	}
	return s.number(s.kept[low] + (at-float64(low))*(s.kept[low+1]-s.kept[low]))
}

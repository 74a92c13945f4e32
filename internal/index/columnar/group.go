package columnar

import (
	"cmp"
	"slices"
	"sync"

	"parley/internal/query"
	"parley/internal/words/fault"
)

// group is the calls with equal grouping values.
type group struct {
	by   []query.Value
	sums []query.Sum // one per aggregate
}

// grouping is the grouping expressions and aggregates of a statement.
type grouping struct {
	by   []query.Expr
	sums []query.Function
	kept int // values kept for medians and percentiles
}

func (q *question) grouping() *grouping {
	g := &grouping{}
	for _, e := range q.sel.Group {
		g.by = append(g.by, q.sel.Unaliased(e))
	}
	add := func(e query.Expr) {
		if query.IsAggregate(e) && g.place(e) < 0 {
			g.sums = append(g.sums, e.(query.Function))
		}
	}
	for _, i := range q.sel.Items {
		add(i.Expr)
	}
	for _, o := range q.sel.Order {
		add(q.sel.Unaliased(o.By))
	}
	return g
}

// place returns the index of an aggregate in the list, -1 if it is not there.
func (g *grouping) place(e query.Expr) int {
	name := exprName(e)
	return slices.IndexFunc(g.sums, func(f query.Function) bool { return exprName(f) == name })
}

func exprName(e query.Expr) string { return query.Item{Expr: e}.String() }

// grouped returns an answer with one row per group.
func (q *question) grouped() (*Answer, error) {
	g := q.grouping()
	var mu sync.Mutex
	groups := map[string]*group{}
	err := q.each(q.ctx, len(q.parts), func(i int, stop stop) (Plan, error) {
		mine, done, err := q.groupsOf(q.parts[i], g, stop)
		if err != nil {
			return done, err
		}
		mu.Lock()
		defer mu.Unlock()
		return done, g.merge(groups, mine)
	})
	if err != nil {
		return nil, err
	}
	if len(g.by) == 0 && len(groups) == 0 {
		groups[""] = &group{sums: make([]query.Sum, len(g.sums))}
	}
	var answer *Answer
	err = q.work(q.ctx, func(stop) error { answer = q.groupRows(g, groups); return nil })
	return answer, err
}

// groupsOf computes the groups of one segment.
func (q *question) groupsOf(p *part, g *grouping, stop stop) (groups map[string]*group, done Plan, err error) {
	exprs := slices.Clone(g.by)
	for _, f := range g.sums {
		exprs = append(exprs, f)
	}
	j, err := q.cond.over(p, q.types, stop, fieldsOf(exprs...)...)
	if err != nil {
		return nil, done, err
	}
	groups = map[string]*group{}
	by := make([]query.Value, len(g.by))
	var key []byte
	for call, err := range j.matches(0, stop) {
		if err != nil {
			return nil, done, err
		}
		done.Matched++
		j.call = call
		key = key[:0]
		for i, e := range g.by {
			by[i] = query.Evaluate(e, j.subject.Value)
			key = by[i].AppendKey(key)
		}
		one := groups[string(key)]
		if one == nil {
			one = &group{slices.Clone(by), make([]query.Sum, len(g.sums))}
			groups[string(key)] = one
		}
		for i, f := range g.sums {
			one.sums[i].Add(f, j.subject.Value)
		}
	}
	done.note(j)
	return groups, done, j.Err()
}

// merge adds the groups of from to into.
func (g *grouping) merge(into, from map[string]*group) error {
	for key, one := range from {
		there := into[key]
		if there == nil {
			if len(into) == mostGroups {
				return fault.New(fault.Invalid, fault.CodeQueryLimit,
					"the answer has more than %d groups; group by a field with fewer values", mostGroups)
			}
			there = &group{one.by, make([]query.Sum, len(g.sums))}
			into[key] = there
		}
		for i, v := range one.by { // of texts that differ only in case, always show the same one
			if query.Sorted(v, there.by[i]) < 0 {
				there.by[i] = v
			}
		}
		for i := range one.sums {
			there.sums[i].Merge(&one.sums[i])
			g.kept += one.sums[i].Kept()
		}
	}
	if g.kept > mostNumbers {
		return fault.New(fault.Invalid, fault.CodeQueryLimit,
			"medians and percentiles cannot be computed of more than %d values; restrict dateCreated", mostNumbers)
	}
	return nil
}

// groupRows sorts the groups and returns the rows of the page.
func (q *question) groupRows(g *grouping, groups map[string]*group) *Answer {
	type row struct {
		*group
		order []query.Value
	}
	value := func(one *group, e query.Expr) query.Value {
		if i := g.place(e); i >= 0 {
			return one.sums[i].Value(g.sums[i])
		}
		for i, b := range g.by {
			if exprName(b) == exprName(e) {
				return one.by[i]
			}
		}
		return query.Value{}
	}
	var rows []row
	for _, one := range groups {
		r := row{group: one}
		for _, o := range q.sel.Order {
			r.order = append(r.order, value(one, q.sel.Unaliased(o.By)))
		}
		rows = append(rows, r)
	}
	slices.SortFunc(rows, func(a, b row) int {
		return cmp.Or(byOrder(q.sel.Order, a.order, b.order), slices.CompareFunc(a.by, b.by, query.Sorted))
	})
	answer := &Answer{Total: len(rows), Rows: [][]any{}}
	columns := columnsOf(q.sel)
	for _, c := range columns {
		answer.Columns = append(answer.Columns, c.name)
	}
	rows = rows[min(q.offset, len(rows)):]
	for _, r := range rows[:min(q.limit, len(rows))] {
		cells := make([]any, len(columns))
		for i, c := range columns {
			cells[i] = value(r.group, c.expr).Any()
		}
		answer.Rows = append(answer.Rows, cells)
	}
	return answer
}

package query

import (
	"reflect"
	"slices"
	"strings"

	"parley/internal/words/fault"
)

// columns holds a SELECT and the character positions of its items, groups and orders.
type columns struct {
	*Select
	items, groups, orders []int
	sound                 bool // no mistake was found while they were parsed
}

// reporter records a mistake at a character of a text.
type reporter func(at int, format string, args ...any)

// check validates the items, groups and orders of a SELECT. Aliases must differ. With GROUP BY or an aggregate, every
// column and every order must be an aggregate or one of the groups.
func (c *columns) check(report reporter) {
	for i, item := range c.Items {
		same := func(o Item) bool { return item.As != "" && strings.EqualFold(o.As, item.As) }
		if slices.ContainsFunc(c.Items[:i], same) {
			report(c.items[i], "duplicate column name %s", quoted(item.As))
		}
	}
	grouped := len(c.Group) > 0 || c.Aggregates()
	for i, g := range c.Group {
		if f, ok := c.Unaliased(g).(Function); ok && !inGroup(f.Builtin) {
			report(c.groups[i], "cannot group by %s; use %s", printExpr(g),
				fault.Choice(append([]string{"fields"}, functionNames(inGroup)...)))
		}
	}
	c.checkOrders(report, grouped)
	for i, item := range c.Items {
		if grouped && !c.ofGroup(item.Expr) {
			report(c.items[i], "%s has no single value for a group; add it to GROUP BY, or use an aggregate such as "+
				"count(*) or avg(field)", printExpr(item.Expr))
		}
	}
}

// checkOrders checks that each row has exactly one value for every expression in ORDER BY.
func (c *columns) checkOrders(report reporter, grouped bool) {
	for i, o := range c.Order {
		switch e := c.Unaliased(o.By); {
		case IsHits(e):
			report(c.orders[i], "cannot order by %s; order by fields, functions of fields or "+
				"aliases", printExpr(e))
		case grouped && !c.ofGroup(e):
			report(c.orders[i], "cannot order by %s, which has no single value for a group; add it to "+
				"GROUP BY, or use an aggregate of it", printExpr(e))
		case !grouped && IsAggregate(e):
			report(c.orders[i], "cannot order by the aggregate %s, because each row is one call; select aggregates, add "+
				"GROUP BY, or order by fields", printExpr(e))
		}
	}
}

// ofGroup reports whether an expression has a single value for a whole group.
func (c *columns) ofGroup(e Expr) bool {
	return IsAggregate(e) || slices.ContainsFunc(c.Group, func(g Expr) bool {
		return reflect.DeepEqual(c.Unaliased(g), e)
	})
}

// Unaliased returns the expression that an alias refers to, and any other expression unchanged.
func (s *Select) Unaliased(e Expr) Expr {
	if a, ok := e.(Alias); ok {
		for _, i := range s.Items {
			if i.As == string(a) {
				return i.Expr
			}
		}
	}
	return e
}

// Aggregates reports whether the SELECT contains aggregates. Without GROUP BY they are computed over all calls as one
// group.
func (s *Select) Aggregates() bool {
	return slices.ContainsFunc(s.Items, func(i Item) bool { return IsAggregate(i.Expr) })
}

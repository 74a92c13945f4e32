package query

import (
	"reflect"
	"slices"
	"strings"
)

// checkColumns checks what a SELECT shows and orders by: in groups, and beside aggregates, every column and every order is an
// aggregate or one of the groups; aliases differ.
func (p *parser) checkColumns(c *columns) {
	if len(p.mistakes) > 0 {
		return
	}
	for i, item := range c.Items {
		same := func(o Item) bool { return item.As != "" && strings.EqualFold(o.As, item.As) }
		if slices.ContainsFunc(c.Items[:i], same) {
			p.tell(c.items[i], "there is a column %s already", quoted(item.As))
		}
	}
	grouped := len(c.Group) > 0 || slices.ContainsFunc(c.Items, func(i Item) bool { return aggregate(i.Expr) })
	for i, g := range c.Group {
		if aggregate(c.unaliased(g)) || isFunction(c.unaliased(g), "hits") {
			p.tell(c.groups[i], "groups are made by fields and date_trunc, not by %s", printExpr(g))
		}
	}
	p.checkOrders(c, grouped)
	for i, item := range c.Items {
		if grouped && !c.ofGroup(item.Expr) {
			p.tell(c.items[i], "%s is not the same in a whole group; put it into GROUP BY or an aggregate such as count(*), avg(field)", printExpr(item.Expr))
		}
	}
}

// checkOrders checks what rows are ordered by: something that each of them has one value of.
func (p *parser) checkOrders(c *columns, grouped bool) {
	for i, o := range c.Order {
		switch e := c.unaliased(o.By); {
		case isFunction(e, "hits"):
			p.tell(c.orders[i], "rows are not ordered by hits(), which are many; order by fields, functions of them or aliases")
		case grouped && !c.ofGroup(e):
			p.tell(c.orders[i], "groups cannot be ordered by %s, which is not the same in a whole group; put it into GROUP BY, or take an aggregate of it", printExpr(e))
		case !grouped && aggregate(e):
			p.tell(c.orders[i], "%s is of many calls, and each row here is one; select aggregates or GROUP BY something, or order by fields", printExpr(e))
		}
	}
}

// ofGroup reports whether something has one value in a whole group.
func (c *columns) ofGroup(e Expr) bool {
	return aggregate(e) || slices.ContainsFunc(c.Group, func(g Expr) bool { return reflect.DeepEqual(c.unaliased(g), e) })
}

// unaliased is what an expression stands for.
func (s *Select) unaliased(e Expr) Expr {
	if a, ok := e.(Alias); ok {
		for _, i := range s.Items {
			if i.As == string(a) {
				return i.Expr
			}
		}
	}
	return e
}

func aggregate(e Expr) bool {
	f, ok := e.(Function)
	return ok && slices.ContainsFunc(signatures, func(s signature) bool { return s.name == f.Name && s.aggregate })
}

func isFunction(e Expr, name string) bool {
	f, ok := e.(Function)
	return ok && f.Name == name
}

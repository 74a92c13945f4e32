package store

import (
	"container/list"
	"context"
	"database/sql/driver"
	"errors"
	"strings"
)

// mostStatements bounds the prepared statements per connection. The store has about three hundred texts; lists of ids
// add more.
const mostStatements = 512

// cachingConnector is a connector whose connections cache prepared statements. Otherwise SQLite compiles the text each
// time, which takes longer than most statements run.
type cachingConnector struct{ driver.Connector }

// sqliteConn is what database/sql uses of a connection to SQLite.
type sqliteConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

// Connect opens a connection.
func (p cachingConnector) Connect(ctx context.Context) (driver.Conn, error) {
	c, err := p.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &preparedConn{sqliteConn: c.(sqliteConn), kept: map[string]*list.Element{}, order: list.New()}, nil
}

// preparedConn is a connection with its prepared statements. database/sql uses a connection from one goroutine at a
// time.
type preparedConn struct {
	sqliteConn
	kept  map[string]*list.Element // *cachedStatement by text
	order *list.List               // the most recently used first
}

// cachedStatement is a prepared statement.
type cachedStatement struct {
	text  string
	stmt  driver.Stmt
	inUse bool // its rows are being read
}

// prepare returns the statement for a text, nil if it is not cacheable or its rows are being read.
func (c *preparedConn) prepare(ctx context.Context, text string) (*cachedStatement, error) {
	if at, ok := c.kept[text]; ok {
		c.order.MoveToFront(at)
		if p := at.Value.(*cachedStatement); !p.inUse {
			return p, nil
		}
		return nil, nil
	}
	if !keepable(text) {
		return nil, nil
	}
	stmt, err := c.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	p := &cachedStatement{text: text, stmt: stmt}
	c.kept[text] = c.order.PushFront(p)
	for at := c.order.Back(); at != nil && c.order.Len() > mostStatements; {
		oldest, next := at.Value.(*cachedStatement), at.Prev()
		if !oldest.inUse && oldest != p {
			c.order.Remove(at)
			delete(c.kept, oldest.text)
			if err := oldest.stmt.Close(); err != nil {
				return nil, err
			}
		}
		at = next
	}
	return p, nil
}

// keepable reports whether a text reads or writes rows: statements that change the schema or the connection are rare.
func keepable(text string) bool {
	verb, _, _ := strings.Cut(strings.TrimLeft(text, " \t\n"), " ")
	switch strings.TrimSpace(verb) {
	case "SELECT", "INSERT", "UPDATE", "DELETE", "WITH":
		return true
	}
	return false
}

// ExecContext runs a statement that returns no rows.
func (c *preparedConn) ExecContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Result, error) {
	p, err := c.prepare(ctx, text)
	if err != nil {
		return nil, err
	}
	if p == nil {
		return c.sqliteConn.ExecContext(ctx, text, args)
	}
	return p.stmt.(driver.StmtExecContext).ExecContext(ctx, args)
}

// QueryContext runs a statement that returns rows.
func (c *preparedConn) QueryContext(ctx context.Context, text string, args []driver.NamedValue) (driver.Rows, error) {
	p, err := c.prepare(ctx, text)
	if err != nil {
		return nil, err
	}
	if p == nil {
		return c.sqliteConn.QueryContext(ctx, text, args)
	}
	rows, err := p.stmt.(driver.StmtQueryContext).QueryContext(ctx, args)
	if err != nil {
		return nil, err
	}
	p.inUse = true
	return &preparedRows{rows, p}, nil
}

// Close closes the connection and its statements.
func (c *preparedConn) Close() error {
	var all []error
	for at := c.order.Front(); at != nil; at = at.Next() {
		all = append(all, at.Value.(*cachedStatement).stmt.Close())
	}
	return errors.Join(append(all, c.sqliteConn.Close())...)
}

// preparedRows releases its statement when it is closed.
type preparedRows struct {
	driver.Rows
	of *cachedStatement
}

// Close ends the reading.
func (r *preparedRows) Close() error {
	r.of.inUse = false
	return r.Rows.Close()
}

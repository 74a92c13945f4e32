package store

import (
	"fmt"
	"strings"
	"time"

	"parley/internal/storage/sqlrow"
	"parley/internal/words/account"
	"parley/internal/words/audit"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// MediaFilter restricts a list of media; zero values do not restrict it.
type MediaFilter struct {
	Status        media.Status
	ExternalID    string
	From          time.Time          // created at or after
	Until         time.Time          // created at or before
	Fields        []media.FieldValue // all of which its metadata has, at paths defined when it was published
	After, Before media.ID           // created after, before this item, which may have been deleted
	Searchable    bool               // only items that are visible in queries
	IDs           []media.ID         // only these, when not nil
	Ascending     bool               // oldest first; else newest first
	Limit         int                // 0: 100
}

// ListMedia returns the items of an account in order of creation.
func (tx *Tx) ListMedia(a account.ID, f MediaFilter) ([]media.Media, error) {
	where, args, err := f.where(a)
	if err != nil {
		return nil, err
	}
	where += ` AND NOT ` + tx.expired()
	from, args, err := tx.mediaWith(f.Fields, args)
	if err != nil {
		return nil, err
	}
	page, args := page(f.Ascending, f.Limit, args)
	return sqlrow.All(tx.query(`SELECT `+mediaColumns+` FROM `+from+` WHERE `+where+page, args...), tx.scanMedia)
}

// where returns the condition and its parameters. Since ids sort by creation, all time limits become limits of the id,
// and the list is one index range.
func (f MediaFilter) where(a account.ID) (string, []any, error) {
	var c conditions
	c.add("account =", a)
	if f.Status != "" {
		c.add("status =", f.Status)
	}
	if f.ExternalID != "" {
		c.add("external_id =", f.ExternalID)
	}
	c.created(f.From, f.Until)
	for _, edge := range []struct {
		condition string
		id        media.ID
	}{{"id >", f.After}, {"id <", f.Before}} {
		if edge.id == "" {
			continue
		}
		id, err := media.ParseID(string(edge.id))
		if err != nil {
			return "", nil, fault.New(fault.Invalid, fault.CodeParameter, "%q is not a media id", string(edge.id))
		}
		c.add(edge.condition, id)
	}
	if f.Searchable {
		c.texts = append(c.texts, "searchable = 1")
	}
	if f.IDs != nil {
		var in string
		in, c.args = placeholders(f.IDs, c.args)
		c.texts = append(c.texts, "id IN ("+in+")")
	}
	return c.String(), c.args, nil
}

// Bounds returns the ids between which the filter's items lie, both exclusive; empty: unbounded.
func (f MediaFilter) Bounds() (after, before media.ID) {
	after, before = f.After, f.Before
	if !f.From.IsZero() { // no item has the lowest id of a millisecond
		after = max(after, media.ID(audit.First(f.From.Add(time.Millisecond-1))))
	}
	if !f.Until.IsZero() {
		if until := media.ID(audit.First(f.Until.Add(time.Millisecond))); before == "" || until < before {
			before = until
		}
	}
	return after, before
}

// conditions are those of a list, all of which a row must meet, and their parameters.
type conditions struct {
	texts []string
	args  []any
}

// add adds a condition that ends with a parameter.
func (c *conditions) add(condition string, arg any) {
	c.args = append(c.args, arg)
	c.texts = append(c.texts, fmt.Sprintf("%s $%d", condition, len(c.args)))
}

// created restricts ids to a period, both ends inclusive; zero times do not restrict it.
func (c *conditions) created(from, until time.Time) {
	if !from.IsZero() {
		c.add("id >=", audit.First(from.Add(time.Millisecond-1)))
	}
	if !until.IsZero() {
		c.add("id <", audit.First(until.Add(time.Millisecond)))
	}
}

// String returns the text of a WHERE clause.
func (c *conditions) String() string { return strings.Join(c.texts, " AND ") }

// page returns the order and the limit of a list by id, and the parameters with that of the limit; 0: 100.
func page(ascending bool, limit int, args []any) (string, []any) {
	order := "DESC"
	if ascending {
		order = "ASC"
	}
	if limit <= 0 {
		limit = 100
	}
	return fmt.Sprintf(" ORDER BY id %s LIMIT $%d", order, len(args)+1), append(args, limit)
}

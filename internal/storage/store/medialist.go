package store

import (
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"parley/internal/words/account"
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
	order := "DESC"
	if f.Ascending {
		order = "ASC"
	}
	if f.Limit <= 0 {
		f.Limit = 100
	}
	args = append(args, f.Limit)
	rows, err := tx.query(fmt.Sprintf(`SELECT %s FROM %s WHERE %s ORDER BY id %s LIMIT $%d`,
		mediaColumns, from, where, order, len(args)), args...)
	return collect(rows, err, tx.scanMedia)
}

// where returns the condition and its parameters. Since ids sort by creation, all time limits become limits of the id,
// and the list is one index range.
func (f MediaFilter) where(a account.ID) (string, []any, error) {
	conditions, args := []string{"account = $1"}, []any{a}
	add := func(condition string, arg any) {
		args = append(args, arg)
		conditions = append(conditions, fmt.Sprintf("%s $%d", condition, len(args)))
	}
	if f.Status != "" {
		add("status =", f.Status)
	}
	if f.ExternalID != "" {
		add("external_id =", f.ExternalID)
	}
	if !f.From.IsZero() {
		add("id >=", firstID(f.From.Add(time.Millisecond-1)))
	}
	if !f.Until.IsZero() {
		add("id <", firstID(f.Until.Add(time.Millisecond)))
	}
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
		add(edge.condition, id)
	}
	if f.Searchable {
		conditions = append(conditions, "searchable = 1")
	}
	if f.IDs != nil {
		var in string
		in, args = placeholders(f.IDs, args)
		conditions = append(conditions, "id IN ("+in+")")
	}
	return strings.Join(conditions, " AND "), args, nil
}

// firstID returns the lowest id of the millisecond that contains t.
func firstID(t time.Time) media.ID {
	ms := max(t.UnixMilli(), 0)
	var u uuid.UUID
	for i := range 6 {
		u[i] = byte(ms >> (40 - 8*i))
	}
	return media.ID(u.String())
}

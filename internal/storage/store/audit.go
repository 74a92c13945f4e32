package store

import (
	"context"
	"time"

	"parley/internal/storage/sqlrow"
	"parley/internal/words/account"
	"parley/internal/words/audit"
	"parley/internal/words/fault"
)

type alsoKey struct{}

// Also returns a context whose Updates also run f, at the end of their transactions: the writes of f are committed if
// and only if theirs are. Like their own functions, f may run again.
func Also(ctx context.Context, f func(*Tx) error) context.Context {
	return context.WithValue(ctx, alsoKey{}, f)
}

// withAlso runs the functions that Also added to a context.
func withAlso(ctx context.Context, tx *Tx) error {
	if f, ok := ctx.Value(alsoKey{}).(func(*Tx) error); ok {
		return f(tx)
	}
	return nil
}

const auditColumns = `id, account, made_by, token, remote, reference, action, object, media, name, outcome, code, session`

// eventsDropped bounds the entries deleted per transaction, because other transactions wait for it on SQLite.
const eventsDropped = 1000

func scanEvent(row sqlrow.Row) (audit.Event, error) {
	var e audit.Event
	err := row.Scan(&e.ID, &e.Account, &e.By, &e.Token, &e.Remote, &e.Reference, &e.Action, &e.Object, &e.Media,
		&e.Name, &e.Outcome, &e.Code, &e.Session)
	return e, err
}

// AddEvents appends entries to the audit log. It skips those of accounts that do not exist (any more), and those that are
// there, because an earlier commit of them had no answer.
func (tx *Tx) AddEvents(events ...audit.Event) error {
	events, err := tx.ofAccounts(events)
	if err != nil || len(events) == 0 {
		return err
	}
	// One row per statement: multi-row statements are slower on SQLite, which looks up each parameter by name.
	insert, err := tx.sql.PrepareContext(tx.ctx,
		`INSERT INTO audit (`+auditColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
			ON CONFLICT (id) DO NOTHING`)
	if err != nil {
		return err
	}
	defer insert.Close()
	for _, e := range events {
		_, err := insert.ExecContext(tx.ctx, e.ID, e.Account, e.By, e.Token, e.Remote, e.Reference, e.Action, e.Object,
			e.Media, e.Name, e.Outcome, e.Code, e.Session)
		if err != nil {
			return err
		}
	}
	return nil
}

// ofAccounts returns the events whose accounts exist, and keeps these from being deleted until this transaction ends.
func (tx *Tx) ofAccounts(events []audit.Event) ([]audit.Event, error) {
	known := map[account.ID]bool{}
	var kept []audit.Event
	for _, e := range events {
		is, asked := known[e.Account]
		if !asked {
			err := tx.keepAccount(e.Account)
			if err != nil && !fault.Is(err, fault.NotFound) {
				return nil, err
			}
			is = err == nil
			known[e.Account] = is
		}
		if is {
			kept = append(kept, e)
		}
	}
	return kept, nil
}

// Events returns entries of an account's audit log in order of time.
func (tx *Tx) Events(a account.ID, f audit.Filter) ([]audit.Event, error) {
	var c conditions
	c.add("account =", a)
	if f.Media != "" {
		c.add("media <> '' AND media =", f.Media) // spelled out so that the partial indexes apply
	}
	switch f.Action {
	case "":
	case audit.Read:
		c.add("action =", f.Action)
	default:
		c.add("action <> 'read' AND action =", f.Action)
	}
	if f.Token != "" {
		c.add("token <> '' AND token =", f.Token)
	}
	c.created(f.From, f.Until)
	if f.After != "" {
		c.add("id >", f.After)
	}
	if f.Before != "" {
		c.add("id <", f.Before)
	}
	page, args := page(f.Ascending, f.Limit, c.args)
	return sqlrow.All(tx.query(`SELECT `+auditColumns+` FROM audit WHERE `+c.String()+page, args...), scanEvent)
}

// ForgetEvents deletes entries of all accounts that are older than age, oldest first, up to a limit per transaction;
// more reports whether there may be others.
func (tx *Tx) ForgetEvents(age time.Duration) (more bool, err error) {
	now, err := tx.now()
	if err != nil {
		return false, err
	}
	n, err := tx.affected(`DELETE FROM audit WHERE id IN (SELECT id FROM audit WHERE id < $1 ORDER BY id LIMIT $2)`,
		audit.First(now.Add(-age)), eventsDropped)
	return n == eventsDropped, err
}

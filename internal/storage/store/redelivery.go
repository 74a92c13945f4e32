package store

import (
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"parley/internal/call/delivery"
	"parley/internal/storage/sqlrow"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

// DeliveryFilter selects deliveries of an account; zero values do not restrict it.
type DeliveryFilter struct {
	State     delivery.State
	Endpoint  string // as Callback.Endpoint returns it
	Media     media.ID
	After     string // id of a delivery; only later ones in the order
	Ascending bool   // oldest first; else newest first
	Limit     int    // deliveries to return
}

// Deliveries looked at by their addresses: at once, and for one page. A page ends early rather than look at more.
const (
	scannedAtOnce = 1000
	scannedOfPage = 20 * scannedAtOnce
)

// DeliveryPage returns up to f.Limit deliveries of an account in the order of their creation, and the id after which
// the next page begins; empty if there is none. A page may have fewer deliveries than the limit, though not the last.
func (tx *Tx) DeliveryPage(a account.ID, f DeliveryFilter) (page []delivery.Delivery, next string, err error) {
	for scanned := 0; ; {
		n := f.Limit - len(page) + 1 // one more shows whether there is a next page
		if f.Endpoint != "" {
			n = scannedAtOnce
		}
		some, err := tx.deliveriesOf(a, f, n)
		if err != nil {
			return nil, "", err
		}
		for _, d := range some {
			if len(page) == f.Limit {
				return page, f.After, nil
			}
			f.After = d.ID
			if f.Endpoint == "" || d.Endpoint() == f.Endpoint {
				page = append(page, d)
			}
		}
		if scanned += len(some); len(some) < n {
			return page, "", nil
		}
		if scanned >= scannedOfPage {
			return page, f.After, nil
		}
	}
}

func (tx *Tx) deliveriesOf(a account.ID, f DeliveryFilter, limit int) ([]delivery.Delivery, error) {
	var c conditions
	c.add("account =", a)
	if f.State != "" {
		c.add("state =", f.State)
	}
	if f.Media != "" {
		c.add("media =", f.Media)
	}
	order, after := "DESC", "id <"
	if f.Ascending {
		order, after = "", "id >"
	}
	if f.After != "" {
		c.add(after, f.After)
	}
	c.texts = append(c.texts, `media NOT IN (SELECT id FROM media WHERE `+tx.expired()+`)`)
	args := append(c.args, limit)
	return sqlrow.All(tx.query(fmt.Sprintf(`SELECT %s FROM delivery WHERE %s ORDER BY id %s LIMIT $%d`, deliveryColumns,
		c.String(), order, len(args)), args...), scanDelivery)
}

// LastTry is the latest try of a delivery.
type LastTry struct {
	delivery.Try
	Tries int // how many there were
}

// LastTries returns the latest try of each of the given deliveries that has any.
func (tx *Tx) LastTries(all []delivery.Delivery) (map[string]LastTry, error) {
	if len(all) == 0 {
		return nil, nil
	}
	ids := make([]string, len(all))
	for i, d := range all {
		ids[i] = d.ID
	}
	last := map[string]LastTry{}
	in, args := placeholders(ids, nil)
	for row := range tx.query(`SELECT delivery, n, attempt, at, took, status, error, answer FROM delivery_try AS t
		WHERE delivery IN (`+in+`) AND n = (SELECT MAX(n) FROM delivery_try WHERE delivery = t.delivery)`, args...).Each {
		var id string
		var t LastTry
		err := row.Scan(&id, &t.Tries, &t.Attempt, instant{&t.At}, duration{&t.Took}, &t.Status, &t.Error, &t.Answer)
		if err != nil {
			return nil, err
		}
		t.Tries++
		last[id] = t
	}
	return last, nil
}

// Retry is a request to restart the schedules of many deliveries.
type Retry struct {
	Run
	Key      string // Idempotency-Key; empty: none
	Endpoint string // as Callback.Endpoint returns it; empty: all
	Since    time.Time
	State    delivery.State
	Place    string // id of the last delivery that was looked at
}

// Matches reports whether a delivery is one of those that the request asked for.
func (r *Retry) Matches(d delivery.Delivery) bool {
	at := d.Done
	if d.State == delivery.Pending {
		at = d.Began
	}
	return d.State == r.State && !at.Before(r.Since) && !at.After(r.Started) &&
		(r.Endpoint == "" || d.Endpoint() == r.Endpoint)
}

// Deliveries is the filter of the deliveries that may match and follow the place.
func (r *Retry) Deliveries(limit int) DeliveryFilter {
	return DeliveryFilter{State: r.State, Endpoint: r.Endpoint, After: r.Place, Ascending: true, Limit: limit}
}

// Uncounted is the total of a request whose deliveries are not counted yet.
const Uncounted = -1

// mostRetries bounds the requests of an account that run at a time.
const mostRetries = 10

// retryLife is how long a request is remembered after its end.
const retryLife = 30 * 24 * time.Hour

const retryColumns = `id, account, key, endpoint, since, state, status, total, done, place, started, finished`

func scanRetry(row sqlrow.Row) (r Retry, err error) {
	err = row.Scan(&r.ID, &r.Account, &r.Key, &r.Endpoint, instant{&r.Since}, &r.State, &r.Status, &r.Total, &r.Done, &r.Place,
		instant{&r.Started}, instant{&r.Finished})
	return r, err
}

// BeginRetry records a request; began reports whether it is a new one, for which the caller adds the job. The request
// of the same key, or one that asks for the same and is running, is returned instead. Conflict if the key was used with
// another request, or too many requests are running.
func (tx *Tx) BeginRetry(asked Retry) (r Retry, began bool, err error) {
	if err := tx.LockAccount(asked.Account); err != nil { // guards the count
		return r, false, err
	}
	for _, same := range []struct {
		where string
		args  []any
	}{
		{`key <> '' AND key = $2`, []any{asked.Account, asked.Key}},
		{`status = 'running' AND endpoint = $2 AND since = $3 AND state = $4`,
			[]any{asked.Account, asked.Endpoint, micros(asked.Since), asked.State}},
	} {
		r, err = scanRetry(tx.row(`SELECT `+retryColumns+` FROM callback_retry WHERE account = $1 AND `+same.where, same.args...))
		if err == nil {
			return r, false, asked.sameAs(r)
		}
		if !errors.Is(err, sql.ErrNoRows) {
			return r, false, err
		}
	}
	running, err := sqlrow.Cell[int](tx.row(`SELECT COUNT(*) FROM callback_retry WHERE account = $1 AND status = 'running'`,
		asked.Account))
	if err == nil && running >= mostRetries {
		err = fault.New(fault.Conflict, fault.CodeConflict,
			"%d requests to send deliveries again are running, the maximum; wait until one of them has finished", running)
	}
	if err != nil {
		return r, false, err
	}
	now, err := tx.now()
	if err != nil {
		return r, false, err
	}
	r = asked
	r.Run = Run{ID: uuid.Must(uuid.NewV7()).String(), Account: asked.Account, Status: ApplyRunning, Total: Uncounted, Started: now}
	return r, true, tx.exec(`INSERT INTO callback_retry (`+retryColumns+
		`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0, '', $9, 0)`, r.ID, r.Account, r.Key, r.Endpoint, micros(r.Since), r.State,
		r.Status, r.Total, micros(r.Started))
}

// sameAs returns Conflict unless a request with the same key asked for the same.
func (r Retry) sameAs(first Retry) error {
	if r.Endpoint == first.Endpoint && r.Since.Equal(first.Since) && r.State == first.State {
		return nil
	}
	return fault.New(fault.Conflict, fault.CodeIdempotency,
		"the Idempotency-Key was used with another request in the last 30 days; use a new key")
}

// Retry returns a request of an account, or of any account if that is empty.
func (tx *Tx) Retry(a account.ID, id string) (Retry, error) {
	return one(tx.row(`SELECT `+retryColumns+` FROM callback_retry WHERE id = $1 AND (account = $2 OR $2 = '')`, id, a),
		scanRetry, fault.New(fault.NotFound, fault.CodeNotFound, "no request to send callbacks again with id %q", id))
}

// CountRetry records how many deliveries match.
func (tx *Tx) CountRetry(id string, total int64) error {
	return tx.exec(`UPDATE callback_retry SET total = $2 WHERE id = $1`, id, total)
}

// AdvanceRetry records progress up to a delivery, with the number of further ones that were restarted.
func (tx *Tx) AdvanceRetry(id, place string, done int) error {
	return tx.exec(`UPDATE callback_retry SET place = $2, done = done + $3 WHERE id = $1`, id, place, done)
}

// EndRetry records the final status of a request.
func (tx *Tx) EndRetry(id, status string) error { return tx.endRun("callback_retry", id, status) }

// MarkRetried records the request that restarted a delivery.
func (tx *Tx) MarkRetried(d delivery.Delivery, id string) error {
	return tx.exec(`UPDATE delivery SET retry = $2 WHERE id = $1`, d.ID, id)
}

// RetriedStates counts the deliveries that a request restarted, by their present states.
func (tx *Tx) RetriedStates(id string) (map[delivery.State]int64, error) {
	states := map[delivery.State]int64{}
	for row := range tx.query(`SELECT state, COUNT(*) FROM delivery WHERE retry = $1 AND retry <> '' GROUP BY state`, id).Each {
		var state delivery.State
		var n int64
		if err := row.Scan(&state, &n); err != nil {
			return nil, err
		}
		states[state] = n
	}
	return states, nil
}

// ForgetRetries removes requests that ended a month ago.
func (tx *Tx) ForgetRetries() error {
	return tx.deleteOlder(retryLife, `DELETE FROM callback_retry WHERE finished > 0 AND finished < $1`)
}

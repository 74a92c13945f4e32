package store

import (
	"strings"
	"time"

	"parley/internal/call/delivery"
	"parley/internal/storage/sqlrow"
	"parley/internal/words/account"
	"parley/internal/words/fault"
	"parley/internal/words/media"
)

const deliveryColumns = `id, account, media, position, url, method, type, include, format, stream, state, began, attempt, tried, next, done`

func scanDelivery(row sqlrow.Row) (delivery.Delivery, error) {
	var d delivery.Delivery
	var include string
	err := row.Scan(&d.ID, &d.Account, &d.Media, &d.Position, &d.URL, &d.Method, &d.Type, &include, &d.Format,
		&d.Stream, &d.State, instant{&d.Began}, &d.Attempt, &d.Tried, instant{&d.Next}, instant{&d.Done})
	if include != "" {
		d.Include = strings.Split(include, ",")
	}
	return d, err
}

// AddDelivery stores a new delivery. While it is pending, its item does not expire: the time to live starts after
// processing and callbacks.
func (tx *Tx) AddDelivery(d delivery.Delivery) error {
	err := tx.exec(`INSERT INTO delivery (`+deliveryColumns+
		`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
		d.ID, d.Account, d.Media, d.Position, d.URL, d.Method, d.Type, strings.Join(d.Include, ","), d.Format, d.Stream,
		d.State, micros(d.Began), d.Attempt, d.Tried, micros(d.Next), micros(d.Done))
	if err != nil {
		return err
	}
	return tx.setMedia(d.Media, `expires = 0`)
}

// Delivery returns one delivery of an account's item.
func (tx *Tx) Delivery(a account.ID, m media.ID, id string) (delivery.Delivery, error) {
	return one(tx.row(`SELECT `+deliveryColumns+
		` FROM delivery WHERE id = $1 AND media = $2 AND account = $3`, id, m, a), scanDelivery,
		fault.New(fault.NotFound, fault.CodeNotFound, "media %s has no callback with id %q", m, id))
}

// Deliveries returns the deliveries of an account's item, oldest first, those of one configuration in its order.
func (tx *Tx) Deliveries(a account.ID, m media.ID) ([]delivery.Delivery, error) {
	return sqlrow.All(tx.query(`SELECT `+deliveryColumns+` FROM delivery
		WHERE media = $1 AND account = $2 ORDER BY id`, m, a), scanDelivery)
}

// SetDelivery stores the state of a delivery. If it was the last pending one of its item, the item's time to live
// starts.
func (tx *Tx) SetDelivery(d delivery.Delivery) error {
	err := tx.changed(fault.New(fault.NotFound, fault.CodeNotFound, "no callback with id %q", d.ID),
		`UPDATE delivery SET state = $2, began = $3, attempt = $4, tried = $5, next = $6, done = $7 WHERE id = $1`,
		d.ID, d.State, micros(d.Began), d.Attempt, d.Tried, micros(d.Next), micros(d.Done))
	if err != nil {
		return err
	}
	if d.State == delivery.Pending {
		return tx.setMedia(d.Media, `expires = 0`)
	}
	return tx.startLife(d.Media)
}

// startLife sets the expiry of a finished item, unless a delivery of it is pending.
func (tx *Tx) startLife(id media.ID) error {
	m, err := tx.lockMedia(id)
	if err != nil || m.TimeToLive == 0 || !m.Status.Done() {
		return err
	}
	pending := 0
	err = tx.row(`SELECT COUNT(*) FROM delivery WHERE media = $1 AND state = $2`, id, delivery.Pending).Scan(&pending)
	if err != nil || pending > 0 {
		return err
	}
	now, err := tx.now()
	if err != nil {
		return err
	}
	tx.NoteChange(m.Account, id)
	return tx.setMedia(id, `expires = $2`, micros(now.Add(m.TimeToLive)))
}

// AddTry stores an attempt of a delivery, and updates the state of its endpoint.
func (tx *Tx) AddTry(d delivery.Delivery, t delivery.Try) error {
	err := tx.exec(`INSERT INTO delivery_try (delivery, n, media, attempt, at, took, status, error, answer)
		VALUES ($1, (SELECT COUNT(*) FROM delivery_try WHERE delivery = $1), $2, $3, $4, $5, $6, $7, $8)`,
		d.ID, d.Media, t.Attempt, micros(t.At), t.Took.Microseconds(), t.Status, t.Error, bytes(t.Answer))
	if err != nil {
		return err
	}
	if t.Accepted() {
		return tx.exec(`DELETE FROM endpoint WHERE account = $1 AND address = $2`, d.Account, d.Endpoint())
	}
	return tx.exec(`INSERT INTO endpoint (account, address, since, failures, attempt, at, took, status, error)
		VALUES ($1, $2, $3, 1, $4, $3, $5, $6, $7)
		ON CONFLICT (account, address) DO UPDATE SET failures = endpoint.failures + 1, attempt = excluded.attempt,
			at = excluded.at, took = excluded.took, status = excluded.status, error = excluded.error`,
		d.Account, d.Endpoint(), micros(t.At), t.Attempt, t.Took.Microseconds(), t.Status, t.Error)
}

// Tries returns the delivery attempts of an item, by delivery, oldest first.
func (tx *Tx) Tries(m media.ID) (map[string][]delivery.Try, error) {
	tries := map[string][]delivery.Try{}
	for row := range tx.query(`SELECT delivery, attempt, at, took, status, error, answer FROM delivery_try
		WHERE media = $1 ORDER BY delivery, n`, m).Each {
		var id string
		var t delivery.Try
		err := row.Scan(&id, &t.Attempt, instant{&t.At}, duration{&t.Took}, &t.Status, &t.Error, &t.Answer)
		if err != nil {
			return nil, err
		}
		tries[id] = append(tries[id], t)
	}
	return tries, nil
}

// Endpoints returns up to limit failing endpoints of an account, the longest failing first.
func (tx *Tx) Endpoints(a account.ID, limit int) ([]delivery.Endpoint, error) {
	rows := tx.query(`SELECT address, since, failures, attempt, at, took, status, error FROM endpoint
		WHERE account = $1 ORDER BY since, address LIMIT $2`, a, limit)
	return sqlrow.All(rows, func(row sqlrow.Row) (e delivery.Endpoint, err error) {
		err = row.Scan(&e.Address, instant{&e.Since}, &e.Failures, &e.Last.Attempt, instant{&e.Last.At},
			duration{&e.Last.Took}, &e.Last.Status, &e.Last.Error)
		return e, err
	})
}

// endpointLife is how long an endpoint without attempts stays in the list of failing ones. It is much longer than a
// retry schedule, and bounds the rows left by one-time URLs.
const endpointLife = 30 * 24 * time.Hour

// ForgetEndpoints removes the endpoints without attempts for a month.
func (tx *Tx) ForgetEndpoints() error {
	return tx.deleteOlder(endpointLife, `DELETE FROM endpoint WHERE at < $1`)
}

// AddCallbackSecret stores an additional secret of an account.
func (tx *Tx) AddCallbackSecret(a account.ID, s delivery.Secret) error {
	if err := tx.keepAccount(a); err != nil {
		return err
	}
	return tx.exec(`INSERT INTO callback_secret (id, account, secret, created) VALUES ($1, $2, $3, $4)`, s.ID, a,
		s.Key, micros(s.Created))
}

// CallbackSecrets returns the secrets of an account, newest first.
func (tx *Tx) CallbackSecrets(a account.ID) ([]delivery.Secret, error) {
	rows := tx.query(`SELECT id, secret, created FROM callback_secret
		WHERE account = $1 ORDER BY created DESC, id DESC`, a)
	return sqlrow.All(rows, func(row sqlrow.Row) (s delivery.Secret, err error) {
		err = row.Scan(&s.ID, &s.Key, instant{&s.Created})
		return s, err
	})
}

// DropCallbackSecret removes a secret of an account.
func (tx *Tx) DropCallbackSecret(a account.ID, id string) error {
	return tx.changed(fault.New(fault.NotFound, fault.CodeNotFound, "no callback secret with id %q", id),
		`DELETE FROM callback_secret WHERE id = $1 AND account = $2`, id, a)
}

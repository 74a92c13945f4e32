package pipeline

import (
	"parley/internal/callback"
	"parley/internal/delivery"
	"parley/internal/store"
)

// callbacks are those that are asked for; none when that cannot be known.
func (r *run) callbacks() []delivery.Callback {
	if r.plan == nil {
		return nil
	}
	return r.plan.Callbacks
}

// notify adds the deliveries that the plan asks for, in the transaction that ends the processing of the item.
func (r *run) notify(tx *store.Tx, failed bool) error {
	callbacks := r.callbacks()
	if len(callbacks) == 0 {
		return nil
	}
	now, err := tx.Now()
	if err != nil {
		return err
	}
	_, err = callback.Jobs(tx, &r.media, callbacks, failed, now)
	return err
}

package pipeline

import (
	"parley/internal/callback"
	"parley/internal/media"
	"parley/internal/plan"
	"parley/internal/store"
)

// notify adds the deliveries that the plan asks for, in the transaction that ends the processing of the item.
func (r *run) notify(tx *store.Tx, failed bool) error {
	if r.plan == nil {
		return nil
	}
	return notify(tx, &r.media, r.plan, failed)
}

func notify(tx *store.Tx, m *media.Media, p *plan.Plan, failed bool) error {
	if len(p.Callbacks) == 0 {
		return nil
	}
	now, err := tx.Now()
	if err != nil {
		return err
	}
	return callback.Jobs(tx, m, p.Callbacks, failed, now)
}

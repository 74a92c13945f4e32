package store

import (
	"cmp"
	"slices"

	"parley/internal/words/account"
)

// The row of an account's usage of a day is changed by many transactions. It is locked from its change to the commit,
// and all others wait for that long. So it is changed by the last statements of a transaction, and in the order of the
// accounts, so that none waits for another in a circle.

// endOp is a change of an account's usage.
type endOp struct {
	account account.ID
	do      func() error
}

// atEnd runs do at the end of the transaction.
func (tx *Tx) atEnd(a account.ID, do func() error) { tx.ends = append(tx.ends, endOp{a, do}) }

// writeEnds runs what atEnd has collected.
func (tx *Tx) writeEnds() error {
	slices.SortStableFunc(tx.ends, func(x, y endOp) int { return cmp.Compare(x.account, y.account) })
	for _, op := range tx.ends {
		if err := op.do(); err != nil {
			return err
		}
	}
	tx.ends = nil
	return nil
}

package store

import (
	"cmp"
	"slices"

	"parley/internal/words/account"
)

// A row that many transactions of an account change is locked from its change to the commit, and all others wait for that
// long. So these rows are changed by the last statements of a transaction.

// sharedRow is a row that an account has once. Transactions change them in this order, so that none waits for another in
// a circle.
type sharedRow int

const (
	usageRow    sharedRow = iota // of a day
	analyticRow                  // its clock: changes become visible in order
)

// endOp is a change of a shared row, and of what depends on it.
type endOp struct {
	account account.ID
	row     sharedRow
	do      func() error
}

// atEnd runs do at the end of the transaction.
func (tx *Tx) atEnd(a account.ID, row sharedRow, do func() error) {
	tx.ends = append(tx.ends, endOp{a, row, do})
}

// writeEnds runs what atEnd has collected.
func (tx *Tx) writeEnds() error {
	slices.SortStableFunc(tx.ends, func(x, y endOp) int {
		return cmp.Or(cmp.Compare(x.account, y.account), cmp.Compare(x.row, y.row))
	})
	for _, op := range tx.ends {
		if err := op.do(); err != nil {
			return err
		}
	}
	tx.ends = nil
	return nil
}

package search

import (
	"database/sql"
	"errors"
	"math"

	"parley/internal/phrase"
	"parley/internal/search/tokenfile"
)

// candidateCost is what finding one candidate of a page in order costs more than finding it in PostgreSQL's index, which
// does not know the order and has to collect all of them: about 40 times, for the usual page of 100.
const candidateCost = 4000

// common reports whether the words of a need are in so many calls that it is quicker to judge one call after another.
func (s *snapshot) common(n tokenfile.Need) (bool, error) {
	few, err := s.estimate(n)
	if err != nil {
		return false, err
	}
	var total float64
	err = s.tx.QueryRowContext(s.ctx, `SELECT reltuples FROM pg_class WHERE oid = to_regclass($1)`, s.g.table("call")).Scan(&total)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return false, wrap("estimate", err)
	}
	return few*few > s.g.cost*max(total, 10_000), nil
}

// estimate returns how many calls about have what a need asks for.
func (s *snapshot) estimate(n tokenfile.Need) (float64, error) {
	few := math.Inf(1)
	switch n := n.(type) {
	case tokenfile.All:
		for _, one := range n {
			calls, err := s.estimate(one)
			if err != nil {
				return 0, err
			}
			few = min(few, calls)
		}
	case tokenfile.Some:
		few = 0
		for _, one := range n {
			calls, err := s.estimate(one)
			if err != nil {
				return 0, err
			}
			few += calls
		}
	case tokenfile.Run:
		for _, p := range n.Patterns {
			calls, err := s.calls(p)
			if err != nil {
				return 0, err
			}
			few = min(few, calls)
		}
	}
	return few, nil
}

// calls returns in how many calls, of all accounts, the words of a pattern are, those with several of them counted as often.
func (s *snapshot) calls(p phrase.Pattern) (n float64, err error) {
	query, args := `SELECT COALESCE(SUM(calls), 0) FROM `+s.g.table("term")+` WHERE text = $1`, []any{p.Text}
	if p.Kind == phrase.Prefix {
		query = `SELECT COALESCE(SUM(calls), 0) FROM ` + s.g.table("term") + ` WHERE text >= $1 AND text < $2`
		args = append(args, p.Text+lastWord)
	}
	err = s.tx.QueryRowContext(s.ctx, query, args...).Scan(&n)
	return n, wrap("estimate", err)
}

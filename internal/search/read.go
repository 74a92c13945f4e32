package search

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"parley/internal/media"
	"parley/internal/phrase"
	"parley/internal/search/tokenfile"
)

// lastWord ends words that come behind all others with the same beginning.
const lastWord = "\U0010ffff"

// Numbers implements tokenfile.Lexicon.
func (s *snapshot) Numbers(p phrase.Pattern) ([]uint32, error) {
	query, args := `SELECT id FROM `+s.g.table("term")+` WHERE text = $1`, []any{p.Text}
	if p.Kind == phrase.Prefix {
		query = `SELECT id FROM ` + s.g.table("term") + ` WHERE text >= $1 AND text < $2 ORDER BY id`
		args = append(args, p.Text+lastWord)
	}
	rows, err := s.tx.QueryContext(s.ctx, query, args...)
	if err != nil {
		return nil, wrap("words", err)
	}
	defer rows.Close()
	var all []uint32
	for rows.Next() {
		var n uint32
		if err := rows.Scan(&n); err != nil {
			return nil, wrap("words", err)
		}
		all = append(all, n)
	}
	return all, wrap("words", rows.Err())
}

// span is a range of calls' numbers, both ends included.
type span struct{ from, to int64 }

// candidate is a call whose token file is to be judged.
type candidate struct {
	number int64
	media  media.ID
	tokens []byte
}

// scan yields the candidates of a need in the order of their ids until yield returns false. size is how many the
// caller expects to look at.
func (s *snapshot) scan(n tokenfile.Need, in span, ascending bool, size int, yield func(candidate) (bool, error)) error {
	if s.account == 0 {
		return nil
	}
	condition, args, err := s.condition(n)
	if err != nil {
		return err
	}
	for size = max(size, 64); in.from <= in.to; size = min(2*size, 4096) {
		page, err := s.page(condition, args, in, ascending, size)
		if err != nil {
			return err
		}
		full := len(page) == size
		if full { // the last millisecond may go on behind the page
			first, last := moment(page[len(page)-1].number)
			rest := slices.IndexFunc(page, func(c candidate) bool { return c.number >= first && c.number <= last })
			if rest == 0 {
				if size == 4096 {
					size *= 8 // as many as a millisecond can have
				}
				continue
			}
			page = page[:rest]
			if ascending {
				in.from = first
			} else {
				in.to = last
			}
		}
		if more, err := emit(page, ascending, yield); err != nil || !more || !full {
			return err
		}
	}
	return nil
}

// emit yields candidates in the order of their ids: numbers tell milliseconds apart, and what is within one of them is ordered here.
func emit(page []candidate, ascending bool, yield func(candidate) (bool, error)) (bool, error) {
	slices.SortStableFunc(page, func(a, b candidate) int {
		order := strings.Compare(string(a.media), string(b.media))
		if !ascending {
			order = -order
		}
		return order
	})
	for _, c := range page {
		if more, err := yield(c); err != nil || !more {
			return false, err
		}
	}
	return true, nil
}

// condition returns the FROM and WHERE of a need, with its arguments but for the range and the limit. On PostgreSQL words to be
// looked up are a second argument, and no part of the text: see page.
func (s *snapshot) condition(n tokenfile.Need) (string, []any, error) {
	all := `FROM ` + s.g.table("call") + ` AS call WHERE call.account = $4`
	if !s.g.postgres {
		if m := match(s.account, n); m != "" {
			return `FROM posting JOIN call ON call.id = posting.rowid WHERE posting MATCH $4`, []any{m}, nil
		}
		return all, []any{s.account}, nil
	}
	q := tsquery(s.account, n)
	if q == "" {
		return all, []any{s.account}, nil
	}
	common, err := s.common(n)
	if err != nil || common {
		return all, []any{s.account}, err
	}
	return all, []any{s.account, q}, nil
}

// page reads candidates in the order of their numbers.
func (s *snapshot) page(condition string, args []any, in span, ascending bool, size int) ([]candidate, error) {
	column, order := "call.id", "DESC"
	if !s.g.postgres && strings.HasPrefix(condition, "FROM posting") {
		column = "posting.rowid"
	}
	if ascending {
		order = "ASC"
	}
	query := fmt.Sprintf(`SELECT call.id, call.media, call.tokens %s AND %s >= $1 AND %s <= $2 ORDER BY %s %s LIMIT $3`,
		condition, column, column, column, order)
	if len(args) == 2 { // PostgreSQL is to look up the words first, whatever it thinks of the order and the other conditions
		query = fmt.Sprintf(`WITH found AS MATERIALIZED (SELECT id FROM %[1]s WHERE words @@ $5::tsquery)
			SELECT call.id, call.media, call.tokens
			FROM (SELECT id FROM found WHERE id >= $1 AND id <= $2 ORDER BY id %[2]s LIMIT $3) AS page JOIN %[1]s AS call ON call.id = page.id
			WHERE call.account = $4 ORDER BY call.id %[2]s`, s.g.table("call"), order)
	}
	rows, err := s.tx.QueryContext(s.ctx, query, append([]any{in.from, in.to, size}, args...)...)
	return candidates(rows, err)
}

func candidates(rows *sql.Rows, err error) ([]candidate, error) {
	if err != nil {
		return nil, wrap("candidates", err)
	}
	defer rows.Close()
	var all []candidate
	for rows.Next() {
		var c candidate
		var id []byte
		if err := rows.Scan(&c.number, &id, &c.tokens); err != nil {
			return nil, wrap("candidates", err)
		}
		c.media = idOf(id)
		all = append(all, c)
	}
	return all, wrap("candidates", rows.Err())
}

// files returns the token files of some calls, by id.
func (s *snapshot) files(ids []media.ID) (map[media.ID][]byte, error) {
	found := map[media.ID][]byte{}
	for len(ids) > 0 && s.account != 0 {
		some := ids[:min(len(ids), 500)]
		ids = ids[len(some):]
		in, args := list(some, []any{s.account})
		all, err := candidates(s.tx.QueryContext(s.ctx, `SELECT id, media, tokens FROM `+s.g.table("call")+` WHERE account = $1 AND media IN (`+in+`)`, args...))
		if err != nil {
			return nil, err
		}
		for _, c := range all {
			found[c.media] = c.tokens
		}
	}
	return found, nil
}

// list returns parameters for ids, to follow those that there are.
func list(ids []media.ID, args []any) (string, []any) {
	names := make([]string, len(ids))
	for i, id := range ids {
		args = append(args, key(id))
		names[i] = fmt.Sprintf("$%d", len(args))
	}
	return strings.Join(names, ", "), args
}

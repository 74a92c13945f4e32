package search

import (
	"fmt"
	"strings"

	"parley/internal/words/media"
	"parley/internal/words/phrase"
)

// lastWord is a suffix that sorts after all others: a prefix followed by it is the upper bound of the words with that
// prefix.
const lastWord = "\U0010ffff"

// Numbers implements phrase.Lexicon.
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

// files returns the token files of the given calls, by id.
func (s *snapshot) files(ids []media.ID) (map[media.ID][]byte, error) {
	found := map[media.ID][]byte{}
	for len(ids) > 0 && s.account != 0 {
		some := ids[:min(len(ids), 500)]
		ids = ids[len(some):]
		in, args := list(some, []any{s.account})
		all, err := candidates(s.tx.QueryContext(s.ctx,
			`SELECT id, media, tokens FROM `+s.g.table("call")+` WHERE account = $1 AND media IN (`+in+`)`, args...))
		if err != nil {
			return nil, err
		}
		for _, c := range all {
			found[c.media] = c.tokens
		}
	}
	return found, nil
}

// list returns parameters for ids that follow the existing ones, and all arguments.
func list(ids []media.ID, args []any) (string, []any) {
	names := make([]string, len(ids))
	for i, id := range ids {
		args = append(args, key(id))
		names[i] = fmt.Sprintf("$%d", len(args))
	}
	return strings.Join(names, ", "), args
}

package search

import (
	"fmt"
	"slices"
	"strings"

	"parley/internal/storage/sqlrow"
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
	all, err := sqlrow.All(s.query(query, args...), sqlrow.Cell[uint32])
	return all, wrap("words", err)
}

// files returns the token files of the given calls, by id.
func (s *snapshot) files(ids []media.ID) (map[media.ID][]byte, error) {
	found := map[media.ID][]byte{}
	if s.account == 0 {
		return found, nil
	}
	for some := range slices.Chunk(ids, 500) {
		in, args := list(some, []any{s.account})
		all, err := s.candidates(`media IN (`+in+`)`, args...)
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

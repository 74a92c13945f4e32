package bench

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"parley/internal/storage/sqldb"
	"parley/internal/storage/sqlrow"
	"parley/internal/words/list"
	"parley/internal/words/media"
)

// copiedTable is a table with a row for each call.
type copiedTable struct {
	name, key string
	others    map[string]string // expressions for columns that a copy has not from its original
}

var copiedTables = []copiedTable{
	{"media", "id", map[string]string{"created": "pair.at"}},
	{"result", "media", nil},
	{"analytic", "media", map[string]string{"kept": "0"}}, // no segment has it
}

// copy adds copies of the stored calls until there are so many. The database makes them from rows that it has, which
// takes a fraction of the time of storing calls.
func (s *sharing) copy(ctx context.Context, number int) error {
	if number <= s.Distinct {
		return nil
	}
	db, err := sqldb.Postgres(s.URL, 1, 1)
	if err != nil {
		return err
	}
	defer db.Close()
	var statements []string
	err = db.Tx(ctx, nil, func(ctx context.Context, tx *sql.Tx) error {
		for _, t := range copiedTables {
			statement, err := t.statement(ctx, tx)
			if err != nil {
				return err
			}
			statements = append(statements, statement)
		}
		return nil
	})
	if err != nil {
		return err
	}
	const batch = 1000
	for first := s.Distinct; first < number; first += batch {
		last := min(first+batch, number)
		var originals, copies []media.ID
		var created []int64
		for n := first; n < last; n++ {
			id := s.calls.ID(n)
			originals, copies = append(originals, s.calls.ID(n%s.Distinct)), append(copies, id)
			created = append(created, id.Created().UnixMicro())
		}
		err := db.Tx(ctx, nil, func(ctx context.Context, tx *sql.Tx) error {
			for _, statement := range statements {
				if _, err := tx.ExecContext(ctx, statement, list.Map(originals, text), list.Map(copies, text), created); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("copy calls in the database: %w", err)
		}
		s.progress("copying calls", int64(last), int64(number))
	}
	return nil
}

func text(id media.ID) string { return string(id) }

// statement returns the statement that copies rows of a table, with the ids of originals and copies and the times of
// these as parameters.
func (t copiedTable) statement(ctx context.Context, tx *sql.Tx) (string, error) {
	columns, err := sqlrow.All(sqlrow.Of(tx.QueryContext(ctx, `SELECT column_name FROM information_schema.columns
		WHERE table_schema = current_schema() AND table_name = $1`, t.name)), sqlrow.Cell[string])
	if err != nil {
		return "", err
	}
	values := slices.Clone(columns)
	for i, c := range columns {
		switch other, has := t.others[c]; {
		case c == t.key:
			values[i] = "pair.copy"
		case has:
			values[i] = other
		default:
			values[i] = t.name + "." + c
		}
	}
	return fmt.Sprintf(`INSERT INTO %s (%s)
		SELECT %s FROM unnest($1::text[], $2::text[], $3::bigint[]) AS pair (original, copy, at)
			JOIN %[1]s ON %[1]s.%[4]s = pair.original`, t.name, strings.Join(columns, ", "),
		strings.Join(values, ", "), t.key), nil
}

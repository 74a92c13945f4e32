package store

import (
	"context"
	"fmt"
	"strings"
	"time"

	"parley/internal/storage/sqlrow"
	"parley/internal/words/media"
)

// Column describes a column of a table in the database.
type Column struct{ Table, Name, Type string }

// Columns lists the columns of all tables of the program.
func (s *Store) Columns(ctx context.Context) (columns []Column, err error) {
	err = s.View(ctx, func(tx *Tx) error {
		query := `SELECT m.name, c.name, c.type FROM sqlite_master m JOIN pragma_table_info(m.name) c
			WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' AND m.name <> 'schema_version' ORDER BY m.name, c.cid`
		if tx.postgres {
			query = `SELECT table_name, column_name, data_type FROM information_schema.columns
				WHERE table_schema = 'public' AND table_name <> 'schema_version' ORDER BY table_name, ordinal_position`
		}
		columns, err = sqlrow.All(tx.query(query), func(row sqlrow.Row) (c Column, err error) {
			return c, row.Scan(&c.Table, &c.Name, &c.Type)
		})
		return err
	})
	return columns, err
}

// InsertAny adds a row with the given values; other columns get an arbitrary value of their type.
func (tx *Tx) InsertAny(table string, columns []Column, values map[string]any) error {
	var names, places []string
	var args []any
	for _, c := range columns {
		if c.Table != table {
			continue
		}
		value, given := values[c.Name]
		switch kind := strings.ToLower(c.Type); {
		case given:
		case strings.Contains(kind, "int"):
			value = 1
		case kind == "bytea":
			value = fmt.Appendf(nil, "%v", values)
		case kind == "text":
			value = fmt.Sprint(values)
		default: // such as a tsvector
			continue
		}
		args = append(args, value)
		names, places = append(names, c.Name), append(places, fmt.Sprintf("$%d", len(args)))
	}
	return tx.exec(`INSERT INTO `+table+` (`+strings.Join(names, ", ")+`) VALUES (`+strings.Join(places, ", ")+
		`) ON CONFLICT DO NOTHING`, args...)
}

// CountWhere counts the rows of a table in which a column has a value.
func (s *Store) CountWhere(ctx context.Context, table, column, value string) (n int, err error) {
	err = s.View(ctx, func(tx *Tx) error {
		return tx.row(`SELECT COUNT(*) FROM `+table+` WHERE `+column+` = $1`, value).Scan(&n)
	})
	return n, err
}

// Dump returns the contents of all rows and columns, except those of the schema itself.
func (s *Store) Dump(ctx context.Context, columns []Column) (all []byte, err error) {
	err = s.View(ctx, func(tx *Tx) error {
		for _, c := range columns {
			values, err := sqlrow.All(tx.query(`SELECT `+c.Name+` FROM `+c.Table), sqlrow.Cell[any])
			if err != nil {
				return err
			}
			for _, v := range values {
				if b, ok := v.([]byte); ok {
					all = append(append(all, b...), '\n')
				} else {
					all = fmt.Appendf(all, "%v\n", v)
				}
			}
		}
		return nil
	})
	return all, err
}

// PutDocument stores the document of an item as Seal does, without any other change.
func (tx *Tx) PutDocument(id media.ID, document []byte) error {
	return tx.exec(`INSERT INTO sealed (media, document) VALUES ($1, $2)`, id, document)
}

// AgeChanges makes changes older.
func (tx *Tx) AgeChanges(by time.Duration) error {
	return tx.exec(`UPDATE media_change SET number = number - $1 WHERE number > 0`, by.Microseconds())
}

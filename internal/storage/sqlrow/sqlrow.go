// Package sqlrow reads the rows of a query in loops and lists.
//
// It neither runs queries nor knows databases.
package sqlrow

import "database/sql"

// Row is a row to scan, such as *sql.Row.
type Row interface{ Scan(into ...any) error }

// Rows are the rows of a query, or its error.
type Rows struct {
	rows *sql.Rows
	err  error
	read func(into []any) error
}

// Of returns the result of a query.
func Of(rows *sql.Rows, err error) Rows { return Rows{rows: rows, err: err} }

// Observed returns rows that call read after each scan with what was scanned; its error becomes that of the scan.
func (r Rows) Observed(read func(into []any) error) Rows {
	r.read = read
	return r
}

// Scan implements Row.
func (r Rows) Scan(into ...any) error {
	err := r.rows.Scan(into...)
	if err == nil && r.read != nil {
		err = r.read(into)
	}
	return err
}

// failure is a row in place of the rows that cannot be read.
type failure struct{ err error }

// Scan implements Row.
func (f failure) Scan(...any) error { return f.err }

// Each yields each row, and closes the rows. After an error it yields one more row, whose Scan returns the error.
func (r Rows) Each(yield func(Row) bool) {
	if r.err != nil {
		yield(failure{r.err})
		return
	}
	defer r.rows.Close()
	for r.rows.Next() {
		if !yield(r) {
			return
		}
	}
	if err := r.rows.Err(); err != nil {
		yield(failure{err})
	}
}

// All returns what scan makes of each row; scan returns the error of the row's Scan.
func All[T any](r Rows, scan func(Row) (T, error)) (all []T, err error) {
	for row := range r.Each {
		one, err := scan(row)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

// Cell scans a row with a single column.
func Cell[T any](row Row) (v T, err error) {
	err = row.Scan(&v)
	return v, err
}

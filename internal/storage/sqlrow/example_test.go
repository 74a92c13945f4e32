package sqlrow_test

import (
	"database/sql"
	"fmt"

	_ "modernc.org/sqlite"

	"parley/internal/storage/sqlrow"
)

func Example() {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	words, err := sqlrow.All(sqlrow.Of(db.Query(`SELECT 'hello' UNION ALL SELECT 'world'`)), sqlrow.Cell[string])
	fmt.Println(words, err)
	_, err = sqlrow.All(sqlrow.Of(db.Query(`SELECT word FROM nowhere`)), sqlrow.Cell[string])
	fmt.Println(err)
	// Output:
	// [hello world] <nil>
	// SQL logic error: no such table: nowhere (1)
}

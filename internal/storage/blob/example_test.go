package blob_test

import (
	"fmt"

	"parley/internal/storage/blob"
)

func ExampleCheckKey() {
	fmt.Println(blob.CheckKey("media/0197a000/original"))
	fmt.Println(blob.CheckKey("media/../secret"))
	// Output:
	// <nil>
	// blob key "media/../secret": the part ".." is not allowed
}

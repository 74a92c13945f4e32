package list_test

import (
	"fmt"
	"strconv"

	"parley/internal/words/list"
)

func ExampleMap() {
	fmt.Printf("%q %t\n", list.Map([]int{1, 2}, strconv.Itoa), list.Map(nil, strconv.Itoa) == nil)
	// Output: ["1" "2"] false
}

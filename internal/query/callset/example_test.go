package callset_test

import (
	"fmt"

	"parley/internal/query/callset"
)

func ExampleSet_And() {
	long, sad := callset.New(100), callset.New(100)
	for _, call := range []int{3, 64, 99} {
		long.Add(call)
	}
	sad.Add(64)
	sad.Add(65)
	long.And(sad)
	fmt.Println(long.Len(), long.Next(0))
	// Output: 1 64
}

package posting_test

import (
	"fmt"
	"slices"

	"parley/internal/index/search/posting"
	"parley/internal/query/callset"
)

func ExampleBuild() {
	calls := []posting.Call{
		{Words: []posting.Word{{Number: 1, Text: "refund"}}},
		{Words: []posting.Word{{Number: 2, Text: "order"}}},
		{Words: []posting.Word{{Number: 1, Text: "refund"}, {Number: 2, Text: "order"}}},
	}
	found := callset.New(len(calls))
	err := posting.Build(calls, 4000, func(_, block []byte) error {
		return posting.Find(block, posting.Anywhere("refund"), found)
	})
	fmt.Println(slices.Collect(found.All), err)
	// Output: [0 2] <nil>
}

package codec_test

import (
	"fmt"

	"parley/internal/call/codec"
	"parley/internal/call/definition"
)

func Example() {
	c, err := codec.New()
	if err != nil {
		fmt.Println(err)
		return
	}
	record := c.EncodeGroup(definition.Group{Name: "cancellation", Keywords: []string{"refund"}})
	group, err := c.DecodeGroup(record)
	fmt.Println(group.Name, group.Keywords, err)
	_, err = c.DecodeCategory(record)
	fmt.Println(err)
	// Output:
	// cancellation [refund] <nil>
	// the data is not a category record
}

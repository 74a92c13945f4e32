package definition_test

import (
	"fmt"

	"parley/internal/call/definition"
)

func ExampleParseGroup() {
	group, err := definition.ParseGroup("cancellation", []byte(`{"keywords":["cancel my  account","refund"]}`))
	fmt.Printf("%q %v\n", group.Keywords, err)
	_, err = definition.ParseGroup("cancellation", []byte(`{"keywords":["refund","Refund"]}`))
	fmt.Println(err)
	// Output:
	// ["cancel my account" "refund"] <nil>
	// /keywords/1: "Refund" occurs twice; keep one of them
}

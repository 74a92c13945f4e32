package callback_test

import (
	"fmt"

	"parley/internal/call/delivery"
	"parley/internal/flow/callback"
)

// Only analytics callbacks report that processing failed.
func ExampleDue() {
	for _, kind := range []string{delivery.Analytics, delivery.Transcript, delivery.Media} {
		c := delivery.Callback{Type: kind}
		fmt.Println(kind, callback.Due(c, false), callback.Due(c, true))
	}
	// Output:
	// analytics true true
	// transcript true false
	// media true false
}

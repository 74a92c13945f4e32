package fault_test

import (
	"fmt"

	"parley/internal/words/fault"
)

func ExampleNew() {
	err := fmt.Errorf("post media: %w", fault.New(fault.NotFound, fault.CodeNotFound, "no media with id %q", "x"))
	fmt.Println(fault.KindOf(err), fault.ProblemsOf(err)[0].Code, err)
	// Output: not found 10205 post media: no media with id "x"
}

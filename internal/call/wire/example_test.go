package wire_test

import (
	"fmt"

	"parley/internal/call/wire"
	"parley/internal/words/fault"
)

func ExampleMarshal() {
	problems := []fault.Problem{{Code: 10205, Message: `no media with id "1"`}}
	body, err := wire.Marshal(wire.NewFailure(404, problems, "r1").Errors)
	fmt.Print(string(body), err)
	// Output:
	// [{"code":10205,"error":"no media with id \"1\""}]
	// <nil>
}

package config_test

import (
	"fmt"

	"parley/internal/operation/config"
)

func ExampleParseSize() {
	n, err := config.ParseSize("2GiB")
	fmt.Println(n, err)
	_, err = config.ParseSize("much")
	fmt.Println(err)
	// Output:
	// 2147483648 <nil>
	// --size "much": use a size such as 500MiB or 2GiB
}

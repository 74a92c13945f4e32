package mapped_test

import (
	"fmt"
	"os"

	"parley/internal/host/mapped"
)

func ExampleOpen() {
	f, err := os.CreateTemp("", "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.Remove(f.Name())
	defer f.Close()
	fmt.Fprint(f, "hello")
	file, err := mapped.Open(f, 5)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s\n", file.Data())
	// Output: hello
}

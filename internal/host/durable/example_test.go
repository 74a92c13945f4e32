package durable_test

import (
	"fmt"
	"os"
	"path/filepath"

	"parley/internal/host/durable"
)

func ExampleFolder() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	fmt.Println(os.WriteFile(filepath.Join(dir, "new"), nil, 0o600))
	fmt.Println(durable.Folder(dir)) // now the name survives a crash
	// Output:
	// <nil>
	// <nil>
}

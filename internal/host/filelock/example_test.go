package filelock_test

import (
	"fmt"
	"os"
	"path/filepath"

	"parley/internal/host/filelock"
)

func ExampleTry() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "lock")
	first, err := filelock.Try(path)
	fmt.Println(err)
	_, err = filelock.Try(path)
	fmt.Println(err)
	fmt.Println(first.Close())
	// Output:
	// <nil>
	// another process holds the lock
	// <nil>
}

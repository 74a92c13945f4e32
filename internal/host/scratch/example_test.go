package scratch_test

import (
	"fmt"
	"os"

	"parley/internal/host/scratch"
)

func ExampleNew() {
	root, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(root)
	folder, err := scratch.New(root)
	if err != nil {
		fmt.Println(err)
		return
	}
	file, err := folder.Create()
	fmt.Println(file != nil, err)
	fmt.Println(folder.Close())
	_, err = os.Stat(file.Name())
	fmt.Println(os.IsNotExist(err))
	// Output:
	// true <nil>
	// <nil>
	// true
}

package disk_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"parley/internal/storage/blob/disk"
)

func ExampleOpen() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	store, err := disk.Open(disk.Config{Dir: dir})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer store.Close()
	size, err := store.Put(context.Background(), "media/1/original", strings.NewReader("hello"))
	fmt.Println(size, err)
	part, err := store.Open(context.Background(), "media/1/original", 1, 3)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer part.Close()
	text, err := io.ReadAll(part)
	fmt.Println(string(text), err)
	// Output:
	// 5 <nil>
	// ell <nil>
}

package vault_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"parley/internal/storage/blob/disk"
	"parley/internal/storage/vault"
	"parley/internal/words/media"
)

func Example() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	blobs, err := disk.Open(disk.Config{Dir: dir})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer blobs.Close()
	v := vault.Vault{Blobs: blobs}
	key, size, err := v.Put(ctx, "media/1/original", strings.NewReader("hello"))
	fmt.Println(size, err)
	stream, err := v.Open(ctx, media.Stream{Blob: "media/1/original", Size: size, Key: key}, 1, 3)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer stream.Close()
	text, err := io.ReadAll(stream)
	fmt.Println(string(text), err)
	// Output:
	// 5 <nil>
	// ell <nil>
}

package store_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"parley/internal/storage/store"
	"parley/internal/words/account"
)

func ExampleStore_Update() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	s, err := store.Open(ctx, store.Config{URL: "sqlite://" + filepath.Join(dir, "parley.db")})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	fmt.Println(s.Migrate(ctx))
	fmt.Println(s.Update(ctx, func(tx *store.Tx) error {
		_, err := tx.CreateAccount("contoso")
		return err
	}))
	a, err := store.Read(ctx, s, func(tx *store.Tx) (account.Account, error) { return tx.AccountByName("contoso") })
	fmt.Println(a.Name, err)
	// Output:
	// <nil>
	// <nil>
	// contoso <nil>
}

package job_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"parley/internal/storage/job"
	"parley/internal/storage/store"
)

func Example() {
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
	fmt.Println(s.Update(ctx, func(tx *store.Tx) error { // together with the row that needs the work
		_, err := tx.Enqueue(job.Spec{Kind: "process", Subject: "call 1"})
		return err
	}))
	claimed, err := s.Queue().Claim(ctx, job.Claims{Worker: "w", Kinds: []string{"process"}, Most: 1})
	fmt.Println(claimed[0].Subject, err)
	fmt.Println(s.Queue().Complete(ctx, claimed[0]))
	// Output:
	// <nil>
	// <nil>
	// call 1 <nil>
	// <nil>
}

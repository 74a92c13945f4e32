package memory_test

import (
	"context"
	"errors"
	"fmt"

	"parley/internal/host/memory"
)

// limit is a meter with a number of free bytes.
type limit struct{ free int64 }

func (l *limit) Take(bytes int64) error {
	if bytes > l.free {
		return errors.New("too much memory")
	}
	l.free -= bytes
	return nil
}

func (l *limit) Give(bytes int64) { l.free += bytes }

func Example() {
	ctx := memory.With(context.Background(), &limit{free: 100})
	fmt.Println(memory.Take(ctx, 80))
	fmt.Println(memory.Take(ctx, 80))
	memory.Give(ctx, 80)
	fmt.Println(memory.Take(ctx, 80))
	// Output:
	// <nil>
	// too much memory
	// <nil>
}

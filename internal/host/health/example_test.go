package health_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"parley/internal/host/health"
)

func Example() {
	m := health.NewMonitor([]health.Check{{Name: "disk", Required: true, Run: func(context.Context) error {
		return errors.New("the disk is full; delete files")
	}}}, nil)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go m.Run(ctx)
	for m.Latest()[0].State == health.Pending {
		time.Sleep(time.Millisecond)
	}
	latest := m.Latest()
	fmt.Println(latest[0].Name, latest[0].State, latest[0].Problem)
	fmt.Println(health.Ready(latest))
	// Output:
	// disk failed the disk is full; delete files
	// false
}

package doctor_test

import (
	"context"
	"fmt"

	"parley/internal/operation/doctor"
)

func ExampleExamine() {
	room := doctor.Room(func() (uint64, error) { return 1e9, nil }) // bytes that are free
	lines := doctor.Examine(context.Background(), []doctor.Check{room}, func(l doctor.Line) {
		fmt.Println(l.State, l.Name+":", l.Detail)
	})
	fmt.Println(doctor.Healthy(lines))
	// Output:
	// warn disk space: only 1.0 GB are free
	// true
}

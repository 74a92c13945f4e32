package audit_test

import (
	"fmt"
	"time"

	"parley/internal/words/audit"
)

func ExampleFirst() {
	noon := time.Date(2026, 7, 30, 12, 0, 0, 0, time.UTC)
	id := audit.First(noon) // events from noon on have higher ids
	fmt.Println(id.Time(), audit.NewID() > id)
	// Output: 2026-07-30 12:00:00 +0000 UTC true
}

package delivery_test

import (
	"fmt"
	"time"

	"parley/internal/call/delivery"
)

func ExampleSchedule_At() {
	began := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	for attempt := range 3 {
		due, ok := delivery.Default().At(began, attempt)
		fmt.Println(due.Format(time.TimeOnly), ok)
	}
	// Output:
	// 12:00:00 true
	// 12:15:00 true
	// 12:45:00 true
}

func ExampleSigner() {
	secret := delivery.Secret{Key: []byte("secret")}
	signer := delivery.NewSigner([]delivery.Secret{secret}, "msg_1", time.Unix(1_700_000_000, 0))
	fmt.Fprint(signer, `{"mediaId":"1"}`)
	fmt.Println(signer.Signatures())
	// Output: v1,GU8LVOyvq10k9Qbd2VG9QhnhGLf3xtw3AFOQ3tC3Blk=
}

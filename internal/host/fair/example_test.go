package fair_test

import (
	"context"
	"fmt"

	"parley/internal/host/fair"
)

func ExampleRoom() {
	room := fair.NewRoom(fair.Limits{All: 2, Each: 1, Queue: 0})
	leave, err := room.Enter(context.Background(), "alice")
	fmt.Println("alice:", err)
	_, err = room.Enter(context.Background(), "alice")
	fmt.Println("alice again:", err)
	_, err = room.Enter(context.Background(), "bob")
	fmt.Println("bob:", err)
	leave()
	_, err = room.Enter(context.Background(), "alice")
	fmt.Println("alice, after leaving:", err)
	// Output:
	// alice: <nil>
	// alice again: fair: the queue of the account is full
	// bob: <nil>
	// alice, after leaving: <nil>
}

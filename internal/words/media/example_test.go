package media_test

import (
	"fmt"

	"parley/internal/words/media"
)

func ExampleParseMetadata() {
	m, err := media.ParseMetadata([]byte(`{"title": "Refund", "extended": {"order": {"id": 42}}}`))
	if err != nil {
		panic(err)
	}
	fmt.Println(m.Title(), m.Lookup("extended.order.id"))
	_, err = media.ParseMetadata([]byte(`{"callDetails": {"callDirection": "out"}}`))
	fmt.Println(err)
	// Output:
	// Refund [42]
	// /callDetails/callDirection: write exactly "Inbound" or "Outbound", or leave it blank
}

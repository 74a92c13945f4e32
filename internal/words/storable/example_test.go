package storable_test

import (
	"fmt"

	"parley/internal/words/storable"
)

func ExampleText() {
	fmt.Println(storable.Text("Grüße"), storable.Text("a\x00b"))
	// Output: true false
}

package batch_test

import (
	"fmt"

	"parley/internal/terminal/batch"
)

// The metadata of a recording comes from the pattern of its name; its title is the file name.
func ExampleDescribe() {
	pattern, err := batch.ParsePattern("{externalId}_{extended.campaign}")
	if err != nil {
		fmt.Println(err)
		return
	}
	calls := []batch.Recording{{Path: "4711_spring.wav"}}
	_, err = batch.Describe(calls, batch.Sources{Pattern: pattern})
	fmt.Printf("%s %v\n", calls[0].Metadata, err)
	// Output: {"title":"4711_spring.wav","externalId":"4711","extended":{"campaign":"spring"}} <nil>
}

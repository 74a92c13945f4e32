package dialogue_test

import (
	"fmt"
	"slices"

	"parley/internal/lab/dialogue"
)

func ExampleMake() {
	call := dialogue.Make(4, 0)
	first := slices.IndexFunc(call.Labels, func(k dialogue.Kind) bool { return k != "" })
	for i := first; call.Labels[i] == call.Labels[first]; i++ {
		fmt.Println(call.Labels[i], call.Transcript.Words[i].Text)
	}
	// Output: birthdate 7/7/1957
}

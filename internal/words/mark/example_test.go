package mark_test

import (
	"fmt"
	"time"

	"parley/internal/words/mark"
	"parley/internal/words/transcript"
)

func ExampleSplit() {
	heard := transcript.Word{Start: time.Second, End: 2 * time.Second}
	for _, w := range mark.Split(heard, `"Really?"`) {
		fmt.Println(w.Text, w.Start, w.End)
	}
	// Output:
	// Really 1s 2s
	// ? 2s 2s
}

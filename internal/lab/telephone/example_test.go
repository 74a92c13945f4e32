package telephone_test

import (
	"fmt"

	"parley/internal/lab/telephone"
	"parley/internal/words/sound"
)

func ExampleLine_Simulate() {
	wide := &sound.PCM{Rate: 16000, Samples: make([]int16, 16000)}
	narrow := telephone.Usual().Simulate(wide)
	fmt.Println(narrow.Rate, narrow.Duration())
	// Output: 8000 1s
}

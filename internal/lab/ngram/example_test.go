package ngram_test

import (
	"fmt"

	"parley/internal/lab/ngram"
)

func ExampleEstimate() {
	m := ngram.Estimate([][]string{{"hello", "there"}, {"hello", "world"}, {"hello", "there"}}, ngram.Config{Order: 2})
	fmt.Println(m.Probability([]string{"hello"}, "there") > m.Probability([]string{"hello"}, "world"))
	// Output: true
}

package corpus_test

import (
	"fmt"

	"parley/internal/lab/corpus"
)

// Calls depend on the seed and their number alone.
func ExampleCorpus_Call() {
	call := corpus.New(corpus.Config{Seed: 1, Words: 100}).Call(0)
	fmt.Println(call.Topic, call.ID)
	// Output: Warranty claim 019b76da-a800-7a37-8e62-2ee57d0313af
}

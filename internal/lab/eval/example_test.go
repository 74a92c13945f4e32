package eval_test

import (
	"fmt"
	"strings"

	"parley/internal/lab/eval"
)

func ExampleCompare() {
	score := eval.Compare(strings.Fields("I would like to cancel"), strings.Fields("I'd like the cancel"))
	fmt.Printf("%+v, word error rate %.2f\n", score, score.Rate())
	// Output: {Words:5 Substitutions:2 Insertions:0 Deletions:1}, word error rate 0.60
}

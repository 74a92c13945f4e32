package classify_test

import (
	"context"
	"fmt"

	"parley/internal/analysis/classify"
)

func ExampleTrain() {
	var examples []classify.Example
	for _, text := range []string{"where is my parcel", "the parcel is late", "no parcel came"} {
		examples = append(examples, classify.Example{Words: classify.Written(text), Label: "delivery"})
	}
	for _, text := range []string{"my bill is too high", "explain the bill", "a second bill arrived"} {
		examples = append(examples, classify.Example{Words: classify.Written(text), Label: "billing"})
	}
	model, _, err := classify.Train(context.Background(), examples, func() {})
	if err != nil {
		panic(err)
	}
	p := model.Probabilities(classify.Written("I have a question about a bill"))
	fmt.Println(model.Labels(), p[0] > p[1])
	// Output: [billing delivery] true
}

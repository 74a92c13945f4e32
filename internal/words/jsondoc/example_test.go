package jsondoc_test

import (
	"fmt"

	"parley/internal/words/jsondoc"
)

func ExampleCheck() {
	doc, err := jsondoc.Parse([]byte(`{"nmae": "Ann", "age": "7"}`), jsondoc.Limits{Bytes: 1000, Depth: 9, Values: 99})
	if err != nil {
		panic(err)
	}
	shape := jsondoc.Fields(jsondoc.Field{Name: "name", Shape: jsondoc.Text()},
		jsondoc.Field{Name: "age", Shape: jsondoc.Whole()})
	for _, p := range jsondoc.Check(doc, shape, jsondoc.Codes{Type: 1, Unknown: 2}) {
		fmt.Println(p.Code, p.Message)
	}
	// Output:
	// 2 /nmae: unknown property "nmae"; did you mean "name"?
	// 1 /age: "7" where an integer is expected; remove the quotes
}

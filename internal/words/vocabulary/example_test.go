package vocabulary_test

import (
	"fmt"

	"parley/internal/words/jsondoc"
	"parley/internal/words/vocabulary"
)

func ExampleReader() {
	doc, err := jsondoc.Parse([]byte(`{"terms": [{"term": "Contoso", "soundsLike": ["con toe so"]}, {"weight": 2}]}`),
		jsondoc.Limits{Bytes: 1000, Depth: 9, Values: 99})
	if err != nil {
		panic(err)
	}
	r := vocabulary.Reader{Refuse: func(v *jsondoc.Value, _ int, format string, args ...any) {
		fmt.Println(v.Pointer(), fmt.Sprintf(format, args...))
	}}
	fmt.Println(r.Terms(doc.Get("terms"))[0].SoundsLike)
	// Output:
	// /terms/1 has no term; set it or remove the element
	// [con toe so]
}

package importer_test

import (
	"fmt"

	"parley/internal/speech/importer"
)

func ExampleParse() {
	r, err := importer.Parse([]byte("Agent: How can I help?\nCaller: Hello.\n"))
	if err != nil {
		panic(err)
	}
	for _, w := range r.Transcript.Words {
		fmt.Print(w.Text, " ")
	}
	fmt.Println(r.Format, r.Timed, r.Transcript.Speakers[1].Name)
	// Output: How can I help ? Hello . text false Caller
}

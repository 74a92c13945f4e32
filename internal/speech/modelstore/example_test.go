package modelstore_test

import (
	"fmt"

	"parley/internal/speech/modelstore"
)

func ExampleFind() {
	entries, err := modelstore.Catalogue()
	if err != nil {
		panic(err)
	}
	e, err := modelstore.Find(entries, "parakeet-tdt-0.6b-v2")
	fmt.Println(e.Kind, e.Engine, e.Family, e.Languages, err)
	// Output: speech sherpa-onnx nemo_transducer [en-US] <nil>
}

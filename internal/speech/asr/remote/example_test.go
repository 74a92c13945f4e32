package remote_test

import (
	"fmt"
	"os"

	"parley/internal/speech/asr/remote"
)

func ExampleParse() {
	e, err := remote.Parse("openai+http://gpu.internal:8000/?model=small.en&languages=en-US+en-GB&parallel=4", os.Getenv)
	fmt.Println(e.URL, e.Model, e.Languages, e.Parallel, err)
	// Output: http://gpu.internal:8000/ small.en [en-US en-GB] 4 <nil>
}

package sherpa_test

import (
	"fmt"

	"parley/internal/speech/asr/sherpa"
	"parley/internal/speech/modelstore"
)

func ExampleCommand() {
	model := modelstore.Installed{Dir: "/var/lib/parley/models/whisper-small.en"}
	fmt.Println(sherpa.Command("parley-sherpa", model, 2))
	// Output: [parley-sherpa serve --model /var/lib/parley/models/whisper-small.en --threads 2]
}

package tokenfile_test

import (
	"fmt"
	"time"

	"parley/internal/index/tokenfile"
	"parley/internal/words/phrase"
	"parley/internal/words/transcript"
)

func ExampleEncode() {
	t := &transcript.Transcript{Speakers: []transcript.Speaker{{Name: "Agent"}}, Words: []transcript.Word{
		{Text: "Refund", End: time.Second}, {Text: "granted", Start: time.Second, End: 2 * time.Second},
	}}
	lexicon := phrase.Glossary{}
	data := tokenfile.Encode(tokenfile.Of(t, "Refund", ""), lexicon.Number)
	var file tokenfile.File
	if err := file.Decode(data); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(file.Words) // of the transcript, then of the title
	times, err := file.Times()
	fmt.Println(times, err)
	// Output:
	// [1 2 1]
	// [{0 1000} {1000 2000}] <nil>
}

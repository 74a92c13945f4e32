package fulltext_test

import (
	"fmt"

	"parley/internal/index/search/fulltext"
	"parley/internal/index/tokenfile"
	"parley/internal/words/phrase"
	"parley/internal/words/transcript"
)

func ExampleParse() {
	call := tokenfile.Of(&transcript.Transcript{}, "Refund of order 4711", "")
	lexicon := phrase.Glossary{}
	var file tokenfile.File
	if err := file.Decode(tokenfile.Encode(call, lexicon.Number)); err != nil {
		fmt.Println(err)
		return
	}
	for _, text := range []string{`"order 4711" refund`, "refund -order", "refund OR"} {
		query, err := fulltext.Parse(text)
		if err != nil {
			fmt.Println(err)
			continue
		}
		program, err := query.Compile(lexicon)
		fmt.Println(err == nil && program.Match(&file))
	}
	// Output:
	// true
	// false
	// query, character 10: OR must be between two words; write "or" in lower case or in quotes to search for the word
}

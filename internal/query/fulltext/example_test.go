package fulltext_test

import (
	"fmt"

	"parley/internal/query"
	"parley/internal/query/fulltext"
	"parley/internal/words/phrase"
)

func ExampleParse() {
	lexicon := phrase.Glossary{}
	call := query.Subject{Parts: []query.Part{{Field: phrase.Title, To: 4}}}
	for _, word := range phrase.Words("Refund of order 4711") {
		call.Words = append(call.Words, lexicon.Number(word))
	}
	for _, text := range []string{`"order 4711" refund`, "refund -order", "refund OR"} {
		condition, err := fulltext.Parse(text)
		if err != nil {
			fmt.Println(err)
			continue
		}
		matcher, err := query.Compile(condition).Over(lexicon)
		fmt.Println(err == nil && matcher.Match(&call))
	}
	// Output:
	// true
	// false
	// query, character 10: OR must be between two words; write "or" in lower case or in quotes to search for the word
}

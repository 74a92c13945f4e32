package phrase_test

import (
	"fmt"

	"parley/internal/words/phrase"
)

func ExampleFind() {
	p, err := phrase.Parse("cancel my acc*")
	if err != nil {
		panic(err)
	}
	words := phrase.Words("I want to cancel my old account.")
	p.Slop = 1
	start, end, found := phrase.Find(words, 0, len(p.Places), p.Slop, func(place int, word string) bool {
		return p.Places[place].Matches(word)
	})
	fmt.Println(words[start:end], found)
	// Output: [cancel my old account] true
}

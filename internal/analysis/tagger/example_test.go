package tagger_test

import (
	"fmt"
	"strings"

	"parley/internal/analysis/tagger"
)

func ExampleTagger_Tag() {
	g, err := tagger.Load()
	if err != nil {
		panic(err)
	}
	for _, t := range g.Tag(strings.Fields("she doesn't like the plans")) {
		fmt.Print(t.Text, "/", t.Tag, " ")
	}
	fmt.Println(g.Lexicon().NounBase("plans"))
	// Output: she/PRON does/AUX not/PART like/VERB the/DET plans/NOUN plan
}

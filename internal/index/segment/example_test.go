package segment_test

import (
	"fmt"

	"parley/internal/index/segment"
	"parley/internal/index/tokenfile"
	"parley/internal/words/transcript"
)

func ExampleBuilder() {
	words := tokenfile.Of(&transcript.Transcript{Speakers: []transcript.Speaker{{}},
		Words: []transcript.Word{{Text: "refund"}, {Text: "order"}}}, "", "")
	var b segment.Builder
	err := b.Add(&segment.Draft{ID: "0197a000-0000-7000-8000-000000000000", Change: 1, Indexed: true, Words: words})
	if err != nil {
		fmt.Println(err)
		return
	}
	data, err := b.Build()
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := segment.Open(segment.Plain(data))
	fmt.Println(s.Len(), s.Words(), err)
	// Output: 1 [order refund] <nil>
}

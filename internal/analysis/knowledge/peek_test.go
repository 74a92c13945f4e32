package knowledge_test

import (
	"fmt"
	"testing"
)

func TestPeek(t *testing.T) {
	for _, path := range []string{"audio/call_cable_sales_stereo.voicebase.json"} {
		said, _ := theirs(t, path)
		f := find(t, said)
		for _, k := range f.Keywords {
			n := 0
			for _, m := range k.Mentions {
				n += len(m.Occurrences)
			}
			fmt.Printf("%.2f %s (%d)\n", k.Relevance, k.Text, n)
		}
		for _, x := range f.Topics {
			fmt.Printf("%.2f %s %v %v\n", x.Relevance, x.Name, x.Subtopics, texts(x.Keywords))
		}
	}
}

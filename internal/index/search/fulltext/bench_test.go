package fulltext

import (
	"testing"

	"parley/internal/index/tokenfile"
	"parley/internal/lab/corpus"
	"parley/internal/words/media"
	"parley/internal/words/phrase"
)

// BenchmarkMatch evaluates calls of 1,500 words, one after another: one operation is one call, read from its token
// file.
func BenchmarkMatch(b *testing.B) {
	calls := corpus.New(corpus.Config{})
	words := phrase.Glossary{}
	size := 0
	files := make([][]byte, 500)
	for n := range files {
		c := calls.Call(n)
		m := media.StoredMetadata(c.Metadata)
		files[n] = tokenfile.Encode(tokenfile.Of(c.Transcript, m.Title(), m.Description()), words.Number)
		size += len(files[n])
	}
	for _, query := range []string{"refund", `"cancel my account"`, `"the of you"`, "title:praise -manager",
		"refu* OR invoice"} {
		b.Run(query, func(b *testing.B) {
			q, err := Parse(query)
			if err != nil {
				b.Fatal(err)
			}
			p, err := q.Compile(words)
			if err != nil {
				b.Fatal(err)
			}
			var f tokenfile.File
			for n := 0; b.Loop(); n++ {
				if err := f.Decode(files[n%len(files)]); err != nil {
					b.Fatal(err)
				}
				p.Match(&f)
			}
			b.ReportMetric(float64(size/len(files)), "bytes/call")
		})
	}
}

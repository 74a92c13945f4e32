package fulltext

import (
	"testing"

	"parley/internal/index/tokenfile"
	"parley/internal/lab/corpus"
	"parley/internal/query"
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
	for _, text := range []string{"refund", `"cancel my account"`, `"the of you"`, "title:praise -manager",
		"refu* OR invoice"} {
		b.Run(text, func(b *testing.B) {
			q, err := Parse(text)
			if err != nil {
				b.Fatal(err)
			}
			m, err := query.Compile(q).Over(words)
			if err != nil {
				b.Fatal(err)
			}
			var f tokenfile.File
			var call query.Subject
			for n := 0; b.Loop(); n++ {
				if err := f.Decode(files[n%len(files)]); err != nil {
					b.Fatal(err)
				}
				call.Words, call.Parts = f.Words, call.Parts[:0]
				for _, p := range f.Parts {
					call.Parts = append(call.Parts, query.Part{Field: p.Field, From: p.From, To: p.To})
				}
				m.Match(&call)
			}
			b.ReportMetric(float64(size/len(files)), "bytes/call")
		})
	}
}

package segment

import (
	"fmt"
	"sync"
	"testing"

	"parley/internal/call/fact"
	"parley/internal/index/tokenfile"
	"parley/internal/lab/corpus"
	"parley/internal/query"
	"parley/internal/query/callset"
	"parley/internal/words/phrase"
)

// large returns the bytes of two segments of MaxCalls calls with about 1,500 words and 12 values each.
var large = sync.OnceValue(func() (two [2][]byte) {
	calls := corpus.New(corpus.Config{Words: 1500})
	for i := range two {
		var b Builder
		for n := range MaxCalls {
			c := calls.Call(i*MaxCalls + n)
			d := &Draft{ID: c.ID, Change: int64(n), Indexed: true, Readable: true, Words: tokenfile.Of(c.Transcript, "", "")}
			add := func(space query.Space, name string, v query.Value) {
				d.Values = append(d.Values, fact.Entry{Field: query.Field{Space: space, Path: []string{name}}, Value: v})
			}
			add(query.Media, "length", query.Number(float64(c.Transcript.Length)))
			add(query.Media, "mediaId", query.Text(string(c.ID)))
			for k := range 10 {
				add(query.Metadata, fmt.Sprint("k", k), query.Text(fmt.Sprint(c.Topic, n%(10*k+2))))
			}
			if err := b.Add(d); err != nil {
				panic(err)
			}
		}
		data, err := b.Build()
		if err != nil {
			panic(err)
		}
		two[i] = data
	}
	return two
})

// BenchmarkRead reads a segment of 4,096 calls of 1,500 words: one operation is one word looked up, one pair of words,
// one token file, one id, one column. Warm blocks are decrypted already; cold ones are decrypted by each operation.
func BenchmarkRead(b *testing.B) {
	data := large()[0]
	s, err := Open(Plain(data))
	if err != nil {
		b.Fatal(err)
	}
	words := s.Words()
	at := func(i int) phrase.Pattern { return phrase.Pattern{Text: words[i*131%min(len(words), 20_000)]} }
	cold := NewBlocks(1 << 30)
	for _, source := range []struct {
		name string
		Source
	}{
		{"plain", Plain(data)},
		{"warm", encryptedSource(b, NewBlocks(1<<30), data)},
		{"cold", encryptedSource(b, cold, data)},
	} {
		s, err := Open(source)
		if err != nil {
			b.Fatal(err)
		}
		values := make([]query.Value, s.Len())
		for _, one := range []struct {
			name string
			read func(i int)
		}{
			{"Candidates", func(i int) {
				s.Having(phrase.NeedRun{Fields: phrase.Everywhere, Patterns: []phrase.Pattern{at(i)}})
			}},
			{"Pairs", func(i int) {
				s.Having(phrase.NeedRun{Fields: phrase.Everywhere, Patterns: []phrase.Pattern{at(i), at(i + 1)}})
			}},
			{"Numbers", func(i int) { s.Numbers(at(i)) }},
			{"Tokens", func(i int) { s.Tokens(i * 131 % s.Len()) }},
			{"Key", func(i int) { s.Key(i * 131 % s.Len()) }},
			{"Column", func(i int) { clear(values); s.Read(i%s.Columns(), values, nil) }},
		} {
			b.Run(one.name+"/"+source.name, func(b *testing.B) {
				b.ReportAllocs()
				for i := range 2000 {
					one.read(i)
				}
				for i := 0; b.Loop(); i++ {
					if source.name == "cold" {
						cold.clear()
					}
					one.read(i)
				}
				if s.Err() != nil {
					b.Fatal(s.Err())
				}
			})
		}
	}
}

func (b *Blocks) clear() {
	for i := range b.shards {
		b.shards[i].recent.Purge()
	}
}

// BenchmarkOpen opens a segment of 4,096 calls of 1,500 words.
func BenchmarkOpen(b *testing.B) {
	data := large()[0]
	for name, source := range map[string]Source{"plain": Plain(data), "cold": encryptedSource(b, NewBlocks(0), data)} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := Open(source); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkRewrite rewrites segments of 4,096 calls of 1,500 words: without one call in 20, and with the half of
// another segment.
func BenchmarkRewrite(b *testing.B) {
	var s [2]*Segment
	for i, data := range large() {
		var err error
		if s[i], err = Open(Plain(data)); err != nil {
			b.Fatal(err)
		}
	}
	most, half := full(s[0]), callset.New(s[0].Len())
	for call := range s[0].Len() {
		if call%20 == 0 {
			most.Remove(call)
		}
		if call%2 == 0 {
			half.Add(call)
		}
	}
	b.Run("merge", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var m Builder
			for _, s := range s {
				if err := m.Take(s, half); err != nil {
					b.Fatal(err)
				}
			}
			if _, err := m.Build(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("purge", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := s[0].only(most, Written); err != nil {
				b.Fatal(err)
			}
		}
	})
}

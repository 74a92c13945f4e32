package columnar

import (
	"fmt"
	"sync"
	"testing"

	"parley/internal/index/callindex"
	"parley/internal/index/segment"
	"parley/internal/index/tokenfile"
	"parley/internal/lab/corpus"
	"parley/internal/query"
	"parley/internal/query/callset"
	"parley/internal/words/phrase"
)

// benchPart returns a segment of 4,096 calls of 1,500 words.
var benchPart = sync.OnceValue(func() *part {
	calls := corpus.New(corpus.Config{})
	var b segment.Builder
	for n := range segment.MaxCalls {
		c := calls.Call(n)
		d := &segment.Draft{ID: c.ID, Indexed: true, Searchable: true, Readable: true,
			Words: tokenfile.Of(c.Transcript, c.Topic, "")}
		if err := b.Add(d); err != nil {
			panic(err)
		}
	}
	data, err := b.Build()
	if err != nil {
		panic(err)
	}
	s, err := segment.Open(segment.Plain(data))
	if err != nil {
		panic(err)
	}
	p, err := callindex.NewPart(s, callset.New(s.Len()))
	if err != nil {
		panic(err)
	}
	fmt.Println("bytes per call:", len(data)/s.Len())
	return p
})

// BenchmarkJudge counts the matches of a condition in a segment of 4,096 calls of 1,500 words. One operation is one
// segment.
func BenchmarkJudge(b *testing.B) {
	c := corpus.New(corpus.Config{})
	w := c.Word
	exact := func(words ...string) query.Condition {
		x := query.Contains{In: phrase.Everywhere}
		for _, w := range words {
			x.What.Places = append(x.What.Places, phrase.Pattern{Text: w})
		}
		return x
	}
	parse := func(text string) query.Condition {
		c, err := query.ParseCondition(text, nil)
		if err != nil {
			b.Fatal(err)
		}
		return c
	}
	for _, one := range []struct {
		name string
		c    query.Condition
	}{
		{"in every call", parse(`* SAYS "thank you for calling"`)},
		{"in every call, agent", parse(`agent SAYS "thank you for calling"`)},
		{"in every call, listed", exact("thank", "you", "for", "calling")},
		{"in some calls", parse(`* SAYS "cancel my account"`)},
		{"common words", exact(w(3), w(10), w(18))},
		{"most common words", exact(w(0), w(1), w(2))},
		{"rare phrase", parse(`* SAYS "` + w(305) + ` ` + w(235) + `"`)},
		{"agent, word", parse(`agent SAYS "` + w(300) + `"`)},
		{"agent, common word", parse(`agent SAYS "` + w(20) + `"`)},
		{"agent, not caller", parse(`agent SAYS "` + w(300) + `" AND NOT caller SAYS "` + w(250) + `"`)},
		{"word", parse(`* SAYS "` + w(20) + `"`)},
		{"prefix", parse(`* SAYS "` + w(305) + ` ` + w(5)[:1] + `*"`)},
	} {
		b.Run(one.name, func(b *testing.B) {
			b.ReportAllocs()
			p := benchPart()
			found := 0
			for b.Loop() {
				found = 0
				cond := newCondition(one.c)
				none := func() error { return nil }
				j, err := cond.over(p, nil, none)
				if err != nil {
					b.Fatal(err)
				}
				for _, err := range j.matches(0, none) {
					if err != nil {
						b.Fatal(err)
					}
					found++
				}
			}
			b.ReportMetric(float64(found), "calls")
		})
	}
}

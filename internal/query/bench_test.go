package query

import (
	"strings"
	"testing"

	"parley/internal/index/tokenfile"
	"parley/internal/lab/corpus"
	"parley/internal/words/phrase"
)

// BenchmarkMatch evaluates calls of 1,500 words in sequence. One operation is one call, read from its token file. The
// case "decode" measures the reading alone.
func BenchmarkMatch(b *testing.B) {
	calls := corpus.New(corpus.Config{})
	words := phrase.Glossary{}
	files := make([][]byte, 500)
	for n := range files {
		files[n] = tokenfile.Encode(tokenfile.Of(calls.Call(n).Transcript, "", ""), words.Number)
	}
	for name, text := range map[string]string{
		"decode":   `*`,
		"phrase":   `agent SAYS "cancel my account"`,
		"common":   `* SAYS "the of you"`,
		"slop":     `agent SAYS "you help account"/4`,
		"wildcard": `caller SAYS "refu* the*"`,
		"category": `agent SAYS ("thank you" || "thanks") && !"sorry" AND NOT caller SAYS ("lawyer" || "complain*" || "cancel my account") AND * SAYS "goodbye"[-60s,]`,
		"followed": `caller SAYS "refund" FOLLOWED BY WITHIN 30s agent SAYS "sorry"`,
		"silence":  `silence(20s)`,
		"worst":    `* SAYS ` + strings.Repeat(`"t* a* t* i* t* w* s*"/100 && `, 300) + `"a*"`,
	} {
		b.Run(name, func(b *testing.B) {
			c, err := ParseCondition(text, nil)
			if err != nil {
				b.Fatal(err)
			}
			m, err := Compile(c).Over(words)
			if err != nil {
				b.Fatal(err)
			}
			var f tokenfile.File
			var s Subject
			b.ReportAllocs()
			for n := 0; b.Loop(); n++ {
				if err := f.Decode(files[n%len(files)]); err != nil {
					b.Fatal(err)
				}
				fileSubject(b, &f, &s, nil)
				m.Match(&s)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "calls/s")
		})
	}
}

// BenchmarkCategory evaluates one transcript of 1,500 words, as processing does: the subject is built once for all
// categories of an account.
func BenchmarkCategory(b *testing.B) {
	call := corpus.New(corpus.Config{}).Call(0).Transcript
	c, err := ParseCondition(`agent SAYS ("thank you" || "thanks") && !"sorry" AND NOT caller SAYS ("lawyer" || "complain*")`, nil)
	if err != nil {
		b.Fatal(err)
	}
	p := Compile(c)
	b.Run("subject", func(b *testing.B) {
		for b.Loop() {
			Of(call, nil)
		}
	})
	said := Of(call, nil)
	b.Run("find", func(b *testing.B) {
		for b.Loop() {
			p.Find(said)
		}
	})
}

// BenchmarkParse parses and compiles a text of the maximum length.
func BenchmarkParse(b *testing.B) {
	text := `agent SAYS ("thank you" || "thanks") && !"sorry"`
	for len(text) < MaxLength-60 {
		text += ` OR wordCount > 10 AND metadata:region LIKE "east%"`
	}
	for b.Loop() {
		c, err := ParseCondition(text, nil)
		if err != nil {
			b.Fatal(err)
		}
		Compile(c)
	}
}

// BenchmarkCheck parses a text after a change, as editors ask for it, and makes its outline or finds its mistakes.
func BenchmarkCheck(b *testing.B) {
	known := &KnownNames{Metrics: []string{"agent-talk-ratio", "call-sentiment"}}
	for name, text := range map[string]string{
		"short":    `agent SAYS ("thank you" || "thanks") && !"sorry" AND NOT caller SAYS "lawyer" AND length > 60000`,
		"mistaken": `agent SAYS "a*b" AND lenght > 5 AND metrics:"agent-tlk-ratio" > 1 AND titel = "x" AND * SAYS "x"[0h, 1]`,
		"longest":  `* SAYS ` + strings.Repeat(`"cancel my account"||`, MaxTerms-50) + `"a"`,
		"mistakes": strings.Repeat(`metrics:"agent-tlk-ratio" > 1 AND `, 280) + `*`,
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				draft := Read(text)
				if _, err := draft.Check(known); err == nil {
					draft.Outline()
				}
			}
		})
	}
}

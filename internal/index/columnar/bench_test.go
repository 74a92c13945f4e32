package columnar_test

import (
	"testing"

	"parley/internal/index/columnar"
	"parley/internal/lab/corpus"
	"parley/internal/query"
	"parley/internal/testkit/storetest"
)

// BenchmarkAsk answers statements over 2,000 calls of 30 words: one operation is one statement.
func BenchmarkAsk(b *testing.B) {
	db := storetest.SQLite(b)
	s := open(b, db)
	a := storetest.Account(b, db, "a").ID
	c := corpus.New(corpus.Config{Words: 30})
	for n := range 2000 {
		s.publish(a, c.Call(n), true, float64(n%7)-3)
	}
	s.catchUp()
	for name, text := range map[string]string{
		"groups": `SELECT date_trunc('week', dateCreated) AS week, count(*), avg(sentiment), percentile(length, 90)
			FROM media GROUP BY week`,
		"order": `SELECT mediaId FROM media WHERE sentiment > 0 ORDER BY date_trunc('day', dateCreated), length`,
		"words": `SELECT count(*) FROM media WHERE agent SAYS "the" AND NOT caller SAYS "you*"`,
	} {
		statement, err := query.Parse(text, nil)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := s.index.Ask(b.Context(), a, statement.Select, columnar.Page{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

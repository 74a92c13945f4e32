package knowledge_test

import (
	"testing"

	"parley/internal/analysis/knowledge"
	"parley/internal/transcript"
)

func find(t testing.TB, said *transcript.Transcript) *knowledge.Found {
	t.Helper()
	lexicon, err := knowledge.Load()
	if err != nil {
		t.Fatal(err)
	}
	return knowledge.Find(said, &knowledge.Request{Lexicon: lexicon})
}

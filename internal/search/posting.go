package search

import (
	"maps"
	"slices"
	"strings"

	"parley/internal/search/tokenfile"
)

// texts are the words of each field as FTS5 takes them.
func texts(owner int64, s *tokenfile.Source) (texts [3]string) {
	prefix := word(owner, anywhere, "")
	var b [3]strings.Builder
	b[tokenfile.Transcript].Grow(len(s.Words) * (len(prefix) + 7))
	for _, p := range s.Parts {
		into := &b[p.Field]
		for _, text := range s.Words[p.From:p.To] {
			into.WriteString(prefix)
			into.WriteString(text)
			into.WriteByte(' ')
		}
	}
	for f := range b {
		texts[f] = b[f].String()
	}
	return texts
}

// tsvector is the different words of a call as PostgreSQL takes them.
func tsvector(owner int64, s *tokenfile.Source) []string {
	everywhere := word(owner, anywhere, "")
	alone := map[tokenfile.Field]string{tokenfile.Title: word(owner, inTitle, ""), tokenfile.Description: word(owner, inDescription, "")}
	different := make(map[string]bool, len(s.Words)/2)
	for _, p := range s.Parts {
		prefix, ok := alone[p.Field]
		for _, text := range s.Words[p.From:p.To] {
			different[everywhere+text] = true
			if ok {
				different[prefix+text] = true
			}
		}
	}
	return slices.AppendSeq([]string{}, maps.Keys(different)) // never nil, which would be NULL
}

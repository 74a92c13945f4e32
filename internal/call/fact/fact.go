// Package fact is what the fields of a call hold, as the query language asks for them: of the recording itself, its
// metadata, and what the analyses found.
//
// It does not keep the values (package analytics does) and decides nothing about how they compare (package query).
package fact

import (
	"slices"
	"strings"
	"time"

	"parley/internal/call/result"
	"parley/internal/query"
	"parley/internal/words/media"
	"parley/internal/words/transcript"
)

// Limits of what is known of the metadata of one call.
const (
	MostLeaves = 500  // values; further ones read as missing
	MostText   = 4000 // characters of a text; the rest does not count
)

// Call is a call with all that is known of it. Finished is when it was, where the media item does not say so yet.
type Call struct {
	Media      *media.Media
	Transcript *transcript.Transcript
	Findings   result.Findings
	Finished   time.Time
}

// Entry is the value of one field. Of metadata the field has all keys, from the root of the document.
type Entry struct {
	Field query.Field
	Value query.Value
}

// Values are the entries of one call.
type Values []Entry

// Of returns all that is known of a call.
func Of(c *Call) Values {
	v := ofMedia(c)
	for _, leaf := range c.Media.Metadata.Leaves(MostLeaves) {
		v = append(v, Entry{query.Field{Space: query.Metadata, Path: leaf.Path}, ofLeaf(leaf)})
	}
	for _, g := range c.Findings.Metrics {
		for _, m := range g.Metrics {
			v = append(v, named(query.Metrics, m.Name, query.Number(m.Value)))
		}
	}
	for _, g := range c.Findings.Spotting {
		v = append(v, named(query.Spotting, g.Name, zeroOrOne(len(g.Keywords) > 0)))
	}
	for _, k := range c.Findings.Categories {
		v = append(v, named(query.Categories, k.Name, zeroOrOne(k.Matched)))
	}
	for _, p := range c.Findings.Classifications {
		v = append(v, named(query.Prediction, p.Name, query.Text(p.Label)))
	}
	return v
}

func named(s query.Space, name string, v query.Value) Entry {
	return Entry{query.Field{Space: s, Path: []string{name}}, v}
}

func zeroOrOne(b bool) query.Value {
	if b {
		return query.Number(1)
	}
	return query.Number(0)
}

func ofMedia(c *Call) Values {
	m := c.Media
	finished := m.Finished
	if finished.IsZero() {
		finished = c.Finished
	}
	v := Values{
		named(query.Media, "mediaId", query.Text(string(m.ID))),
		named(query.Media, "dateCreated", query.Instant(m.Created)),
		named(query.Media, "length", query.Number(float64(c.Transcript.Length.Milliseconds()))),
		named(query.Media, "wordCount", query.Number(float64(spoken(c.Transcript)))),
		named(query.Media, "turnCount", query.Number(float64(len(c.Transcript.Turns())))),
		named(query.Media, "interactionType", query.Text("speech")),
		named(query.Media, "status", query.Text(string(media.Finished))),
	}
	if !finished.IsZero() {
		v = append(v, named(query.Media, "dateFinished", query.Instant(finished)))
	}
	for _, text := range []struct{ name, value string }{
		{"mediaContentType", m.ContentType}, {"externalId", m.Metadata.ExternalID()}, {"title", m.Metadata.Title()},
		{"description", m.Metadata.Description()}, {"language", c.Transcript.Language},
	} {
		if text.value != "" {
			v = append(v, named(query.Media, text.name, query.Text(clipped(text.value))))
		}
	}
	return v
}

func spoken(t *transcript.Transcript) (n int) {
	for _, w := range t.Words {
		if w.Kind == transcript.Spoken {
			n++
		}
	}
	return n
}

func ofLeaf(l media.Leaf) query.Value {
	switch l.Kind {
	case media.NumberLeaf:
		return query.Number(l.Number)
	case media.TruthLeaf:
		return query.Truth(l.Truth)
	}
	return query.Text(clipped(l.Text))
}

func clipped(text string) string {
	if len(text) <= MostText {
		return text
	}
	if runes := []rune(text); len(runes) > MostText {
		return string(runes[:MostText])
	}
	return text
}

// Value returns what a field holds, the zero Value where it is missing.
func (v Values) Value(f query.Field) query.Value {
	for _, i := range Resolve(len(v), func(i int) query.Field { return v[i].Field }, f) {
		if !v[i].Value.Missing() {
			return v[i].Value
		}
	}
	return query.Value{}
}

// roots are where keys of metadata are looked for, in this order.
var roots = [][]string{{"extended"}, {}, {"callDetails"}}

// Resolve returns which of n fields a field of a statement may mean, the likeliest first; the first that has a
// value for a call is the one. Metadata are looked for in extended, then from the root, then in callDetails; names
// whose case is right come before others.
func Resolve(n int, have func(int) query.Field, asked query.Field) (found []int) {
	for _, same := range []func(a, b string) bool{func(a, b string) bool { return a == b }, strings.EqualFold} {
		for _, root := range rootsOf(asked.Space) {
			for i := range n {
				f := have(i)
				if f.Space == asked.Space && leads(root, asked.Path, f.Path, same) && !slices.Contains(found, i) {
					found = append(found, i)
				}
			}
		}
	}
	return found
}

func rootsOf(s query.Space) [][]string {
	if s == query.Metadata {
		return roots
	}
	return roots[1:2]
}

// leads reports whether a path is a root with the keys that are asked for.
func leads(root, asked, path []string, same func(a, b string) bool) bool {
	if len(path) != len(root)+len(asked) {
		return false
	}
	for i, key := range root {
		if path[i] != key {
			return false
		}
	}
	for i, key := range asked {
		if !same(path[len(root)+i], key) {
			return false
		}
	}
	return true
}

// Package fact returns the values of a call's fields for the query language: from the recording, its metadata and the
// results of its analyses.
//
// It does not store the values (package analytics does) or compare them (package query does).
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

// Limits of the metadata values of one call.
const (
	MostLeaves = 500  // number of values; further ones read as missing
	MostText   = 4000 // characters of a text; the rest is ignored
)

// Call is a call with all its data. Finished is its time of completion, for media items that do not have it yet.
type Call struct {
	Media      *media.Media
	Transcript *transcript.Transcript
	Findings   result.Findings
	Finished   time.Time
}

// Entry is the value of one field. For metadata, the field holds all keys from the root of the document.
type Entry struct {
	Field query.Field
	Value query.Value
}

// Values are the entries of one call.
type Values []Entry

// Of returns the values of all fields of a call.
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

// Value returns the value of a field, or the zero Value if it is missing.
func (v Values) Value(f query.Field) query.Value {
	for _, i := range Resolve(len(v), func(i int) query.Field { return v[i].Field }, f) {
		if !v[i].Value.Missing() {
			return v[i].Value
		}
	}
	return query.Value{}
}

// roots are the prefixes under which metadata keys are searched, in this order.
var roots = [][]string{{"extended"}, {}, {"callDetails"}}

// Resolve returns the indices of the fields, out of n, that a field of a statement may mean, the most likely first. The
// first of them that has a value for a call is used. The search order for metadata is extended, the root, callDetails;
// exact case comes before other matches.
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

// leads reports whether a path consists of a root and the requested keys.
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

package fulltext

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"parley/internal/index/tokenfile"
	"parley/internal/query"
	"parley/internal/query/callset"
	"parley/internal/words/fault"
	"parley/internal/words/phrase"
	"parley/internal/words/transcript"
)

// source is a call with the given texts as turns, by two alternating speakers.
func source(title, description string, turns ...string) *tokenfile.Source {
	t := &transcript.Transcript{Speakers: []transcript.Speaker{{Name: "Agent"}, {Name: "Caller"}}}
	for i, turn := range turns {
		for j, w := range strings.Fields(turn) {
			at := time.Duration(i)*time.Minute + time.Duration(j)*time.Second/2
			t.Words = append(t.Words, transcript.Word{Text: w, Start: at, End: at + time.Second/2, Speaker: i % 2})
		}
	}
	return tokenfile.Of(t, title, description)
}

func matches(t testing.TB, text string, s *tokenfile.Source) bool {
	t.Helper()
	q, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return fulfils(t, q, s)
}

// fulfils reports whether a call meets a condition.
func fulfils(t fataler, c query.Condition, s *tokenfile.Source) bool {
	t.Helper()
	g := phrase.Glossary{}
	call := query.Subject{}
	for _, w := range s.Words {
		call.Words = append(call.Words, g.Number(w))
	}
	for _, p := range s.Parts {
		call.Parts = append(call.Parts, query.Part{Field: p.Field, From: p.From, To: p.To})
	}
	m, err := query.Compile(c).Over(g)
	if err != nil {
		t.Fatal(err)
	}
	return m.Match(&call)
}

type fataler interface {
	Helper()
	Fatal(args ...any)
}

func TestQueriesMeanWhatTheReferenceSays(t *testing.T) {
	s := source("Refund of order 4711", "The caller wants money back", "Thank you for calling, how can I help?",
		"I'd like a refund, please", "Of course.")
	for text, want := range map[string]bool{
		"refund": true, "REFUND": true, "refunds": false, "refund money": true, "refund thief": false,
		"I’d": true, "id": false, "help?": true, "4711": true, "#4711": true, "47*": true, "4712": false, "48*": false,
		"47":          false,
		`"thank you"`: true, `"you thank"`: false, `"help i'd"`: false /* two turns */, `"4711 the"`: false,
		`"for * how"`: true, `"for * * how"`: false,
		`“how can I help”`: true, `"order 4711" "money back"`: true,
		"refu*": true, "refundx*": false, `"than* y*"`: true, "*": true, "-*": false,
		"title:refund": true, "TITLE:refund": true, "title:money": false, "title:order refund": true,
		"title:order money": false, "money title:order": true,
		"title: refund": true, `title:"order 4711"`: true, `title:"4711 order"`: false, "description:money": true,
		"transcript:money":  false,
		"transcript:refund": true, "transcript:order": false, "description:money title:order transcript:please": true,
		"(title:order) money": true, "title:(order money)": false, "title:nothing OR order": true,
		"title:nothing OR money": false, "(title:nothing) OR money": true,
		"-thief": true, "-refund": false, "refund -thief": true, "refund -money": false, `-"thank you"`: false,
		`refund -"you thank"`: true,
		"-title:money money":  true, "-title:refund refund": false, "title:-money order": true,
		"refund -(thief OR money)": false, "refund -(thief OR robber)": true, "-(refund thief)": true,
		"thief OR refund": true, "thief OR robber": false, "thief refund OR order": true, "order OR refund thief": true,
		"(order OR refund) thief": false,
		"refund AND money":        true, "refund AND thief": false, "thief or refund": false, `"or" refund`: false,
		"order or":  false,
		"follow-up": false, "of-course": true, "of - course": true, "please!!! -- ...": true, `"i'd"like`: true,
		"(thief)OR(refund)": true,
	} {
		if got := matches(t, text, s); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

func TestMistakesAreToldWithTheirPlace(t *testing.T) {
	for text, want := range map[string]string{
		"":                        "character 1: the query contains no word",
		" … !":                    "character 1: the query contains no word",
		"-":                       "character 1: the query contains no word",
		`refund "order`:           "character 8: the quote is not closed",
		`é "order`:                "character 3: the quote is not closed",
		`refund "…"`:              "character 9: the quotes contain no word",
		"(refund":                 `character 1: "(" is not closed`,
		"a (b (c)":                `character 3: "(" is not closed`,
		"refund)":                 `character 7: ")" has no matching "("`,
		"a () b":                  "character 3: the parentheses contain no word",
		"OR refund":               "character 1: OR must be between two words",
		"refund OR":               "character 10: OR must be between two words",
		"a OR OR b":               "character 6: OR must be between two words",
		"(a OR) b":                "character 6: OR must be between two words",
		"AND a":                   "character 1: AND must be between two words",
		"a AND":                   "character 3: AND must be between two words",
		"a AND OR b":              "character 3: AND must be between two words",
		"agent:smith":             `character 1: unknown field "agent"`,
		"a -Re: b":                `character 4: unknown field "Re"`,
		"title:":                  "character 7: a word or a phrase must follow",
		"(a title: ) b":           "character 11: a word or a phrase must follow",
		"re*fund":                 "character 1: a * is allowed only at the end",
		`a "x *fund"`:             "character 4: a * is allowed only at the end",
		strings.Repeat("a ", 101): "character 201: more than 100 words",
		strings.Repeat("(", 51):   "character 51: more than 50 nested parentheses",
		strings.Repeat("é", 2001): "character 2001: the query is longer than 2000",
	} {
		q, err := Parse(text)
		if err == nil || !strings.Contains(err.Error(), want) || !fault.Is(err, fault.Invalid) {
			t.Errorf("%.40q: %v (%v), want %q", text, err, q, want)
		}
	}
}

// tree is a generated query: its text, and a naive second implementation of its meaning.
type tree struct {
	text string
	true func(s *tokenfile.Source) bool
}

func leaves() *rapid.Generator[tree] {
	return rapid.Custom(func(t *rapid.T) tree {
		words := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", "ab", "a*", "*"}), 1, 3).Draw(t, "phrase")
		field := rapid.IntRange(0, 5).Draw(t, "field")
		name := []string{"transcript:", "title:", "description:"}
		text := `"` + strings.Join(words, " ") + `"`
		if field < 3 {
			text = "(" + name[field] + text + ")"
		}
		return tree{text, func(s *tokenfile.Source) bool {
			for _, p := range s.Parts {
				for from := p.From; (field > 2 || int(p.Field) == field) && from+len(words) <= p.To; from++ {
					if !slices.ContainsFunc(indices(words), func(i int) bool {
						stem, star := strings.CutSuffix(words[i], "*")
						return s.Words[from+i] != stem && !(star && strings.HasPrefix(s.Words[from+i], stem))
					}) {
						return true
					}
				}
			}
			return false
		}}
	})
}

func indices(words []string) []int {
	all := make([]int, len(words))
	for i := range all {
		all[i] = i
	}
	return all
}

func trees(depth int) *rapid.Generator[tree] {
	if depth == 0 {
		return leaves()
	}
	inner := trees(depth - 1)
	return rapid.Custom(func(t *rapid.T) tree {
		a, b := inner.Draw(t, "a"), inner.Draw(t, "b")
		switch rapid.SampledFrom([]string{"leaf", "and", "or", "not"}).Draw(t, "operator") {
		case "and":
			return tree{"(" + a.text + " " + b.text + ")", func(s *tokenfile.Source) bool {
				return a.true(s) && b.true(s)
			}}
		case "or":
			return tree{"(" + a.text + " OR " + b.text + ")", func(s *tokenfile.Source) bool {
				return a.true(s) || b.true(s)
			}}
		case "not":
			return tree{"-(" + a.text + ")", func(s *tokenfile.Source) bool { return !a.true(s) }}
		}
		return a
	})
}

func text(t *rapid.T, label string) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", "ab"}), 0, 5).Draw(t, label), " ")
}

func TestProgramsAgreeWithTheNaiveMeaningAndNeedNoMore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := source(text(t, "title"), text(t, "description"), text(t, "turn"), text(t, "turn"), text(t, "turn"))
		q := trees(3).Draw(t, "query")
		parsed, err := Parse(q.text)
		if err != nil {
			t.Fatal(err)
		}
		want := q.true(s)
		if got := fulfils(t, parsed, s); got != want {
			t.Fatalf("%s on %+v: %v", q.text, s, got)
		}
		if need := query.Compile(parsed).Need(); want && !met(need, s) {
			t.Fatalf("%s matches %+v, which lacks what it needs: %+v", q.text, s, need)
		}
		if sure, may := query.Compile(parsed).Bounds(1, index{s}); sure.Has(0) && !want || want && !may.Has(0) {
			t.Fatalf("%s on %+v: %v; certainly: %v; perhaps: %v", q.text, s, want, sure.Has(0), may.Has(0))
		}
	})
}

// index is a segment of one call.
type index struct{ *tokenfile.Source }

func (x index) Having(run phrase.NeedRun) (callset.Set, bool) {
	calls := callset.New(1)
	if met(run, x.Source) {
		calls.Add(0)
	}
	return calls, len(run.Patterns) == 1
}

// Saying is not asked: the language does not name speakers.
func (x index) Saying(phrase.NeedRun, query.Speaker) (sure, may callset.Set) {
	panic("a speaker is named")
}

// met reports whether a call satisfies a need.
func met(n phrase.Need, s *tokenfile.Source) bool {
	switch n := n.(type) {
	case phrase.NeedAll:
		return !slices.ContainsFunc(n, func(one phrase.Need) bool { return !met(one, s) })
	case phrase.NeedSome:
		return slices.ContainsFunc(n, func(one phrase.Need) bool { return met(one, s) })
	case phrase.NeedRun:
		return slices.ContainsFunc(s.Parts, func(p tokenfile.Part) bool {
			_, _, ok := phrase.Find(s.Words[p.From:p.To], 0, len(n.Patterns), 0, func(i int, w string) bool {
				return n.Patterns[i].Matches(w)
			})
			return ok && n.Fields.Has(p.Field)
		})
	}
	return false
}

func FuzzParseNeverFailsWithoutTheReason(f *testing.F) {
	for _, q := range []string{`a "b c" OR -(title:d*)`, `title: -x AND (y OR z)`, `“q” ((`, "-)-(", `-title:-"`} {
		f.Add(q)
	}
	f.Fuzz(func(t *testing.T, text string) {
		q, err := Parse(text)
		if err == nil {
			p := query.Compile(q)
			p.Need()
			if _, err := p.Over(phrase.Glossary{}); err != nil {
				t.Fatal(err)
			}
		} else if !fault.Is(err, fault.Invalid) || !strings.HasPrefix(err.Error(), "query, character ") {
			t.Fatal(err)
		}
	})
}

package query

import (
	"strings"
	"testing"

	"parley/internal/words/phrase"
	"parley/internal/words/transcript"
)

func TestNamesOfFieldsAreReadAsInStatements(t *testing.T) {
	known := &KnownNames{Categories: []string{"At Risk"}, Metrics: []string{"overtalk-ratio"}}
	for text, want := range map[string]string{
		"LANGUAGE": "language", "metadata.team": "metadata:team", `categories:"at risk"`: `categories:"At Risk"`,
		"sentiment": "metrics:call-sentiment", ` metadata : "a b" : c `: `metadata:"a b":c`,
	} {
		names := known
		if text == "sentiment" {
			names = nil
		}
		s, err := ReadField(text).Check(names)
		if err != nil || s.Selected().String() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	for text, want := range map[string]string{
		"": "found the end", "lenght": "did you mean length?", "language, title": "expected the end",
		"count(*)": "expected the end", "metadata": "metadata needs a key", "categories:at-risk": "not found in categories",
		"metrics": "needs one name", "language = 3": "expected the end", "*": "expected the name of a field",
		strings.Repeat("x", MaxLength+1): "longer than 10000 characters",
	} {
		if _, err := ReadField(text).Check(known); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40s: %v, want %s", text, err, want)
		}
	}
}

// A condition on the title holds in a conversation that has one; its hits are those of the transcript.
func TestConversationsMayHaveOtherTexts(t *testing.T) {
	c := Of(&transcript.Transcript{Speakers: []transcript.Speaker{{Name: "Agent"}, {Name: "Caller"}},
		Words: []transcript.Word{{Text: "Hello", End: 1e9}, {Text: "there", Start: 2e9, End: 3e9, Speaker: 1}}}, nil)
	c.Add(phrase.Title, "Refund, there")
	both := Compile(And{Contains{phrase.Only(phrase.Title), phrase.Phrase{Places: []phrase.Pattern{{Text: "refund"}}}},
		Contains{phrase.Everywhere, phrase.Phrase{Places: []phrase.Pattern{{Text: "the", Kind: phrase.Prefix}}}}})
	matched, hits := both.Find(c)
	if !matched || len(hits) != 1 || hits[0].Turn != 1 || c.Exact(hits[0]) != "there" {
		t.Errorf("%v, %v", matched, hits)
	}
	if ok, _ := Compile(Contains{phrase.Only(phrase.Description), phrase.Phrase{
		Places: []phrase.Pattern{{Text: "refund"}}}}).Find(c); ok {
		t.Error("a word of the title is found in the description")
	}
}

package query

import (
	"errors"
	"slices"
	"testing"
)

// What a message says in words, a mistake has as data: the wrong part, what could stand there, what to put there.
func TestMistakesHaveTheWrongPartWhatIsExpectedAndTheNearestText(t *testing.T) {
	known := &KnownNames{Metrics: []string{"agent-talk-ratio"}, Categories: []string{"at-risk", "2 words"}}
	for text, want := range map[string]struct {
		wrong    string
		nearest  string
		expected []string
	}{
		`lenght > 5`:                    {"lenght", "length", nil},
		`* SAYS "🙂 a" AND lenght > 5`:   {"lenght", "length", nil},
		`duration > 60`:                 {"duration", "length", nil},
		`team = "a"`:                    {"team", "metadata:team", nil},
		`"my team" = "a"`:               {`"my team"`, `metadata:"my team"`, nil},
		`metadata:x = east`:             {"east", `"east"`, []string{"a value"}},
		`dateCreated > 2026-07-30`:      {"2026-07-30", `"2026-07-30"`, nil},
		`dateCreated > 2026-13-30`:      {"2026", "", nil},
		`metrics:"agent-tlk-ratio" > 1`: {`"agent-tlk-ratio"`, "agent-talk-ratio", nil},
		`categories:"2 word" = 1`:       {`"2 word"`, `"2 words"`, nil},
		`"hello"`:                       {`"hello"`, `* SAYS "hello"`, nil},
		`agent SAY "x"`:                 {"SAY", "SAYS", []string{"SAYS", "a comparison", "AND", "OR"}},
		`SAYS "x"`:                      {"SAYS", "* SAYS", []string{"a condition"}},
		`length > 3 && wordCount > 2`:   {"&&", "AND", []string{"AND", "OR", "ORDER BY", "LIMIT", "OFFSET", "the end"}},
		`agent SAYS ("x" | "y")`:        {"|", "||", nil},
		`agent SAYS NOT "x"`:            {"NOT", "!", []string{"a phrase in quotes", "(", "!"}},
		`agent SAYS "x`:                 {`"x`, "", nil},
		`* AND /* x`:                    {"/* x", "", nil},
		`agent SAYS`:                    {"", "", []string{"a phrase in quotes", "(", "!"}},
		`SELECT countt(*) FROM media`:   {"countt", "count", nil},
		`SELECT date_trunc(day, dateCreated) FROM media`: {"day", "'day'", nil},
		`SELECT * FROM calls`:                            {"calls", "media", nil},
		`selct * from media`:                             {"selct", "SELECT", nil},
		`ALTER TABLE media DEFINE metadata:a intger`: {"intger", "integer", []string{"varchar", "integer", "double", "boolean",
			"timestamp"}},
		"\n\n  length >\n\t\tOR *": {"OR", "", []string{"a value"}},
	} {
		_, err := Parse(text, known)
		var told *Error
		if !errors.As(err, &told) {
			t.Errorf("%s: %v", text, err)
			continue
		}
		m := told.Mistakes[0]
		if got := at(text, m.Span); got != want.wrong || m.Nearest != want.nearest || !slices.Equal(m.Expected, want.expected) {
			t.Errorf("%s: %q, nearest %q, expected %q\nwant %+v\n%s", text, got, m.Nearest, m.Expected, want, m)
		}
	}
}

// What is put in place of the wrong part is no mistake there.
func TestTheNearestTextCorrectsTheMistake(t *testing.T) {
	for _, text := range []string{
		`lenght > 5`, `"my team" = "a"`, `metadata:x = east`, `dateCreated > 2026-07-30`, `"hello"`, `agent SAY "x"`, `SAYS "x"`,
		`length > 3 && wordCount > 2`, `agent SAYS NOT "x"`, `SELECT countt(*) FROM media`,
		`SELECT date_trunc(day, dateCreated) FROM media`, `selct * from media`,
	} {
		_, err := Parse(text, nil)
		m := err.(*Error).Mistakes[0]
		corrected := text[:m.Column-1] + m.Nearest + text[m.Column-1+m.Length:]
		if _, err := Parse(corrected, nil); err != nil {
			t.Errorf("%s: %v", corrected, err)
		}
	}
}

func TestIndependentMistakesAreToldAtOnceAndNoOthers(t *testing.T) {
	text := `SELECT lenght, countt(*) FROM media WHERE agent SAYS ("a*b" AND "c"[0h, 1s]) AND titel = "x" AND ` +
		`dateCreated > "yesterday" AND metrics:"agent-tlk-ratio" > 1 GROUP BY langage ORDER BY 7 LIMIT x`
	_, err := Parse(text, &KnownNames{Metrics: []string{"agent-talk-ratio"}})
	var wrong []string
	for _, m := range err.(*Error).Mistakes {
		wrong = append(wrong, at(text, m.Span))
	}
	if want := []string{"lenght", "countt", `"a*b"`, "0h", "titel", `"yesterday"`, `"agent-tlk-ratio"`, "langage", "7",
		"x"}; !slices.Equal(wrong, want) {
		t.Errorf("%q\nwant %q\n%v", wrong, want, err)
	}
}

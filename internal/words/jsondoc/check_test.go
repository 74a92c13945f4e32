package jsondoc

import (
	"slices"
	"strings"
	"testing"

	"parley/internal/words/fault"
)

func shape() Shape {
	return Fields(
		Field{"name", Text()},
		Field{"size", Whole()},
		Field{"on", Flag()},
		Field{"maybe", TextFlag()},
		Field{"level", Enum(9, "High", "Low")},
		Field{"blank", Enum(9, "x").OrBlank()},
		Field{"inner", Fields(Field{"list", List(Fields(Field{"factor", Real()}))})},
		Field{"free", Open(Field{"known", Text()})},
	)
}

var codes = Codes{Type: 1, Unknown: 2, Duplicate: 3}

func found(t *testing.T, text string) []string {
	t.Helper()
	var messages []string
	for _, p := range Check(parse(t, text), shape(), codes) {
		messages = append(messages, strings.Repeat("!", p.Code)+" "+p.Message)
	}
	return messages
}

func TestCheckTakesWhatFits(t *testing.T) {
	for _, text := range []string{
		`{}`, `null`, `[]`,
		`{"name":"n","size":1.0,"on":false,"level":"hIGH","inner":{"list":[{"factor":-1.5e3},null,[]]}}`,
		`{"name":null,"size":[],"unknown":null,"also":[],"on":null,"inner":{"list":[]}}`,
		`{"_links":{"self":{}},"inner":{"_links":0}}`,
		`{"maybe":true}`, `{"maybe":"False"}`, `{"blank":" "}`,
		`{"free":{"anything":1,"known":"k"}}`,
		`{"name":null,"name":"n"}`, `{"name":{"x":null}}`, `{"inner":{"nothing":{"like":[]}}}`,
	} {
		if got := found(t, text); got != nil {
			t.Errorf("%s: %q", text, got)
		}
	}
}

func TestCheckReportsAllProblemsAtOnceWithTheirPointers(t *testing.T) {
	got := found(t, `{"name":5,"size":"7","on":"true","level":"medium","nmae":1,"factor":1,"zzz":1,
		"inner":{"list":[{"factor":1},{"factor":"x","Factor":2}]},"size":1.5,"free":{"known":[1]}}`)
	want := []string{
		`! /name: 5 where a string is expected`,
		`! /size: "7" where an integer is expected; remove the quotes`,
		`! /on: "true" where true or false is expected; remove the quotes`,
		`!!!!!!!!! /level: "medium" where one of "High", "Low" is expected`,
		`!! /nmae: unknown property "nmae"; did you mean "name"?`,
		`!! /factor: unknown property "factor"; did you mean inner.list[].factor?`,
		`!! /zzz: unknown property "zzz"; the known properties are name, size, on, maybe, level, blank, inner, free`,
		`! /inner/list/1/factor: "x" where a number is expected`,
		`!! /inner/list/1/Factor: unknown property "Factor"; did you mean "factor"?`,
		`!!! /size: the property is given twice; keep one of them`,
		`! /size: 1.5 where an integer is expected`,
		`! /free/known: a list where a string is expected`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestPrivateValuesStayOutOfMessages(t *testing.T) {
	problems := Check(parse(t, `{"size":"secret","level":"secret"}`), shape(), Codes{Private: true})
	if len(problems) != 2 {
		t.Fatalf("%d problems", len(problems))
	}
	for _, p := range problems {
		if strings.Contains(p.Message, "secret") {
			t.Error(p.Message)
		}
	}
}

func TestProblemsAreBounded(t *testing.T) {
	text := "{" + strings.Repeat(`"x":1,`, 500) + `"y":"` + strings.Repeat("z", 5000) + `","name":[[` +
		strings.Repeat("1,", 500) + `1]]}`
	got := found(t, text)
	if len(got) != maxProblems {
		t.Errorf("%d problems", len(got))
	}
	for _, m := range found(t, `{"`+strings.Repeat("k", 5000)+`":1,"size":"`+strings.Repeat("v", 5000)+`"}`) {
		if len(m) > 500 {
			t.Errorf("a message of %d bytes", len(m))
		}
	}
}

func TestPathsListsEveryKey(t *testing.T) {
	want := []string{"name", "size", "on", "maybe", "level", "blank", "inner.list[].factor", "free.known"}
	if got := shape().Paths(); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got := shape().At("level").Canonical("LOW"); got != "Low" {
		t.Errorf("canonical is %q", got)
	}
}

func TestInWhatIsReturnedAsSentTheEmptyListIsAList(t *testing.T) {
	kept := Codes{Type: 1, Unknown: 2, Kept: true}
	for text, want := range map[string]string{
		`{"name":null,"inner":{"list":null},"free":{"x":[]}}`: "",
		`{"name":[]}`:                        "/name: a list where a string is expected",
		`{"inner":[]}`:                       "/inner: a list where an object is expected",
		`{"free":{"known":[]}}`:              "/free/known: a list where a string is expected",
		`{"inner":{"list":[{"factor":[]}]}}`: "/inner/list/0/factor: a list where a number is expected",
		`{"inner":{"list":[]},"_links":[]}`:  "",
	} {
		var got []string
		for _, p := range Check(parse(t, text), shape(), kept) {
			got = append(got, p.Message)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q", text, got)
		}
	}
}

func TestProblemsOfAPartNameIt(t *testing.T) {
	root := parse(t, `{"a":{"b":[1]}}`)
	for _, c := range []struct{ problem, want string }{
		{At(root.Get("a", "b"), 1, "is short: 1").Message, "part: /a/b: is short: 1"},
		{At(root, 1, "is small").Message, "part: is small"},
		{"the part is no JSON: line 1", "the part is no JSON: line 1"},
		{"/no place", "part: /no place"},
	} {
		problem := []fault.Problem{{Code: 1, Message: c.problem}}
		if got := Within("part", problem)[0]; got.Message != c.want || got.Code != 1 ||
			problem[0].Message != c.problem {
			t.Errorf("%s: %+v", c.problem, got)
		}
	}
}

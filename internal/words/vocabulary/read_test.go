package vocabulary

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"parley/internal/words/jsondoc"
)

// codes uses a different code for each problem.
var codes = Codes{TermType: 1, ScriptType: 2, NoTerm: 3, Term: 4, Weight: 5, Terms: 6, Duplicate: 7, Script: 8,
	Scripts: 9, Words: 10}

// read reads a vocabulary and returns it with the codes and pointers of the problems.
func read(t *testing.T, text string) (Vocabulary, []string) {
	t.Helper()
	root, err := jsondoc.Parse([]byte(text), jsondoc.Limits{Bytes: 1 << 20, Depth: 8, Values: 10_000})
	if err != nil {
		t.Fatal(err)
	}
	var wrong []string
	for _, p := range jsondoc.Check(root, jsondoc.Fields(codes.Fields()...), jsondoc.Codes{Type: 99, Unknown: 98}) {
		wrong = append(wrong, fmt.Sprint(p.Code))
	}
	r := Reader{Codes: codes, Refuse: func(v *jsondoc.Value, code int, _ string, _ ...any) {
		wrong = append(wrong, fmt.Sprintf("%d %s", code, v.Pointer()))
	}}
	v := Vocabulary{Terms: r.Terms(root.Get("terms")), Scripts: r.Scripts(root.Get("scripts"))}
	r.Limit(root, v)
	return v, wrong
}

func TestTermsAndScriptsAreReadWithoutTheSpaceAroundThem(t *testing.T) {
	got, wrong := read(t, `{"terms":[{"term":" a b\t","soundsLike":[" x ",null],"weight":1.5},null,{"term":"c","soundsLike":[]}],"scripts":[{"script":"\n one two "}]}`)
	want := Vocabulary{Terms: []Term{{"a b", []string{"x"}, 1.5}, {Text: "c"}}, Scripts: []string{"one two"}}
	if wrong != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%q, %+v", wrong, got)
	}
}

func TestEachMistakeIsToldOfItsPlaceOnce(t *testing.T) {
	for text, want := range map[string][]string{
		`{"terms":[{"term":"x"},{}]}`:                         {"3 /terms/1"},
		`{"terms":[{"term":"x","soundsLike":["y"," "]}]}`:     {"4 /terms/0/soundsLike/1"},
		`{"terms":[{"term":"x","weight":-1}]}`:                {"5 /terms/0/weight"},
		`{"terms":[{"term":"x"},{"term":"y"},{"term":" x"}]}`: {"7 "},
		`{"terms":[7]}`:                                {"1"},
		`{"terms":[{"term":{}}]}`:                      {"1"},
		`{"terms":[{"term":"x","soundsLike":[true]}]}`: {"1"},
		`{"terms":[{"term":"x","weight":"1"}]}`:        {"5"},
		`{"scripts":[{"script":""}]}`:                  {"8 /scripts/0"},
		`{"scripts":[{"script":7}]}`:                   {"2"},
		`{"scripts":{}}`:                               {"2"},
		`{"terms":[{"term":"","weight":6}],"scripts":[{},"x"]}`: {"2", "3 /terms/0", "5 /terms/0/weight",
			"8 /scripts/0"},
	} {
		if _, wrong := read(t, text); !slices.Equal(wrong, want) {
			t.Errorf("%s: %q, want %q", text, wrong, want)
		}
	}
}

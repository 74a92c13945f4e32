package definition

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"parley/internal/words/fault"
	"parley/internal/words/vocabulary"
)

func TestVocabularyIsReadWithAllItsParts(t *testing.T) {
	v, err := ParseVocabulary("products",
		[]byte(`{"_links":{"self":{"href":"/x"}},"vocabularyName":"products","vocabularyType":"terms",
		"terms":[{"term":" Contoso ","soundsLike":["con toso "],"weight":2.5},{"term":"CapEx","soundsLike":[],"weight":null}],"scripts":[]}`))
	want := vocabulary.Vocabulary{Name: "products", Kind: "terms",
		Terms: []vocabulary.Term{{Text: "Contoso", SoundsLike: []string{"con toso"}, Weight: 2.5}, {Text: "CapEx"}}}
	if err != nil || !reflect.DeepEqual(v, want) {
		t.Errorf("%v, %+v", err, v)
	}
	v, err = ParseVocabulary("greetings", []byte(`{"scripts":[{"script":"Thank you for calling.\n"}]}`))
	want = vocabulary.Vocabulary{Name: "greetings", Scripts: []string{"Thank you for calling."}}
	if err != nil || !reflect.DeepEqual(v, want) {
		t.Errorf("%v, %+v", err, v)
	}
}

func codesOf(err error) []int {
	if err == nil {
		return nil
	}
	var codes []int
	for _, p := range fault.ProblemsOf(err) {
		codes = append(codes, p.Code)
	}
	return codes
}

// many returns n elements: copies of a text with # replaced by the number.
func many(n int, text string) string {
	var all []string
	for i := range n {
		all = append(all, strings.ReplaceAll(text, "#", strconv.Itoa(i)))
	}
	return strings.Join(all, ",")
}

func TestEveryMistakeInAVocabularyHasItsCode(t *testing.T) {
	for text, want := range map[string][]int{
		``:         {80200},
		" \n":      {80200},
		`{`:        {80200},
		`null`:     {80200},
		`{}`:       {80200},
		`[]`:       {80200},
		`"v"`:      {80200},
		`{"a":1}}`: {80200},
		`{"vocabularyName":"w","terms":[{"term":"x"}]}`: {80202},
		`{"vocabularyName":"V","terms":[{"term":"x"}]}`: {80202},
		`{"vocabularyName":7,"terms":[{"term":"x"}]}`:   {80202},
		`{"terms":[{}]}`:           {80203},
		`{"terms":[{"term":" "}]}`: {80203},
		`{"terms":[{"term":5}]}`:   {80203},
		`{"terms":["x"]}`:          {80203},
		`{"terms":"x"}`:            {80203, 80206},
		`{"terms":[{"term":"` + strings.Repeat("é", 65) + `"}]}`:                     {80203},
		`{"terms":[{"term":"x","soundsLike":[""]}]}`:                                 {80203},
		`{"terms":[{"term":"x","soundsLike":"y"}]}`:                                  {80203},
		`{"terms":[{"term":"x","soundsLike":[` + many(101, `"#"`) + `]}]}`:           {80203},
		`{"terms":[{"term":"x","soundsLike":["` + strings.Repeat("y", 257) + `"]}]}`: {80203},
		`{"terms":[{"term":"x","weight":5.1}]}`:                                      {80203},
		`{"terms":[{"term":"x","weight":"2"}]}`:                                      {80203},
		`{"terms":[{"term":"x"}],"scripts":[{"script":"y"}]}`:                        {80204},
		`{"vocabularyType":"scripts","terms":[{"term":"x"}]}`:                        {80205},
		`{"vocabularyType":"Terms","scripts":[{"script":"x"}]}`:                      {80205},
		`{"vocabularyType":{},"terms":[{"term":"x"}]}`:                               {80205},
		`{"vocabularyName":"v"}`:                                                     {80206},
		`{"terms":[],"scripts":null}`:                                                {80206},
		`{"terms":[null,[]]}`:                                                        {80206},
		`{"scripts":[{"script":""}]}`:                                                {80207},
		`{"scripts":["x"]}`:                                                          {80207},
		`{"scripts":[` + many(101, `{"script":"s#"}`) + `]}`:                         {80207},
		`{"scripts":[{"script":"` + strings.Repeat("word ", 10001) + `"}]}`:          {80207},
		`{"terms":[` + many(1001, `{"term":"t#"}`) + `]}`:                            {80208},
		`{"terms":[{"term":"x"},{"term":"x "}]}`:                                     {80209},
		`{"terms":[{"term":"x","sounds":1}]}`:                                        {10008},
		`{"term":"x"}`:                                                               {10008, 80206},
		`{"terms":[{"term":"x","term":"y"}]}`:                                        {10010},
		`{"vocabularyName":"w","terms":[{"term":""},{"term":"x","weight":-1}]}`:      {80202, 80203, 80203},
		`{"terms":[` + many(200, `{}`) + `]}`:                                        slices.Repeat([]int{80203}, 100),
		`{"vocabularyType":"names","terms":[` + many(1000, `{"term":"t#"}`) + `]}`:   nil,
		`{"terms":[{"term":"` + strings.Repeat("é", 64) + `","soundsLike":[` + many(100, `"#"`) +
			`],"weight":5}]}`: nil,
		`{"vocabularyType":"SCRIPTS","scripts":[` + many(100, `{"script":"s"}`) + `]}`: nil,
	} {
		if _, err := ParseVocabulary("v", []byte(text)); !slices.Equal(codesOf(err), want) || err != nil &&
			!fault.Is(err, fault.Invalid) {
			t.Errorf("%.80s: %v %.200v", text, codesOf(err), err)
		}
	}
}

func TestAVocabularyAtAllItsLimitsFits(t *testing.T) {
	sound := `"` + strings.Repeat("s", 64) + `"`
	text := `{"terms":[` + many(vocabulary.MaxTerms,
		`{"term":"`+strings.Repeat("t", 60)+`#","soundsLike":[`+many(vocabulary.MaxSoundsLike, sound)+`],"weight":1}`) +
		`]}`
	if v, err := ParseVocabulary("v", []byte(text)); err != nil || len(v.Terms) != vocabulary.MaxTerms {
		t.Errorf("%d bytes: %.200v", len(text), err)
	}
}

func TestNamesThatCannotStandInAnAddressAreRefused(t *testing.T) {
	body := []byte(`{"terms":[{"term":"x"}]}`)
	for _, name := range []string{"v", "Größe 7", "a.b", "100%", strings.Repeat("é", MaxName), `"quoted"`} {
		if v, err := ParseVocabulary(name, body); err != nil || v.Name != name {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, name := range []string{"", " v", "v ", "a/b", ".", "..", "a\x00b", "a\nb", "\xff",
		strings.Repeat("é", MaxName+1)} {
		if _, err := ParseVocabulary(name, body); !slices.Equal(codesOf(err), []int{80202}) {
			t.Errorf("%q: %v", name, err)
		}
		if _, err := ParseVocabulary(name, nil); !slices.Equal(codesOf(err), []int{80202, 80200}) {
			t.Errorf("%q without a body: %v", name, err)
		}
	}
}

func FuzzVocabulary(f *testing.F) {
	f.Add("v", []byte(`{"terms":[{"term":"x","soundsLike":["y"],"weight":1e0}]}`))
	f.Add("v", []byte(`{"vocabularyName":"v","vocabularyType":"scripts","scripts":[{"script":"s"}],"_links":{}}`))
	f.Add("a/b", []byte(`{"terms":[[],null,{"term":null}],"terms":1}`))
	f.Fuzz(func(t *testing.T, name string, sent []byte) {
		v, err := ParseVocabulary(name, sent)
		if err != nil {
			if n := len(fault.ProblemsOf(err)); !fault.Is(err, fault.Invalid) || n == 0 || n > 300 {
				t.Fatalf("%d problems: %v", n, err)
			}
			return
		}
		if v.Name != name || (len(v.Terms) == 0) == (len(v.Scripts) == 0) {
			t.Fatalf("%q is read as %+v", sent, v)
		}
		for _, term := range v.Terms {
			if term.Text == "" || term.Weight < 0 || term.Weight > vocabulary.MaxWeight ||
				len(term.SoundsLike) > vocabulary.MaxSoundsLike {
				t.Fatalf("term %+v", term)
			}
		}
	})
}

package definition

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"parley/internal/query"
	"parley/internal/words/fault"
)

func TestACategoryIsReadAsSent(t *testing.T) {
	got, err := ParseCategory("at-risk",
		[]byte(`{"_links":{},"categoryName":"at-risk","categoryDescription":"d","query":" caller says \"cancel\" ",
		"notes":"n","tags":["a","b","a",null],"version":"1.0","dateCreated":"x","dateModified":"y"}`), query.KnownNames{})
	want := Category{Name: "at-risk", Description: "d", Query: ` caller says "cancel" `, Notes: "n",
		Tags: []string{"a", "b"}, Version: "1.0"}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %+v", err, got)
	}
}

func TestEveryMistakeInACategoryHasItsCode(t *testing.T) {
	long := strings.Repeat("é", 4001)
	for text, want := range map[string][]int{
		``: {95080}, `{`: {95080}, `[]`: {95080}, `null`: {95080},
		`{}`:                               {95080},
		`{"query":""}`:                     {95080},
		`{"query":7}`:                      {95080},
		`{"query":"*","x":1}`:              {10008},
		`{"query":"*","categoryName":"o"}`: {95080},
		`{"query":"*","notes":"` + long[2:] + `","categoryDescription":"` + long[2:] + `"}`: nil,
		`{"query":"*","notes":"` + long + `","categoryDescription":"` + long + `"}`:         {95080, 95080},
		`{"query":"*","version":"1\u0000"}`:                                                 {95080},
		`{"query":"*","tags":["","` + strings.Repeat("t", 65) + `"]}`:                       {95080, 95080},
		`{"query":"*","tags":[` + many(32, `"t#"`) + `]}`:                                   nil,
		`{"query":"*","tags":[` + many(33, `"t#"`) + `]}`:                                   {95080},
		`{"query":"wordcont > 3 AND metrics:\"overtalk-ration\" > 1"}`:                      {95081, 95081},
		`{"query":"categories:\"other\" = 1"}`:                                              {95081},
		`{"query":"SELECT * FROM media"}`:                                                   {95081},
	} {
		if _, err := ParseCategory("g", []byte(text),
			query.KnownNames{Metrics: []string{"overtalk-ratio"}}); !slices.Equal(codesOf(err), want) || err != nil &&
			!fault.Is(err, fault.Invalid) {
			t.Errorf("%.80s: %v %.400v", text, codesOf(err), err)
		}
	}
	for _, name := range []string{"a b", "a/b", "", "a\u00a0b"} {
		if _, err := ParseCategory(name, []byte(`{"query":"*"}`), query.KnownNames{}); !slices.Contains(codesOf(err),
			95080) {
			t.Errorf("the name %q: %v", name, err)
		}
	}
}

func TestMistakesOfAConditionHaveTheirPlaceAndTheNearestName(t *testing.T) {
	_, err := ParseCategory("g", []byte(`{"query":"agent SAYS \"hi\"\n AND wordcont > 3"}`), query.KnownNames{})
	if err == nil || !strings.Contains(err.Error(), "line 2, column 6") || !strings.Contains(err.Error(), "wordCount") {
		t.Error(err)
	}
}

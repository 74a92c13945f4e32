package definition

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"parley/internal/words/fault"
)

func TestKeywordGroupIsReadWithoutNeedlessSpace(t *testing.T) {
	g, err := ParseGroup("cancellation",
		[]byte(`{"_links":{},"groupName":"cancellation","keywords":[" cancel  my\taccount ","Close",null]}`))
	want := Group{Name: "cancellation", Keywords: []string{"cancel my account", "Close"}}
	if err != nil || !reflect.DeepEqual(g, want) {
		t.Errorf("%v, %+v", err, g)
	}
	for _, empty := range []string{`{}`, `{"keywords":[]}`, `{"keywords":null,"groupName":null}`} {
		if g, err := ParseGroup("x", []byte(empty)); err != nil || g.Name != "x" || len(g.Keywords) != 0 {
			t.Errorf("%s: %v, %+v", empty, err, g)
		}
	}
}

func TestEveryMistakeInAKeywordGroupHasItsCode(t *testing.T) {
	for text, want := range map[string][]int{
		``: {80100}, ` `: {80100}, `{`: {80100}, `[]`: {80100}, `null`: {80100}, `"g"`: {80100},
		`{"groupName":"h"}`:                                {80101},
		`{"groupName":7}`:                                  {80101},
		`{"keywords":"x"}`:                                 {80102},
		`{"keywords":[7]}`:                                 {80102},
		`{"keywords":[""," "]}`:                            {80102, 80102},
		`{"keywords":["x"," X "]}`:                         {80102},
		`{"keywords":["re*nd","?!","refund*","* *"]}`:      {80102, 80102},
		`{"keyword":["x"]}`:                                {10008},
		`{"keywords":1,"keywords":2}`:                      {80102, 10010, 80102},
		`{"keywords":["` + strings.Repeat("é", 65) + `"]}`: {80102},
		`{"keywords":["` + strings.Repeat("é", 64) + `"]}`: nil,
		`{"keywords":[` + many(1001, `"k#"`) + `]}`:        {80103},
		`{"keywords":[` + many(1000, `"k#"`) + `]}`:        nil,
		`{"keywords":[` + many(200, `""`) + `]}`:           slices.Repeat([]int{80102}, 100),
	} {
		if _, err := ParseGroup("g", []byte(text)); !slices.Equal(codesOf(err), want) || err != nil &&
			!fault.Is(err, fault.Invalid) {
			t.Errorf("%.80s: %v %.200v", text, codesOf(err), err)
		}
	}
	if _, err := ParseGroup("a/b", nil); !slices.Equal(codesOf(err), []int{80101, 80100}) {
		t.Errorf("name and body: %v", err)
	}
}

func TestSearchFieldsArePathsOfMetadata(t *testing.T) {
	fields, err := ParseSearchFields(
		[]byte(`{"_links":{},"fields":["extended.campaignId","extended.order.größe 7","callDetails.agent.externalId","title",null,"extended.a:b"]}`))
	if err != nil || !slices.Equal(fields,
		SearchFields{"extended.campaignId", "extended.order.größe 7", "callDetails.agent.externalId", "title",
			"extended.a:b"}) {
		t.Errorf("%v, %q", err, fields)
	}
	for _, none := range []string{`{}`, `{"fields":[]}`, `{"fields":null}`, `{"fields":[null]}`} {
		if _, err := ParseSearchFields([]byte(none)); !slices.Equal(codesOf(err), []int{80300}) ||
			!strings.Contains(err.Error(), "DELETE") {
			t.Errorf("%s: %v", none, err)
		}
	}
	for text, want := range map[string][]int{
		``: {80300}, `x`: {80300}, `[]`: {80300}, `"extended.a"`: {80300},
		`{"fields":"extended.a"}`:                                  {80300},
		`{"field":["extended.a"]}`:                                 {10008},
		`{"fields":[7,{}]}`:                                        {80301, 80301},
		`{"fields":["campaignId"]}`:                                {80301},
		`{"fields":["extended","callDetails","Title"]}`:            {80301, 80301, 80301},
		`{"fields":["extended.","extended..a",".",""]}`:            {80301, 80301, 80301, 80301},
		`{"fields":["title.x"]}`:                                   {80301},
		`{"fields":["extended.a\nb"]}`:                             {80301},
		`{"fields":["extended.` + strings.Repeat("a", 248) + `"]}`: {80301},
		`{"fields":["extended.` + strings.Repeat("a", 247) + `"]}`: nil,
		`{"fields":["extended.a","extended.b","extended.a"]}`:      {80302},
		`{"fields":[` + many(101, `"extended.f#"`) + `]}`:          {80303},
		`{"fields":[` + many(100, `"extended.f#"`) + `]}`:          nil,
	} {
		if _, err := ParseSearchFields([]byte(text)); !slices.Equal(codesOf(err), want) || err != nil &&
			!fault.Is(err, fault.Invalid) {
			t.Errorf("%.80s: %v %.200v", text, codesOf(err), err)
		}
	}
	if _, err := ParseSearchFields([]byte(`{"fields":["campaignId"]}`)); !strings.Contains(err.Error(),
		"extended.campaignId") {
		t.Errorf("no remedy in %v", err)
	}
}

func TestFiltersNameFieldsWithAndWithoutExtended(t *testing.T) {
	fields := SearchFields{"extended.campaignId", "extended.title", "title", "callDetails.ani"}
	for name, want := range map[string]string{
		"campaignId": "extended.campaignId", "extended.campaignId": "extended.campaignId", "title": "title",
		"extended.title":  "extended.title",
		"callDetails.ani": "callDetails.ani", "ani": "", "CampaignId": "", "": "",
	} {
		if path, ok := fields.Resolve(name); path != want || ok != (want != "") {
			t.Errorf("%q is %q, %v", name, path, ok)
		}
	}
}

func FuzzGroupsAndFields(f *testing.F) {
	f.Add([]byte(`{"groupName":"g","keywords":["a b",null,[]]}`))
	f.Add([]byte(`{"fields":["extended.a.b","title","extended.a.b"]}`))
	f.Fuzz(func(t *testing.T, sent []byte) {
		g, err := ParseGroup("g", sent)
		if err == nil && (g.Name != "g" || len(g.Keywords) > MaxKeywords || slices.Contains(g.Keywords, "")) {
			t.Fatalf("%q is read as %+v", sent, g)
		}
		fields, err := ParseSearchFields(sent)
		if err == nil && (len(fields) > MaxSearchFields || strings.ContainsAny(strings.Join(fields, ""), "\n\x00")) {
			t.Fatalf("%q is read as %q", sent, fields)
		}
	})
}
